"""The code of one step forward and back, line by line for its equations (``recurrent_step.back``)."""

from core.analysis.one_step_matrices import StepBack, StepMatrices
from core.config.language import gettext as _
from core.models import rnn
from core.models.layers import input_layer_back
from core.training.simple_rnnlm import RNN
from pages.figures.parts.listing import ListingDrawing, Source, SubStep, listings_with, shown_array
from pages.figures.parts.network_listing import BOOK, BOOK_BACK, BOOK_STATE, CORE, INTO_STATE, TANH_BACK, TANH_ONLY

BOOK_SUMS = "np.dot(h_prev.T, dt), np.sum(dt, axis=0)"
OF_BOOK = {  # the results of the equations: their lines, and the arrays in them
    "t": SubStep((BOOK_STATE, "h_next = np.tanh(t)"), {"h_prev": "H", "x": "X", "b": "b", "t": "a", "h_next": "h_next"}),
    "dt": SubStep((TANH_BACK,), {"dh_next": "dh_next", "1 - h_next**2": "slope", "dt": "dt"}),
    "db": SubStep((BOOK_SUMS,), {"dt": "dt", "np.sum(dt, axis=0)": "db"}),
    "dW_hh": SubStep((BOOK_SUMS,), {"h_prev": "H", "dt": "dt", "np.dot(h_prev.T, dt)": "dW_hh"}),
    "dh_prev": SubStep((BOOK_BACK,), {"dt": "dt", "Wh": "W_hh", "np.dot(dt, Wh.T)": "dh_prev"}),
    "dW_xh": SubStep((BOOK_SUMS,), {"x": "X", "dt": "dt", "np.dot(x.T, dt)": "dW_xh"}),
    "dx": SubStep((BOOK_BACK,), {"dt": "dt", "Wx": "W_xh", "np.dot(dt, Wx.T)": "dx"}),
}
OF_CORE = {
    "t": SubStep((INTO_STATE,), {"h[t - 1]": "H", "h[t] + h[t - 1] @ W_hh": "a", "h[t]": "h_next"}),
    "dt": SubStep(("da[t] = dh[t] * slope[t]",), {"dh[t]": "dh_next", "slope[t]": "slope", "da[t]": "dt"}),
    "db": SubStep(("column_sums(da, out=dparams.b_h)",), {"da": "dt", "dparams.b_h": "db"}),
    "dW_hh": SubStep(
        ("np.dot(flat(h[:-1]).T, flat(da[1:]), out=dparams.W_hh)",), {"h[t - 1]": "H", "da[t]": "dt", "dparams.W_hh": "dW_hh"}
    ),
    "dh_prev": SubStep(("return self.da[1] @ self.trace.params.W_hh.T",), {"da[1]": "dt", "W_hh": "W_hh", "dh0": "dh_prev"}),
    "dW_xh": SubStep(
        ("np.dot(rows_of(params.W_emb, tokens).T, da,",), {"rows_of(W_emb, tokens)": "X", "da": "dt", "dparams.W_xh": "dW_xh"}
    ),
    "dx": SubStep(
        ("sum_by_token(tokens, da @ params.W_xh.T, out=dparams.W_emb)",), {"da": "dt", "W_xh": "W_xh", "da @ W_xh.T": "dx"}
    ),
}
SHAPES = {"X": "N, D", "b": "H", "W_hh": "H, H", "W_xh": "D, H", "db": "H", "dW_hh": "H, H", "dW_xh": "D, H", "dx": "N, D"}


def back_listing_drawing(m: StepMatrices, b: StepBack, *, hidden: bool = False) -> ListingDrawing:
    """The code of every equation; of an array the first numbers are shown, unless the results are ``hidden``."""
    sizes = {"N": len(m.X), "D": m.X.shape[1], "H": m.H.shape[1]}
    values = {"H": m.H, "X": m.X, "b": m.b, "W_hh": m.W_hh, "W_xh": m.W_xh, "db": b.db[None]}
    values |= {name: getattr(b, name) for name in ("a", "h_next", "dh_next", "slope", "dt", "dW_hh", "dh_prev", "dW_xh", "dx")}
    arrays = {
        key: shown_array(SHAPES.get(key, "N, H"), sizes, None if hidden else rows.reshape(1, -1)) for key, rows in values.items()
    }
    of_tanh = "" if b.activation == "tanh" else _(TANH_ONLY, activation=b.activation)
    made_by = (rnn.forward, rnn.backward, rnn.Gradients.dh0.fget, input_layer_back)
    core = Source(CORE, made_by, (tuple(OF_CORE.values()),))
    book = Source(BOOK, (RNN,), (tuple(OF_BOOK.values()),), of_tanh)
    return listings_with([core, book], [list(OF_BOOK)], arrays)
