"""The code of the unrolled network in two listings: the core, and the layers of Deep Learning from Scratch 2.

The sub-steps are those of ``parts.network`` and ``parts.backward``. Numbers are those of the picture: one row (N = 1), and the
gradient of the sum of the losses. ``softmax`` only shows p: training takes the loss and its gradient from the logits.
"""

import numpy as np

from core.analysis.backward import BackwardPass
from core.analysis.unrolled import Unrolled
from core.config.language import gettext as _, lazy_gettext, sentences
from core.models import loss, rnn
from core.models.layers import input_layer_back, output_layer_back
from core.models.params import Params
from core.training.simple_rnnlm import RNN, TimeAffine, TimeEmbedding, TimeRNN, TimeSoftmaxWithLoss
from pages.figures.parts.backward import OF_LAST, SUBSTEPS as BACKWARD
from pages.figures.parts.listing import ListingDrawing, ShownArray, Source, SubStep, listings_with, shown_array
from pages.figures.parts.network import forward_substeps

CORE, BOOK = lazy_gettext("this network"), lazy_gettext("Deep Learning from Scratch 2")
TANH_ONLY = lazy_gettext("The layer of the book has tanh. The numbers are those of this network, which has {activation}.")
OF_SUM = lazy_gettext("Backward, the numbers are those of the sum of the losses; the code takes their mean, 1/{T} of that.")
MATRICES = {"W_emb": "V, D", "W_hh": "H, H", "W_hq": "H, V", "W_hh_T": "H, H", "W_hq_T": "V, H"}
INTO_STATE, LOSS = "phi(h[t] + h[t - 1] @ params.W_hh, out=h[t])", "return (np.log(sums) - logits[place]).reshape(targets.shape)"
FUTURE, TANH_BACK = "dh[t - 1] += da[t] @ W_hh_T", "dt = dh_next * (1 - h_next**2)"
BOOK_STATE, BOOK_BACK = "t = np.dot(h_prev, Wh) + np.dot(x, Wx) + b", "return np.dot(dt, Wx.T), np.dot(dt, Wh.T)"
BOOK_SUM = "self.layers[t].backward(dhs[:, t] + dh)"
OF_CORE = (
    SubStep(("input_layer(params, tokens, out=h[1:])",), {"h[t]": "from_input"}),
    SubStep(
        (INTO_STATE,),
        {"h[t - 1]": "before", "W_hh": "W_hh", "h[t - 1] @ W_hh": "from_memory", "h[t] + h[t - 1] @ W_hh": "a"},
    ),
    SubStep((INTO_STATE,), {"h[t] + h[t - 1] @ W_hh": "a", "h[t]": "h"}),
    SubStep(("output_layer(params, h[1:], out=logits)",), {"h[t]": "h", "W_hq": "W_hq", "logits[t - 1]": "logits"}),
    SubStep(("p = np.exp(logits - logits.max(", "return p / p.sum("), {"logits[t - 1]": "logits", "p": "p"}),
    SubStep((LOSS,), {"losses[t - 1]": "loss"}),
)
OF_CORE_BACK = (
    SubStep(("dlogits *= (weight / sums)[:, None]", "dlogits[place] -= weight"), {"dlogits[t - 1]": "dlogits"}),
    SubStep(
        ("np.dot(dlogits, params.W_hq.T, out=flat(out))",),
        {"dlogits[t - 1]": "dlogits", "W_hq.T": "W_hq_T", "dlogits[t - 1] @ W_hq.T": "from_loss"},
    ),
    SubStep((FUTURE,), {"da[t + 1]": "da_after", "W_hh_T": "W_hh_T", "da[t + 1] @ W_hh_T": "from_future"}),
    SubStep((FUTURE,), {"dlogits[t - 1] @ W_hq.T": "from_loss", "da[t + 1] @ W_hh_T": "from_future", "dh[t]": "dh"}),
    SubStep(("da[t] = dh[t] * slope[t]",), {"dh[t]": "dh", "slope[t]": "slope", "da[t]": "da"}),
    SubStep(
        ("np.dot(flat(h[:-1]).T, flat(da[1:]), out=dparams.W_hh)", "column_sums(da, out=dparams.b_h)"),
        {"h[t - 1]": "before", "da[t]": "da", "dparams.W_hh": "dW_hh"},
    ),
)
STEP_BACK = SubStep(  # if only the last loss counts
    (FUTURE, "da[t] = dh[t] * slope[t]"), {"da[t + 1]": "da_after", "W_hh_T": "W_hh_T", "slope[t]": "slope", "da[t]": "da"}
)
INPUT_BACK = {False: "sum_by_token(tokens, da, out=dparams.W_xh)", True: "np.dot(rows_of(params.W_emb, tokens).T, da,"}
OF_BOOK = (
    SubStep((), {"self.params[0]": "W_emb", "x": "x", "np.dot(x, Wx)": "row"}),
    SubStep(
        (BOOK_STATE,), {"h_prev": "before", "np.dot(h_prev, Wh)": "from_memory", "np.dot(x, Wx) + b": "from_input", "t": "a"}
    ),
    SubStep(("h_next = np.tanh(t)", "hs[:, t] = self.h = layer.forward("), {"t": "a", "h_next": "h"}),
    SubStep(("return (np.dot(self.rows, W) + b)",), {"hs[:, t]": "h", "W": "W_hq", "xs[:, t]": "logits"}),
    SubStep(("ys = np.exp(rows - rows.max(", "self.ys = ys / ys.sum("), {"xs[:, t]": "logits", "self.ys": "p"}),
    SubStep(("return -np.log(self.ys[",), {"-np.log(self.ys[…])": "loss"}),
)
OF_BOOK_BACK = (
    SubStep(
        ("dx = self.ys.copy()", "dx[np.arange(len(dx)), self.ts] -= 1", "return (dx / len(dx)).reshape"),
        {"self.ys": "p", "dx": "dlogits"},
    ),
    SubStep(("return np.dot(rows, self.params[0].T)",), {"rows": "dlogits", "W.T": "W_hq_T", "dhs[:, t]": "from_loss"}),
    SubStep((BOOK_BACK,), {"dt": "da_after", "Wh.T": "W_hh_T", "dh": "from_future"}),
    SubStep((BOOK_SUM,), {"dhs[:, t]": "from_loss", "dh": "from_future", "dhs[:, t] + dh": "dh"}),
    SubStep((TANH_BACK,), {"dh_next": "dh", "1 - h_next**2": "slope", "dt": "da"}),
    SubStep(("np.dot(h_prev.T, dt), np.sum(dt, axis=0)", "grad += part"), {"h_prev": "before", "dt": "da", "grad": "dW_hh"}),
)
BOOK_STEP_BACK = SubStep((BOOK_BACK, TANH_BACK), {"Wh.T": "W_hh_T", "1 - h_next**2": "slope", "dt": "da"})


