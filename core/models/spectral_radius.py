"""The spectral radius of W_hh: the largest absolute eigenvalue, the factor per step of a network without phi.

Source: Pascanu, Mikolov and Bengio 2013, section 2.1 (it bounds nothing by itself once phi' enters); D2L 8.7.1.
"""

import math

import numpy as np
from jaxtyping import Float

from core.config.language import gettext as _


def spectral_radius(W_hh: Float[np.ndarray, "H H"]) -> float:
    """The largest absolute eigenvalue, computed in float64; nan where W_hh has numbers that are not finite."""
    if not np.isfinite(W_hh).all():
        return math.nan
    return float(np.abs(np.linalg.eigvals(W_hh.astype(np.float64))).max())


def scale_to_radius(W_hh: Float[np.ndarray, "H H"], radius: float) -> float:
    """Multiply ``W_hh`` in place so that its spectral radius is ``radius``; the radius it had.

    ``ValueError`` with a sentence where no factor can do that: a radius of zero, or numbers that are not finite.
    """
    old = spectral_radius(W_hh)
    if not old > 0:
        if math.isnan(old):
            raise ValueError(_("The spectral radius of W_hh is not finite: no factor makes it {radius}.", radius=f"{radius:g}"))
        raise ValueError(_("The spectral radius of W_hh is zero: no factor makes it {radius}.", radius=f"{radius:g}"))
    np.multiply(W_hh, radius / old, W_hh)
    return old
