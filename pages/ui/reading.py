"""Which text is read, and which network reads it: the choices that all pages with the unrolled network offer."""

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from core.analysis.unrolled import MOST, Reading, read_text, read_window
from core.models.params import Params
from core.settings import Settings
from core.text.corpus import Corpus, Stream
from core.text.tokenizer import Tokenizer, Unit, learn_vocabulary, split
from core.training.tbptt import Trainer
from core.training.turns import compute
from pages.ui.address import asked_for, follow
from pages.ui.state import Stage, stage

WORDS_DRAWN = 12  # of a window of the corpus: more would be too narrow to read


class Example(NamedTuple):
    """A built-in text, and how long a small network of its own is trained on it."""

    text: str
    unit: Unit
    updates: int
    settings: Settings
    says: str


SMALL = Settings(
    hidden_size=24,
    init="xavier",
    gain=0.9,
    input_scale=None,
    output_scale=0.1,
    batch_size=1,
    carry_state=False,
    learning_rate=0.01,
    seed=0,
)
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
TYPED = "type your own"
WINDOWS = {"a window of the text": MOST, "a short window": 15, "a long window": MOST}  # and how many tokens it has at most
OWN, LIVE, UNTRAINED = "small, trained here", "the live run", "the live run, untrained"


class Network(NamedTuple):
    """A network to look at, and what it reads with."""

    params: Params
    tokenizer: Tokenizer
    settings: Settings


def choose_text(page: str, texts: Sequence[str]) -> str:
    """One of the texts that a page offers; its widgets' keys begin with the page's name, and the address follows."""
    here, key = stage(), f"{page}_text"
    if key not in st.session_state:
        st.session_state[key] = asked_for(here, "text", texts)
    text = st.selectbox("Text", texts, key=key, label_visibility="collapsed", help="The text to read")
    follow(here, "text", text, texts)
    return text


def choose_network(here: Stage, page: str, text: str) -> str:
    """Which network reads the text. Unless the reader chose: the live run as soon as it has learnt, until then a small one."""
    options = [*([OWN] if text in EXAMPLES else []), LIVE, UNTRAINED]
    trains = here.run.playing or here.run.snapshot().view.point.update > 0
    chosen = asked_for(here, "network", (LIVE, OWN, UNTRAINED)) if "network" in here.place else ""
    st.session_state[f"{page}_network"] = chosen if chosen in options else LIVE if trains else options[0]
    return st.selectbox(
        "Network", options, key=f"{page}_network", label_visibility="collapsed", on_change=_remember_choice, args=(here, page)
    )


def _remember_choice(here: Stage, page: str) -> None:
    here.place["network"] = st.session_state[f"{page}_network"]


def type_text(page: str, text: str) -> str:
    """What the reader typed, where they chose to type."""
    if text != TYPED:
        return ""
    return st.text_input("Your text", key=f"{page}_typed", placeholder=f"{MOST} tokens at most")


def next_window(page: str, text: str) -> None:
    """A button, where the text is a window of the corpus."""
    if text in WINDOWS:
        st.button("Next window", on_click=_turn_the_page, args=(page,))


def _turn_the_page(page: str) -> None:
    st.session_state[f"{page}_window"] = st.session_state.get(f"{page}_window", 0) + 1


def name_of(reading: Reading, which: str) -> str:
    """The name of a text for the play head, which keeps its place while it is the same."""
    return hashlib.sha256(repr((which == OWN, reading.tokens.tolist())).encode()).hexdigest()[:12]


def reading_of(here: Stage, page: str, text: str, typed: str, tokenizer: Tokenizer, cleaning: str) -> Reading:
    """The chosen text; where nothing of it can be read, a window of the corpus and a sentence."""
    if text in WINDOWS:
        return _window(here.corpus, st.session_state.get(f"{page}_window", 0), WINDOWS[text])
    try:
        return read_text(typed if text == TYPED else text, tokenizer, cleaning=cleaning)
    except ValueError as error:
        window = _window(here.corpus, 0, MOST)
        said = f"{error} Until then this is the beginning of the text being learnt."
        return Reading(window.tokens, window.targets, (said,) if typed.strip() or text != TYPED else ())


def _window(corpus: Corpus, number: int, most: int) -> Reading:
    """A piece of the text that the network has not seen, or of what it has, where nothing is held out."""
    T = most if corpus.tokenizer.unit == "char" else min(most, WORDS_DRAWN)
    return read_window(corpus.held_out or corpus.train, T, number)


def network_of(here: Stage, text: str, which: str) -> Network:
    """The network that was chosen, as it is now."""
    if which == OWN:
        return small_network(text)
    params = here.watched.history.moments[0].params if which == UNTRAINED else here.run.params()
    return Network(params, here.corpus.tokenizer, here.settings)


@st.cache_resource(max_entries=len(EXAMPLES), show_spinner=False)
def small_network(name: str) -> Network:
    """A small network of its own for a built-in text, trained on the spot; the same at every call."""
    example = EXAMPLES[name]
    vocab, _ = learn_vocabulary(split(example.text, example.unit), example.settings.vocab_cap)
    tokenizer = Tokenizer(vocab, example.unit)
    ids = tokenizer.encode(example.text)
    corpus = Corpus(name, tokenizer, Stream(ids[:-1], ids[1:]), None)
    trainer = Trainer(example.settings.but(num_steps=len(ids) - 1), corpus)
    with compute():
        for _ in range(example.updates):
            next(trainer)
    return Network(trainer.params.frozen_copy(), tokenizer, example.settings)