def network_listing_drawing(
    u: Unrolled, params: Params, b: BackwardPass | None = None, *, of_last: bool = False
) -> ListingDrawing:
    """The code of the forward pass and, with ``b``, of the backward pass; ``of_last``: the picture shows the last loss alone, of
    which there are no numbers here."""
    embedded, sizes = params.W_emb is not None, {"N": 1, "H": u.h.shape[1], "V": u.p.shape[1], "D": params.W_xh.shape[0]}
    arrays = _forward_arrays(u, params, sizes) | (_backward_arrays(b, sizes, of_last=of_last) if b else {})
    names = [[name for name, _law in forward_substeps(u.activation, embedded=embedded)]]
    if b:
        names.append([_(name) for name, _law in (OF_LAST if of_last else BACKWARD)])
    of_sum = _(OF_SUM, T=len(u.tokens)) if b and not of_last else ""
    of_tanh = _(TANH_ONLY, activation=u.activation) if u.activation != "tanh" else ""
    core, book = _core(embedded=embedded, both=bool(b), of_last=of_last), _book(embedded=embedded, of_last=of_last)
    book = book._replace(note=sentences(*filter(None, (of_tanh, of_sum))))
    return listings_with([core._replace(note=of_sum), book], names, arrays)


def _core(*, embedded: bool, both: bool, of_last: bool) -> Source:
    made_by = (rnn.forward, loss.softmax, loss.loss_and_gradient)
    back = (rnn.backward, output_layer_back, input_layer_back) if both else ()
    *others, last = OF_CORE_BACK
    last = STEP_BACK if of_last else last._replace(code=(*last.code, INPUT_BACK[embedded]))
    return Source(CORE, (*made_by, *back), (OF_CORE, (*others, last)))


def _book(*, embedded: bool, of_last: bool) -> Source:
    """One-hot, the book multiplies x by Wx in the RNN layer, too: there is nothing to look up."""
    first, *others = OF_BOOK
    first = first._replace(code=("return self.params[0][xs]",) if embedded else (BOOK_STATE,))
    layers = (TimeEmbedding, RNN, TimeRNN, TimeAffine, TimeSoftmaxWithLoss)
    back = (*OF_BOOK_BACK[:-1], BOOK_STEP_BACK) if of_last else OF_BOOK_BACK
    return Source(BOOK, layers, ((first, *others), back))


def _forward_arrays(u: Unrolled, params: Params, sizes: dict[str, int]) -> dict[str, ShownArray]:
    embedded = params.W_emb is not None
    states = {"before": u.h[:-1], "from_input": u.from_input + u.bias, "from_memory": u.from_memory, "a": u.a, "h": u.h[1:]}
    states |= {} if embedded else {"row": u.from_input}
    found = {key: shown_array("N, H", sizes, steps) for key, steps in states.items()}
    found |= {key: shown_array("N, V", sizes, steps) for key, steps in {"logits": u.logits, "p": u.p}.items()}
    found |= {"x": shown_array("N, D", sizes, np.asarray(params.W_emb)[u.tokens])} if embedded else {}
    matrices = {key: shape for key, shape in MATRICES.items() if embedded or key != "W_emb"}
    found |= {key: shown_array(shape, sizes) for key, shape in matrices.items()}
    return found | {"loss": shown_array("N", sizes, u.losses[:, None])}


def _backward_arrays(b: BackwardPass, sizes: dict[str, int], *, of_last: bool) -> dict[str, ShownArray]:
    after = np.full_like(b.da, np.nan)
    after[:-1] = b.da[1:]
    states = {"from_loss": b.from_loss, "da_after": after, "from_future": b.from_future, "dh": b.dh, "slope": b.slope, "da": b.da}
    found = {key: shown_array("N, H", sizes, None if of_last and key != "slope" else steps) for key, steps in states.items()}
    found["dlogits"] = shown_array("N, V", sizes, None if of_last else b.dlogits)
    return found | {"dW_hh": shown_array("H, H", sizes)}
