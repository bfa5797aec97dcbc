"""The data: which tokens each update reads, how the state is carried, and why the order matters."""

from typing import Any

from core.analysis.mini_batches import mini_batches as read_mini_batches
from core.config.language import gettext as _, lazy_gettext
from core.text.corpus import Corpus, load_corpus
from core.text.token_stream import Windows, shuffled
from core.training.experiments.comparisons import LAG_SETTINGS, order_comparison, order_settings
from core.training.run.live_run import LiveRun
from core.training.run.scheduler import compute
from pages.app.layout import elements
from pages.app.navigation.section_tabs import PageState
from pages.app.navigation.url_state import enum_param
from pages.app.server.setup_lock import with_setup_lock
from pages.app.server.shared_cache import cached_for_all_sessions
from pages.app.session.session import Session
from pages.app.widgets.components import live_figure, mini_batches
from pages.app.widgets.control_widgets import Button, Slider, Switch, controls
from pages.figures.parts.numbers import count
from pages.figures.truncation.batch_order import ORDERS, counted_from_zero, mini_batches_drawing, order_figure, order_label

NAME = "order"
TEXTS = (
    ("example", lazy_gettext("the second source's 1 001 tokens")),
    ("live", lazy_gettext("the text being learnt")),
)
LENGTHS = (11, 51, 101, 501, 1001, 2001, 10_001)  # tokens
STEPS = (1, 2, 3, 5, 8, 10, 13, 20, 35)
ROWS = (1, 2, 3, 4, 5, 8, 10, 16, 32)
LENGTH = 1001  # tokens of the text in Deep Learning from Scratch 2
START = {"text": "example", "length": LENGTH}
UPDATES = {"lag": 400, "live": 1500}
PARAMS = {
    "T": enum_param(STEPS, 10),
    "N": enum_param(ROWS, 2),
    "order": enum_param(ORDERS),
    "race": enum_param(UPDATES),
}


def show(session: Session, state: PageState) -> None:
    source_bar(session, state)
    reading(session, state)
    comparison(session, state)


def lengths_of(session: Session, state: PageState) -> tuple[int, ...]:
    """The stops of the length slider; for the text being learnt the last one is its whole length."""
    if state["text"] == "example":
        return LENGTHS
    whole = len(session.corpus.train) + 1
    return (*[length for length in LENGTHS if length < whole], whole)


def source_bar(session: Session, state: PageState) -> None:
    lengths = lengths_of(session, state)
    if state["length"] not in lengths:
        state["length"] = lengths[-1]
    controls(
        [
            Switch("text", "", [(text, _(words)) for text, words in TEXTS], state["text"]),
            Switch("order", "", [(order, _(words)) for order, words in ORDERS.items()], state["order"]),
            Slider("length", _("tokens"), list(map(count, lengths)), lengths.index(state["length"]), lengths,
                   [lengths.index(LENGTH)] if state["text"] == "example" else []),
            Slider("T", "τ =", list(map(str, STEPS)), STEPS.index(state["T"]), STEPS, [STEPS.index(10)]),
            Slider("N", "N =", list(map(str, ROWS)), ROWS.index(state["N"]), ROWS, [ROWS.index(2)]),
        ],
        label=_("The data"),
        on_move=lambda name, value, _: move(session, state, name, value),
        key="data_bar",
    )  # fmt: skip


def move(session: Session, state: PageState, name: str, value: Any) -> None:
    if name == "text":
        state.update(text=value, length=LENGTH if value == "example" else len(session.corpus.train) + 1)
    else:
        state[name] = value


def reading(session: Session, state: PageState) -> None:
    """Draw the mini-batch of each update; a notice if the text is too short for one."""
    length, N, T = state["length"] - 1, state["N"], state["T"]
    try:
        read = compute(lambda: read_mini_batches(length, N, T, in_order=state["order"] == "in order"))
    except ValueError as error:
        elements.notice(str(error))
        return
    symbols = None
    if state["text"] == "live":
        inputs, vocab = session.corpus.train.inputs, session.corpus.tokenizer.vocab
        symbols = {int(place): vocab[inputs[place]] for place in set(read.places.ravel().tolist())}
    drawing = mini_batches_drawing(read, symbols, in_order=state["order"] == "in order")
    mini_batches({"drawing": drawing, "text": repr([state[name] for name in ("text", "length", "T", "N", "order")])})
    elements.note(counted_from_zero(T))


def comparison(session: Session, state: PageState) -> None:
    """Draw two networks, equal but for the order of their windows, which are trained on this page."""
    elements.heading(
        _("Why the order matters"), _("equal networks, windows of 5, the state carried in both; judged on text in order")
    )
    key = (state["race"], (session.settings, session.own_text and session.monitored.serial) if state["race"] == "live" else None)
    if state.get("compared") != key or NAME not in session.experiments:
        problem = begin(session, state)
        if problem:
            elements.notice(problem)
            return
        state["compared"] = key
    run, updates = session.experiments[NAME], UPDATES[state["race"]]
    comparison_bar(session, state, run)
    judged = {name: list(points) for name, points in run.source.judged.items()}
    figure = order_figure(
        judged,
        chosen=state["order"],
        floor=run.source.floor,
        updates=updates,
        V=run.source.vocab_size,
        on_training_text=run.source.held_out.on_training_text,
    )
    live_figure(figure, key="order", label=order_label(judged))
    elements.note(_(ORDER_NOTES[state["race"]]))
    elements.source("mini_batches", Windows, shuffled)


def comparison_bar(session: Session, state: PageState, run: LiveRun) -> None:
    """Draw the buttons that train both networks and start again, and the switch of their text."""
    playing, done = run.playing, run.source.step >= UPDATES[state["race"]]
    words = _("Pause") if playing else _("Done") if done else _("Train both")
    controls(
        [
            Button("pause" if playing else "play", words, "pause" if playing else "play", True, done),
            Switch("race", "", [("lag", _("lag-6 language")), ("live", _("the text being learnt"))], state["race"]),
            Button("again", _("Again"), "reset"),
        ],
        label=_("The race"),
        on_move=lambda name, value, _: move(session, state, name, value),
        on_press=lambda name: press(session, state, name),
        key="order_bar",
    )


ORDER_NOTES = {
    "lag": lazy_gettext(
        "The answer is never in its window of 5: it was read before. In order, the state brings it across the border, although "
        "no gradient goes back there. Shuffled, the state comes from another place of the text: the answers are coin flips."
    ),
    "live": lazy_gettext(
        "Most of what helps to predict the next token stands within the window, so here the difference is small."
    ),
}


def begin(session: Session, state: PageState) -> str:
    """Start two new trainers. Returns the error if they cannot be created, else an empty string."""
    session.experiments.remove(NAME)
    try:
        settings, corpus = (
            (LAG_SETTINGS, lag_text()) if state["race"] == "lag" else (order_settings(session.settings), session.corpus)
        )
        session.experiments.begin(NAME, LiveRun(compute(lambda: order_comparison(settings, corpus))))
    except ValueError as error:
        return str(error)
    return ""


@cached_for_all_sessions(max_entries=1, set_up=with_setup_lock)
def lag_text() -> Corpus:
    return load_corpus(LAG_SETTINGS)


def press(session: Session, state: PageState, name: str) -> None:
    run = session.experiments[NAME]
    if name == "play":
        run.play(until=UPDATES[state["race"]])
    elif name == "pause":
        run.pause()
    elif name == "again":
        state.pop("compared", None)
