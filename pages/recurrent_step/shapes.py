"""Shapes: every matrix to scale, the rows of text in X_t, and the sizes that do not depend on the number of steps."""

from core.analysis import recurrent_step as analysis
from core.config.language import gettext as _, lazy_gettext
from pages.app.navigation.section_tabs import PageState
from pages.app.navigation.url_state import Param
from pages.app.session.session import Session
from pages.app.widgets.components import cards, shapes as shapes_panel
from pages.app.widgets.control_widgets import Knob, control_data
from pages.content.notation import in_notation
from pages.figures.parts.numbers import count
from pages.figures.recurrent_step.shapes import ROWS, rows_drawing, shapes_drawing, shapes_words
from pages.recurrent_step.networks import MOST

SIZES = {  # name: label, help, values of its slider
    "N": (lazy_gettext("N, sequences"), lazy_gettext("Rows of the batch"), (1, 2, 4, 8, 16, 32, 64, 128, 256)),
    "D": (
        lazy_gettext("D, input"),
        lazy_gettext("Width of the input vector: of an embedding, or V when one-hot"),
        (0, 8, 16, 32, 64, 100, 128, 256),
    ),
    "H": (lazy_gettext("H, hidden units"), lazy_gettext("Width of the state"), (1, 4, 8, 16, 32, 64, 100, 128, 256, 512)),
    "V": (
        lazy_gettext("V, vocabulary"),
        lazy_gettext("Different tokens"),
        (2, 10, 28, 50, 100, 200, 418, 1000, 2000, 5000, 10_000),
    ),
    "T": (lazy_gettext("T, time steps"), lazy_gettext("Steps of the window"), (1, 2, 5, 10, 20, 35, 50, 100, 200, 500, 1000)),
}


def _read(text: str) -> dict[str, int]:
    """Parse the sizes in the URL, such as 32-0-128-103-35. ``ValueError`` if one is below its slider or above ``MOST``."""
    sizes = dict(zip(SIZES, map(int, text.split("-")), strict=True))
    if not all(SIZES[name][2][0] <= size <= MOST for name, size in sizes.items()):
        raise ValueError
    return sizes


PARAMS = {"sizes": Param({}, _read, lambda sizes: "-".join(map(str, sizes.values())))}


def show(session: Session, state: PageState) -> None:
    """Draw every matrix to scale, the rows of text in X_t, and the sizes that do not depend on the number of steps."""
    chosen = state["sizes"] or own_sizes(session)
    N, D, H, V, T = (chosen[name] for name in SIZES)
    knobs = [_knob(name, chosen[name]) for name in SIZES]
    text = session.corpus.train
    window = analysis.first_window(text, N, T, ROWS)
    rows = rows_drawing(window, N, len(text), session.params(), session.corpus.tokenizer)
    notation = session.settings.notation
    scene = in_notation(shapes_drawing(N, D, H, V, T, session.settings.activation), notation) | {"text": rows}
    sliders = {"sliders": list(map(control_data, knobs))}
    shapes_panel(scene | sliders, on_move=lambda name, place: _move(session, state, knobs, name, place))
    cards(in_notation(shapes_words(N, D, H, V, T), notation), columns=(1.2, 1, 1), key="shapes_words")


def own_sizes(session: Session) -> dict[str, int]:
    """The sizes of the live network."""
    settings, V = session.settings, session.corpus.tokenizer.size
    sizes = settings.batch_size, settings.embedding_size, settings.hidden_size, V, settings.num_steps
    return dict(zip(SIZES, sizes, strict=True))


def _knob(name: str, value: int) -> Knob:
    label, help, places = SIZES[name]
    places = sorted({*places, value})
    words = [_("one-hot: V") if name == "D" and place == 0 else count(place) for place in places]
    return Knob(name, _(label), words, places.index(value), places, _(help))


def _move(session: Session, state: PageState, knobs: list[Knob], name: str, place: int) -> None:
    places = next((knob.values for knob in knobs if knob.name == name), ())
    if 0 <= place < len(places):
        state["sizes"] = (state["sizes"] or own_sizes(session)) | {name: places[place]}
