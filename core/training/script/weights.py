"""The part of a script that draws the weights that a run begins with: what ``core.models.initialisation`` does, for one kind."""

from core.config.settings import Settings
from core.models.initialisation import SMALL
from core.text.streams import Purpose

RECURRENT = {  # W_hh by its initialisation, where the others have another
    "orthogonal": "Q, R = np.linalg.qr(rng.standard_normal((H, H)))\nW_hh = {gain}Q * np.sign(np.diagonal(R))  # orthogonal",
    "identity": "W_hh = {gain}np.eye(H)",
}


def names(settings: Settings) -> list[str]:
    """Of the parameters."""
    return ["W_emb"] * bool(settings.embedding_size) + ["W_xh", "W_hh", "b_h", "W_hq", "b_q"]


def weights(settings: Settings) -> dict[str, str]:
    """Pieces that leave the parameters by name and as the list ``params``."""
    dtype = "" if settings.dtype == "float64" else f"np.{settings.dtype}"
    return {
        "init_stream": str([settings.seed, int(Purpose.INIT)]),
        "weights": "\n".join([*_drawn(settings), *_listed(names(settings), dtype)]),
        "as_dtype": f", {dtype}" if dtype else "",
    }


def _drawn(settings: Settings) -> list[str]:
    """A line for each matrix, in the order in which the run draws them."""
    D = "D" if settings.embedding_size else "V"
    input_std = settings.input_scale, "D" if settings.embedding_size else "H"
    gain = "" if settings.gain == 1 else f"{settings.gain} * "
    recurrent = RECURRENT.get(settings.init, f"W_hh = {{gain}}{_random(settings.init, '(H, H)', (None, 'H'))}")
    return [
        *[f"W_emb = {_random(settings.init, '(V, D)', (SMALL.get(settings.init, 0.01), ''))}"] * bool(settings.embedding_size),
        f"W_xh = {_random(settings.init, f'({D}, H)', input_std)}",
        recurrent.format(gain=gain),
        f"W_hq = {_random(settings.init, '(H, V)', (settings.output_scale, 'H'))}",
    ]


def _random(init: str, shape: str, std: tuple[float | None, str]) -> str:
    """Random numbers whose standard deviation is a number; or, without one, what belongs to ``init``: small, or 1 / sqrt of a
    size."""
    scale, size = std
    if init == "uniform001":
        return _uniform(shape, SMALL[init] if scale is None else scale)
    scale = SMALL.get(init) if scale is None else scale
    drawn = f"rng.standard_normal({shape})"
    return f"{drawn} / np.sqrt({size})" if scale is None else drawn if scale == 1 else f"{scale} * {drawn}"


def _uniform(shape: str, std: float) -> str:
    """Evenly spread numbers; those between -a and a have the standard deviation a / sqrt(3)."""
    if std == SMALL["uniform001"]:
        return f"rng.uniform(-0.01, 0.01, {shape})"
    return f"{std} * rng.uniform(-np.sqrt(3), np.sqrt(3), {shape})"


def _listed(names: list[str], dtype: str) -> list[str]:
    """All parameters together, in the precision of training; both biases are zero."""
    if not dtype:
        return ["b_h, b_q = np.zeros(H), np.zeros(V)", f"params = [{', '.join(names)}]"]
    zeros = {"b_h": "np.zeros(H)", "b_q": "np.zeros(V)"}
    drawn = ", ".join(zeros.get(name, name) for name in names)
    return [f"params = [W.astype({dtype}) for W in ({drawn})]", f"{', '.join(names)} = params"]
