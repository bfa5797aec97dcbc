"""What happens at every step, and what is handed on to the next?"""

import hashlib
from typing import NamedTuple

import streamlit as st

from core.analysis.unrolled import MOST, Reading, read_text, unroll
from core.figures import words
from core.figures.network import network_scene
from core.figures.unrolled import heat_map, step_numbers, substeps
from core.models.params import Params
from core.settings import Settings
from core.text.corpus import Corpus, Stream
from core.text.tokenizer import Tokenizer, Unit, learn_vocabulary, split
from core.training.live_run import compute
from core.training.tbptt import Trainer
from pages.ui import frame
from pages.ui.components.network.network import network
from pages.ui.components.step_numbers.step_numbers import step_numbers as numbers_panel
from pages.ui.state import Stage, stage

EVERY = 1.0  # seconds between two looks at the run while it trains
LINK = "unrolled"
HEAD = (470, 250, 252)  # widths of the title and of what is chosen beside it
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
    typed = st.text_input("Your text", key="unrolled_typed", placeholder=f"up to {MOST} tokens") if text == TYPED else ""
    polls = which == LIVE and here.run.playing
    st.fragment(picture, run_every=EVERY if polls else None)(here, text, typed, which)


def _choose_network(here: Stage, text: str) -> str:
    """Which network reads the text; the live run once it has learnt something."""
    options = [*([OWN] if text in EXAMPLES else []), LIVE, UNTRAINED]
    if st.session_state.get("unrolled_network") not in options:
        trained = here.run.playing or here.run.snapshot().view.point.update > 0
        st.session_state["unrolled_network"] = LIVE if trained or OWN not in options else OWN
    return st.selectbox("Network", options, key="unrolled_network", label_visibility="collapsed")


def picture(here: Stage, text: str, typed: str, which: str) -> None:
    """The drawing and its numbers."""
    if which == LIVE:
        here.run.heartbeat()
    watched, reads = _network(here, text, which), None
    try:
        reads = _reading(here, text, typed, watched)
    except ValueError as error:
        frame.notice(str(error))
        reads = _window(here.corpus) if which != OWN else None
    with compute():
        u = unroll(watched.params, reads.tokens, reads.targets, activation=watched.settings.activation)
    scene = network_scene(u, watched.tokenizer)
    name = hashlib.sha256(repr((which == OWN, reads.tokens.tolist())).encode()).hexdigest()[:12]
    steps = substeps(watched.settings.activation, embedded=watched.params.W_emb is not None)
    network(scene, link=LINK, text=name, substeps=steps, label=_label(u, watched))
    numbers_panel(step_numbers(u, watched.tokenizer), heat_map(u), scene, link=LINK, text=name)
    for sentence in [*reads.notices, *([EXAMPLES[text].says] if which == OWN else [])]:
        frame.note(sentence)


def _label(u, watched: Network) -> str:
    return (
        f"The network unrolled over {len(u.tokens)} steps. Perplexity of this text {u.running_perplexity[-1]:.3g}. "
        f"{words.value('activation', watched.settings.activation)}, {u.h.shape[1]} units."
    )


def _reading(here: Stage, text: str, typed: str, watched: Network) -> Reading:
    if text == WINDOW:
        return _window(here.corpus)
    return read_text(typed if text == TYPED else text, watched.tokenizer, cleaning=watched.settings.cleaning)


def _window(corpus: Corpus) -> Reading:
    """The beginning of the text that the network has not seen (of what it has, where nothing is held out)."""
    stream = corpus.held_out or corpus.train
    T = min(MOST if corpus.tokenizer.unit == "char" else WORDS_DRAWN, len(stream))
    return Reading(stream.inputs[:T], stream.targets[:T])


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
