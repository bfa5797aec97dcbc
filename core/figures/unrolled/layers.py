"""The same network as layers stacked over time, by the names of Deep Learning from Scratch 2, 5.2 to 5.4."""

from typing import Any

from core.analysis.unrolled import Unrolled
from core.figures.parts.numbers import count, decimals
from core.models.params import Params

NO_EMBEDDING = "not in this network: the input is one-hot, and x W_{xh} already picks a row"


def layers_scene(u: Unrolled, params: Params) -> dict[str, Any]:
    """Four layers from the top, each with its name for one step and for all, its parameters and the shape it gives."""
    T, H, V = len(u.tokens), u.h.shape[1], u.p.shape[1]
    W_xh, embedded = params.W_xh.shape, params.W_emb is not None
    rows = [
        ("TimeSoftmaxWithLoss", "Softmax with Loss", "no parameters", "1 number"),
        ("TimeAffine", "Affine", f"W_{{hq}} {_by(H, V)}, b_q {count(V)}", _by(T, V)),
        ("TimeRNN", "RNN", f"W_{{xh}} {_by(*W_xh)}, W_{{hh}} {_by(H, H)}, b_h {count(H)}", _by(T, H)),
        ("TimeEmbedding", "Embedding", f"W_{{emb}} {_by(V, W_xh[0])}" if embedded else NO_EMBEDDING, _by(T, W_xh[0])),
    ]
    return {
        "rows": rows,
        "embedded": embedded,
        "losses": [decimals(float(loss)) for loss in u.losses],
        "sums": [decimals(-float(nats)) for nats in u.log_likelihoods],
        "mean": decimals(float(u.mean_losses[-1]), 3),
    }


def _by(rows: int, columns: int) -> str:
    return f"{count(rows)} × {count(columns)}"
