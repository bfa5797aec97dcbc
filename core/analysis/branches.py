"""The two branches of dh, apart: what a state is given by the loss of its own step, and by all later losses through the next.

Training adds them up as it goes back. Source: D2L 8.7.16; Deep Learning from Scratch 2, 5.3.1.
"""

import numpy as np
from jaxtyping import Float

from core.models.rnn import Gradients


def from_loss(gradients: Gradients) -> Float[np.ndarray, "T N H"]:
    """dlogits_t W_hq^T, in the unit of ``gradients``. Row t-1 belongs to ``trace.h[t]``, as in ``gradients.h``."""
    with np.errstate(all="ignore"):
        return gradients.logits @ gradients.trace.params.W_hq.T


def from_future(gradients: Gradients) -> Float[np.ndarray, "states N H"]:
    """da_(t+1) W_hh^T, in the unit of ``gradients``, shape (T+1, N, H): zero at the last step and at cuts.

    Row t belongs to ``trace.h[t]``; row 0 is the derivative with respect to the state carried in.
    """
    with np.errstate(all="ignore"):
        sent = gradients.a @ gradients.trace.params.W_hh.T
    sent[gradients.truncation :: gradients.truncation] = 0
    return np.concatenate([sent, np.zeros_like(sent[:1])])
