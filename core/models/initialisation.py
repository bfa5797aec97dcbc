"""The initial parameters of the network; the spectral radius of W_hh, and scaling W_hh to a given radius."""

import math

import numpy as np
from jaxtyping import Float

from core.config.language import gettext as _
from core.config.settings import Settings
from core.models.params import Params
from core.text.randomness import Purpose, generator

INITIALISATIONS = ("xavier", "glorot", "normal001", "uniform001", "orthogonal", "identity")
ONE_SCALE = {"normal001": 0.01, "uniform001": 0.01 / math.sqrt(3)}  # initialisations with one standard deviation for all weights


def own_scales(init: str, vocab_size: int, hidden_size: int, embedding_size: int = 0) -> tuple[float, float]:
    """The standard deviations of W_xh and W_hq that belong to an initialisation."""
    if init in ONE_SCALE:
        return ONE_SCALE[init], ONE_SCALE[init]
    if init == "glorot":
        return math.sqrt(2 / ((embedding_size or vocab_size) + hidden_size)), math.sqrt(2 / (hidden_size + vocab_size))
    return 1 / math.sqrt(embedding_size or hidden_size), 1 / math.sqrt(hidden_size)


def first_params(settings: Settings, vocab_size: int, drawn: Float[np.ndarray, " P"] | None = None) -> Params:
    """The initial parameters of a run with these settings: drawn now, or a copy of the vector ``drawn`` before."""
    if drawn is not None:
        params = Params.zeros(vocab_size, settings.hidden_size, settings.embedding_size, dtype=settings.dtype)
        np.copyto(params.flat, drawn)
        return params
    names = ("hidden_size", "embedding_size", "init", "gain", "input_scale", "output_scale", "dtype")
    return init_params(
        vocab_size, rng=generator(settings.seed, Purpose.INIT), **{name: getattr(settings, name) for name in names}
    )


def init_params(
    vocab_size: int,
    hidden_size: int,
    *,
    embedding_size: int = 0,
    init: str = "xavier",
    gain: float = 1.0,
    input_scale: float | None = None,
    output_scale: float | None = None,
    rng: np.random.Generator,
    dtype: np.typing.DTypeLike = np.float32,
) -> Params:
    """New random parameters; biases are zero.

    xavier: std 0.01 for W_emb, 1/sqrt(D) for W_xh with an embedding and 1/sqrt(H) one-hot, 1/sqrt(H) for W_hh and W_hq
    (Deep Learning from Scratch 2, ch. 5). glorot, as PyTorch's ``xavier_normal_`` (Glorot and Bengio 2010; D2L 4.8.2.2): 0.01 for
    W_emb, sqrt(2/(n_in + n_out)) for the others, where a one-hot input has n_in = V and W_hh has 1/sqrt(H), as in xavier.
    normal001: all N(0, 0.01^2) (D2L 8.5). uniform001: all U(-0.01, 0.01). orthogonal, identity: W_hh as named, else as xavier.
    ``gain`` multiplies W_hh; ``input_scale`` and ``output_scale`` replace the standard deviation of W_xh and W_hq. Numbers are
    drawn in float64, so both precisions have the same initial values.
    ``ValueError`` for an unknown ``init`` or a size below one.
    """
    if init not in INITIALISATIONS:
        raise ValueError(f"The initial weights are one of {', '.join(INITIALISATIONS)}; {init!r} is not.")
    if min(vocab_size, hidden_size, embedding_size + 1) < 1:
        raise ValueError(f"A network needs sizes of at least one, not V={vocab_size}, H={hidden_size}, D={embedding_size}.")
    params = Params.zeros(vocab_size, hidden_size, embedding_size, dtype=dtype)
    of_input, of_output = own_scales(init, vocab_size, hidden_size, embedding_size)
    if params.W_emb is not None:
        params.W_emb[...] = _drawn(params.W_emb, init, rng) * ONE_SCALE.get(init, 0.01)
    params.W_xh[...] = _drawn(params.W_xh, init, rng) * (of_input if input_scale is None else input_scale)
    params.W_hh[...] = gain * _recurrent(params.W_hh, init, rng)
    params.W_hq[...] = _drawn(params.W_hq, init, rng) * (of_output if output_scale is None else output_scale)
    return params


def _drawn(like: np.ndarray, init: str, rng: np.random.Generator) -> np.ndarray:
    """Numbers of unit standard deviation in the shape of ``like``: normal, or uniform between -sqrt(3) and sqrt(3)."""
    width = math.sqrt(3)
    return rng.uniform(-width, width, like.shape) if init == "uniform001" else rng.standard_normal(like.shape)


def _recurrent(like: np.ndarray, init: str, rng: np.random.Generator) -> Float[np.ndarray, "H H"]:
    if init == "identity":
        return np.eye(len(like))
    drawn = _drawn(like, init, rng)
    if init != "orthogonal":
        return drawn * ONE_SCALE.get(init, 1 / math.sqrt(len(like)))
    q, r = np.linalg.qr(drawn)
    return q * np.where(np.diagonal(r) < 0, -1.0, 1.0)  # without the signs, QR does not draw uniformly


def spectral_radius(W_hh: Float[np.ndarray, "H H"]) -> float:
    """The largest absolute eigenvalue: the factor per step of a network without phi. In float64; nan where W_hh is not finite.

    Source: Pascanu, Mikolov and Bengio 2013, section 2.1 (with phi' it is no bound by itself); D2L 8.7.1.
    """
    if not np.isfinite(W_hh).all():
        return math.nan
    return float(np.abs(np.linalg.eigvals(W_hh.astype(np.float64))).max())


def scale_to_radius(W_hh: Float[np.ndarray, "H H"], radius: float) -> float:
    """Scale ``W_hh`` in place to the spectral radius ``radius``; returns the old one.

    ``ValueError`` with a sentence if no factor exists: the old radius is zero or not finite.
    """
    old = spectral_radius(W_hh)
    if not old > 0:
        if math.isnan(old):
            raise ValueError(_("The spectral radius of W_hh is not finite: no factor makes it {radius}.", radius=f"{radius:g}"))
        raise ValueError(_("The spectral radius of W_hh is zero: no factor makes it {radius}.", radius=f"{radius:g}"))
    np.multiply(W_hh, radius / old, W_hh)
    return old
