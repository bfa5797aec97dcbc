"""What happens at every step, and what is handed on to the next?"""

import hashlib
import inspect
from typing import NamedTuple

import streamlit as st

from core.analysis.unrolled import MOST, Reading, Unrolled, dependence, dependence_cost, read_text, suggested_units, unroll
from core.figures.cell import cell_scene
from core.figures.network import network_scene
from core.figures.unrolled import dependence_scene, heat_map, step_numbers, substeps
from core.models import rnn
from core.models.params import Params
from core.settings import Settings
from core.text.corpus import Corpus, Stream
from core.text.tokenizer import Tokenizer, Unit, learn_vocabulary, split
from core.training.live_run import compute
from core.training.tbptt import Trainer
from pages.ui import frame
from pages.ui.components.cell.cell import cell
from pages.ui.components.dependence.dependence import dependence as dependence_panel
from pages.ui.components.network.network import network
from pages.ui.components.step_numbers.step_numbers import step_numbers as numbers_panel
from pages.ui.components.unit_text.unit_text import unit_text
from pages.ui.state import Stage, stage

EVERY = 1.0  # seconds between two looks at the run while it trains
LINK = "unrolled"
HEAD = (470, 250, 252)  # widths of the title and of what is chosen beside it
MOST_WORK = 1_200_000_000  # multiplications; beyond, running the network once per input would hold everybody up
WORDS_DRAWN = 12  # of a window of the corpus: more would be too narrow to read


class Example(NamedTuple):
    """A built-in text, and how long a small network of its own is trained on it."""

    text: str
    unit: Unit
    updates: int
    settings: Settings
    says: str


SMALL = Settings(hidden_size=24, init="xavier", output_scale=0.1, batch_size=1, carry_state=False, learning_rate=0.01, seed=0)
EXAMPLES = {
    "machine": Example("machine", "char", 30, SMALL, "A network of 24 units that has read this word 30 times."),
    "you say goodbye and i say hello .": Example(
        "you say goodbye and i say hello .",
        "word",
        15,
        SMALL.but(unit="word", gain=0.1),
        "A network of 24 units after 15 readings: it knows what may follow “say”, not yet what does.",
    ),
}
WINDOW, TYPED = "a window of the text", "type your own"
OWN, LIVE, UNTRAINED = "small, trained here", "the live run", "the live run, untrained"


class Network(NamedTuple):
    """A network to look at, and what it reads with."""

    params: Params
    tokenizer: Tokenizer
    settings: Settings


def page() -> None:
    here = stage()
    texts = [*EXAMPLES, WINDOW, TYPED]
    left, middle, right = st.columns(HEAD, vertical_alignment="center")
    with left:
        frame.title("Unrolled", "One cell, used again at every step.")
    with middle:
        text = st.selectbox("Text", texts, key="unrolled_text", label_visibility="collapsed", help="The text to read")
    with right:
        which = _choose_network(here, text)
    typed = st.text_input("Your text", key="unrolled_typed", placeholder=f"{MOST} tokens at most") if text == TYPED else ""
    polls = which == LIVE and here.run.playing
    st.fragment(picture, run_every=EVERY if polls else None)(here, text, typed, which)
    code()


def _next_window() -> None:
    st.session_state["unrolled_window"] = st.session_state.get("unrolled_window", 0) + 1


def _choose_network(here: Stage, text: str) -> str:
    """Which network reads the text. Unless the reader chose: the live run as soon as it has learnt, until then a small one."""
    options = [*([OWN] if text in EXAMPLES else []), LIVE, UNTRAINED]
    trains = here.run.playing or here.run.snapshot().view.point.update > 0
    chosen = st.session_state.get("unrolled_chosen")
    st.session_state["unrolled_network"] = chosen if chosen in options else LIVE if trains else options[0]
    return st.selectbox("Network", options, key="unrolled_network", label_visibility="collapsed", on_change=_remember_choice)


def _remember_choice() -> None:
    st.session_state["unrolled_chosen"] = st.session_state["unrolled_network"]


