"""The selects of the text to read and of the network that reads it, on all pages with the unrolled network."""

import hashlib
from collections.abc import Callable, Hashable, Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple, TypeVar

import streamlit as st

from core.analysis.displayed_text import MOST_STEPS, Reading, read_text, read_window
from core.config.language import Message, gettext as _, lazy_gettext, message_of, sentences
from core.config.settings import Settings
from core.models.params import Params
from core.text.corpus import Corpus
from core.text.tokenizer import Tokenizer
from core.training.experiments.comparisons import small_network
from pages.app.layout import elements
from pages.app.navigation.url_state import (
    LONGEST_TYPED,
    TOO_LONG,
    check_step,
    enum_param,
    param_from_query,
    sync_params,
    text_param,
)
from pages.app.server.shared_cache import cached_for_all_sessions
from pages.app.session.session import Session
from pages.app.session.session_cache import IMMEDIATE, SPARING, RefreshPolicy, cached_for_run, cached_for_session

PICKER_PARAMS = ("text", "network", "typed")  # URL parameters
WORDS_DRAWN = 12  # maximum words of a window of the corpus: more would be too narrow to read
Result = TypeVar("Result")


class Example(NamedTuple):
    """A built-in text: the number of updates and the settings with which its small network is trained."""

    updates: int
    settings: Settings
    says: str


SMALL_SETTINGS = Settings(
    hidden_size=24, init="xavier", gain=0.9, input_scale=None, output_scale=0.1, learning_rate=0.01, cosine_until=0, seed=0
)
QUOTATION = '"no" (no) (no) "no"'  # what closes depends on what opened, three steps before
FIRST_CLOSED, BRACKET = 4, "("  # its tokens up to the first that closes; what else opens
EXAMPLE_TEXTS = {
    "machine": Example(30, SMALL_SETTINGS, lazy_gettext("A network of 24 units that has read this word 30 times.")),
    "you say goodbye and i say hello .": Example(
        15,
        SMALL_SETTINGS.but(unit="word", gain=0.1),
        lazy_gettext("A network of 24 units after 15 readings: it knows what may follow “say”, not yet what does."),
    ),
    QUOTATION: Example(
        60,
        SMALL_SETTINGS,
        lazy_gettext("A network of 24 units after 60 readings: it closes what was opened, by the sign that fits."),
    ),
}
TYPED = lazy_gettext("type your own")
WINDOWS = {
    lazy_gettext("a window of the text"): MOST_STEPS,
    lazy_gettext("a short window"): 15,
    lazy_gettext("a long window"): MOST_STEPS,
}  # kind of window -> maximum number of tokens
SHORT_TEXTS = ("a short window", "a long window", *EXAMPLE_TEXTS, TYPED)
SMALL_NETWORK = lazy_gettext("the small network")
LIVE_NETWORK = lazy_gettext("the network")
UNTRAINED_NETWORK = lazy_gettext("the network, untrained")
BESIDE = lazy_gettext("Play in the sidebar trains another network: choose “{live}” above to look at that one.", live=LIVE_NETWORK)


class Network(NamedTuple):
    """A network to show, with its tokenizer and settings. Networks with equal ``key`` and ``progress`` are the same."""

    params: Params
    tokenizer: Tokenizer
    settings: Settings
    key: tuple[Any, ...]
    progress: Hashable = None


class Chosen(NamedTuple):
    """The selected text and network, and the text that the reader has typed if ``text`` is ``TYPED``."""

    text: str
    which: str
    typed: str = ""

    @property
    def live(self) -> bool:
        """Whether the selected network is that of the session's run."""
        return self.which == LIVE_NETWORK


class Loaded(NamedTuple):
    """The selected network and text. The play head keeps its position while ``name``, a hash, is unchanged."""

    network: Network
    reading: Reading
    name: str


def choose(
    session: Session, texts: Sequence[str], text_place: AbstractContextManager, network_place: AbstractContextManager
) -> Chosen:
    """Draw the selects of a text and of a network, write the choices into the URL, and return them."""
    key, params = f"{session.navigation.page}_text", {"text": enum_param(texts)}
    known = key in st.session_state
    # Set in every run: Streamlit sends only a value that was set in the same run. A busy browser may draw the second run alone,
    # would show the first text, and would send that with the next event.
    st.session_state[key] = st.session_state[key] if known else param_from_query(session, "text", params["text"])
    with text_place:
        text = st.selectbox(_("Text"), texts, format_func=_, key=key, label_visibility="collapsed", help=_("The text to read"))
    sync_params(session, params, {"text": text})
    with network_place:
        return Chosen(text, _choose_network(session, text))


def _choose_network(session: Session, text: str) -> str:
    """Draw the select of the network. Its default is the session's network if that was trained or training when the page was
    opened, otherwise the small network if the text has one; training does not change the default."""
    options = [*([SMALL_NETWORK] if text in EXAMPLE_TEXTS else []), LIVE_NETWORK, UNTRAINED_NETWORK]
    key, learnt = f"{session.navigation.page}_network", f"{session.navigation.page}_learnt"
    if key not in st.session_state:  # the page was just opened
        st.session_state[learnt] = session.run.playing or session.run_update > 0
    chosen = param_from_query(session, "network", enum_param(("", LIVE_NETWORK, SMALL_NETWORK, UNTRAINED_NETWORK)))
    shown = chosen if chosen in options else LIVE_NETWORK if st.session_state[learnt] else options[0]
    st.session_state[key] = shown
    return st.selectbox(
        _("Network"),
        options,
        format_func=_,
        key=key,
        label_visibility="collapsed",
        on_change=_remember,
        args=(session, key, shown),
    )


def _remember(session: Session, key: str, shown: str) -> None:
    """Store the reader's choice. Ignore the value shown before: the browser also sends it after the select was not drawn."""
    chosen = st.session_state.get(key, shown)
    if chosen != shown:
        session.navigation.query["network"] = chosen


def type_text(session: Session, chosen: Chosen) -> Chosen:
    """Draw the text input if ``TYPED`` is selected, and return the choice with the typed text."""
    if chosen.text != TYPED:
        return chosen
    key = f"{session.navigation.page}_typed"
    if key not in st.session_state:
        st.session_state[key] = param_from_query(session, "typed", text_param())
    text = st.text_input(
        _("Your text"),
        key=key,
        placeholder=_("{n} tokens at most; until then {instead}", n=MOST_STEPS, instead=_(_a_window(session.corpus))),
    )
    sync_params(session, {"typed": text_param()}, {"typed": text})
    if len(text) > LONGEST_TYPED:
        elements.note(TOO_LONG)
    return chosen._replace(typed=text)


def next_window_button(session: Session, chosen: Chosen) -> None:
    """Draw the button for the next window if the text is a window of the corpus."""
    if chosen.text in WINDOWS:
        st.button(_("Next window"), on_click=_next_window, args=(f"{session.navigation.page}_window",))


def _next_window(key: str) -> None:
    st.session_state[key] = st.session_state.get(key, 0) + 1


def describe_network(chosen: Chosen) -> None:
    """If the small network is shown, say which text it was trained on, and that the run trains another network."""
    if chosen.which == SMALL_NETWORK:
        elements.note(sentences(_(EXAMPLE_TEXTS[chosen.text].says), _(BESIDE)))


def load_chosen(session: Session, chosen: Chosen) -> Loaded:
    """The selected network in its current state, and the selected text as this network tokenizes it."""
    network = _network(session, chosen)
    reading = _reading(session, chosen, network)
    check_step(session, len(reading.tokens))
    content = repr((chosen.which == SMALL_NETWORK, reading.tokens.tolist(), reading.targets.tolist()))
    return Loaded(network, reading, hashlib.sha256(content.encode()).hexdigest()[:12])


def show_notices(reading: Reading) -> None:
    """Show how the text had to be changed, if at all."""
    if reading.notices:
        elements.notice(sentences(*map(_, reading.notices)))


def _reading(session: Session, chosen: Chosen, network: Network) -> Reading:
    """The selected text; if it cannot be read, a window of the corpus and a notice."""
    text, typed = chosen.text, chosen.typed
    if text in WINDOWS:
        return _window(session.corpus, st.session_state.get(f"{session.navigation.page}_window", 0), WINDOWS[text])
    try:
        return read_text(typed if text == TYPED else text, network.tokenizer, cleaning=network.settings.cleaning)
    except ValueError as error:
        window = _window(session.corpus, 0, MOST_STEPS)
        until = lazy_gettext("Until then this is {instead}.", instead=_a_window(session.corpus))
        notice = lazy_gettext("{before} {after}", before=message_of(error), after=until)
        return Reading(window.tokens, window.targets, (notice,) if typed.strip() or text != TYPED else ())


def _a_window(corpus: Corpus) -> Message:
    return lazy_gettext("a window of the held-out text") if corpus.held_out else lazy_gettext("a window of the training text")


def _window(corpus: Corpus, number: int, most: int) -> Reading:
    """A window of the held-out text; of the training text if nothing is held out."""
    T = most if corpus.tokenizer.unit == "char" else min(most, WORDS_DRAWN)
    return read_window(corpus.held_out or corpus.train, T, number)


def _network(session: Session, chosen: Chosen) -> Network:
    if chosen.which == SMALL_NETWORK:
        return example_network(chosen.text)
    if chosen.which == UNTRAINED_NETWORK:
        first = session.monitored.history.moments.first
        return Network(first.params, session.corpus.tokenizer, session.settings, (UNTRAINED_NETWORK, first.serial))
    params, progress = cached_for_run(session, "params", lambda: (session.params(), session.progress), refresh=IMMEDIATE)
    return Network(params, session.corpus.tokenizer, session.settings, (LIVE_NETWORK, session.serial), progress)


@cached_for_all_sessions(max_entries=len(EXAMPLE_TEXTS))
def example_network(name: str) -> Network:
    """Train the small network of a built-in text."""
    example = EXAMPLE_TEXTS[name]
    return Network(*small_network(name, example.settings, example.updates), example.settings, (SMALL_NETWORK, name))


def cached_for_network(
    session: Session, name: str, make: Callable[[], Result], loaded: Loaded, *key: Hashable, refresh: RefreshPolicy = SPARING
) -> Result:
    """The cached ``make()`` for this network and text; while it trains, the result may be as old as ``refresh`` allows."""
    network = loaded.network
    return cached_for_session(session, name, make, (network.key, loaded.name, *key), network.progress, refresh)