def picture(here: Stage, text: str, typed: str, which: str) -> None:
    """The drawing and its numbers; again every second while the run that is looked at trains."""
    if which == LIVE:
        here.run.heartbeat()
    looked_at = _network(here, text, which)
    reading = _reading(here, text, typed, looked_at)
    with compute():
        u = unroll(looked_at.params, reading.tokens, reading.targets, activation=looked_at.settings.activation)
    name = hashlib.sha256(repr((which == OWN, reading.tokens.tolist())).encode()).hexdigest()[:12]
    scene = network_scene(u, looked_at.tokenizer)
    if reading.notices:
        frame.notice(" ".join(reading.notices))
    steps = substeps(looked_at.settings.activation, embedded=looked_at.params.W_emb is not None)
    network(scene, link=LINK, text=name, substeps=steps, label=_label(u))
    heat = heat_map(u)
    numbers_panel(step_numbers(u, looked_at.tokenizer), heat, scene, link=LINK, text=name)
    if which == OWN:
        frame.note(EXAMPLES[text].says)
    if text == WINDOW:
        st.button("Next window", on_click=_next_window)
    frame.heading("The cell, opened", "the step under the play head: concatenate, fully connected + φ, copy")
    cell(cell_scene(u, looked_at.params, looked_at.tokenizer, heat["drawn"]), scene, link=LINK, text=name)
    frame.heading("What depends on what", "every input replaced in turn, and the network run again")
    depends(u, looked_at, name)
    frame.heading("One unit reads along", "the text coloured by its state; choose one, or click in the map of all units")
    unit_text(suggested_units(u), scene, link=LINK, text=name)


def depends(u: Unrolled, looked_at: Network, name: str) -> None:
    """Which input moves which prediction."""
    if dependence_cost(len(u.tokens), u.h.shape[1], u.p.shape[1]) > MOST_WORK:
        frame.note("Left out: it runs the network once for every input, and this one is too large. Take a shorter text.")
        return
    with compute():
        moved = dependence(looked_at.params, u.tokens, activation=u.activation)
    dependence_panel(dependence_scene(moved, u, looked_at.tokenizer), link=LINK, text=name)


def code() -> None:
    """The functions that made the pictures above, as they run."""
    with st.expander("Show the code"):
        for function in (rnn.forward, unroll, dependence):
            st.code(inspect.getsource(inspect.unwrap(function)), language="python")


def _label(u: Unrolled) -> str:
    return f"The network unrolled over {len(u.tokens)} steps. Perplexity of this text: {u.running_perplexity[-1]:.3g}."


def _reading(here: Stage, text: str, typed: str, looked_at: Network) -> Reading:
    """The chosen text; where nothing of it can be read, a window of the corpus and a sentence."""
    if text == WINDOW:
        return _window(here.corpus, st.session_state.get("unrolled_window", 0))
    try:
        return read_text(typed if text == TYPED else text, looked_at.tokenizer, cleaning=looked_at.settings.cleaning)
    except ValueError as error:
        window = _window(here.corpus, 0)
        said = f"{error} Until then this is the beginning of the text being learnt."
        return Reading(window.tokens, window.targets, (said,) if typed.strip() or text != TYPED else ())


def _window(corpus: Corpus, number: int) -> Reading:
    """A piece of the text that the network has not seen (of what it has, where nothing is held out), counted from its start."""
    stream = corpus.held_out or corpus.train
    T = min(MOST if corpus.tokenizer.unit == "char" else WORDS_DRAWN, len(stream))
    start = number * T % (len(stream) - T + 1)
    return Reading(stream.inputs[start : start + T], stream.targets[start : start + T])


def _network(here: Stage, text: str, which: str) -> Network:
    if which == OWN:
        return small_network(text)
    moments = here.watched.history.moments
    params = moments[0].params if which == UNTRAINED else here.run.params()
    return Network(params, here.corpus.tokenizer, here.settings)


@st.cache_resource(max_entries=len(EXAMPLES), show_spinner=False)
def small_network(name: str) -> Network:
    """A small network of its own for a built-in text, trained on the spot; the same at every call."""
    example = EXAMPLES[name]
    vocab, _ = learn_vocabulary(split(example.text, example.unit), example.settings.vocab_cap)
    tokenizer = Tokenizer(vocab, example.unit)
    ids = tokenizer.encode(example.text)
    corpus = Corpus(name, "", "", tokenizer, Stream(ids[:-1], ids[1:]), None)
    trainer = Trainer(example.settings.but(num_steps=len(ids) - 1), corpus)
    with compute():
        for _ in range(example.updates):
            next(trainer)
    return Network(trainer.params.frozen_copy(), tokenizer, example.settings)


page()
