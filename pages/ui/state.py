"""What a session keeps: its settings, its run, the ghosts of earlier runs, and the reader's own text.

Every page looks at the same run. A change that cannot be made leaves all of it untouched and a sentence in ``problem``.
"""

import gc
import runpy
import time
from pathlib import Path
from typing import Any

import streamlit as st

from core.models.ngram import Baseline, baselines
from core.query import from_query, to_query
from core.settings import DEFAULTS, KNOBS, TEXT_FIELDS, Settings
from core.text.corpus import Corpus, load_corpus, source_of
from core.training.held_out import HeldOut
from core.training.history import Ghost
from core.training.live_run import LiveRun
from core.training.memory import check_memory
from core.training.tbptt import Trainer
from core.training.turns import Turns, compute
from core.training.watched import Watched
from core.training.watched_run import WatchedRun

FRAME = Path(__file__).parents[2] / "dashboard.py"
GHOSTS = 8
COLLECT_EVERY = 30.0  # seconds; collecting garbage stops every session for a moment
PLACE = ("section", "text", "network")  # what a page may add to the address
OWN_TEXT_IS_NOT_IN_LINKS = "A link does not carry your own text: paste it again. Until then this is the Python manual."


class Stage:
    """One session's run and all that belongs to it."""

    def __init__(self, settings: Settings, notices: list[str]) -> None:
        self._turns = Turns()  # a quick reader's clicks can arrive on two script threads at once
        self.notices = notices  # sentences about the URL, shown until the next run starts
        self.problem = ""  # why the last change was refused
        self.own_text = ""
        self.in_hand = False  # a live knob is being dragged
        self.undo_offered = ""  # what the undo button was last drawn to say
        self.mended = False  # a remedy moved a knob: all of the page has to hear of it
        self.widgets = 0  # part of every widget's key
        self.wants_text = False  # the reader chose their own text and has not given one yet
        self.brought: tuple[str | None, str] = (None, "")  # the file and the words of the last text of their own
        self.text_said = ""  # what was wrong with it, or how it was read
        self.ghosts: list[Ghost] = []
        self.page = ""  # the address of the page that is open
        self.places: dict[str, dict[str, str]] = {}  # of every page: what its address holds beside the settings
        self.beside: dict[str, LiveRun] = {}  # runs of a page of their own, by name; they end with the session too
        self._open(settings, "")

    @property
    def settings(self) -> Settings:
        """What trains now, with how it is looked at."""
        return self.run.settings.but(**self.view)

    @property
    def place(self) -> dict[str, str]:
        """What the address of the open page holds beside the settings."""
        return self.places.setdefault(self.page, {})

    def _open(self, settings: Settings, own_text: str) -> None:
        """A new run; ``ValueError`` with a sentence if these settings or this text cannot be trained on."""
        corpus, lines = text_of(settings, own_text)
        check_memory(settings, corpus.tokenizer.size)
        with compute():
            watched = Watched(Trainer(settings, corpus), corpus)
        self.view = {name: getattr(settings, name) for name, knob in KNOBS.items() if knob.kind == "view"}
        self.corpus: Corpus = corpus
        self.baselines: tuple[Baseline, ...] = lines
        self.own_text = own_text
        self.watched = watched
        self.run = WatchedRun(watched, speed=settings.speed)

    def start(self, settings: Settings, own_text: str | None = None) -> None:
        """Start a new run and leave the old curve as a ghost; go on playing if the old run played."""
        with self._turns:
            fixed = self.settings.differing(settings, "restart")
            self._start(settings, self.own_text if own_text is None else own_text)
            if fixed or own_text is not None:
                self.renew_widgets()

    def restart(self, widgets: int, **fields: Any) -> None:
        """Start a new run with these fields changed by a widget. Nothing, if ``widgets`` is no longer the present set of them:
        what the browser says of a set that was replaced meanwhile is not the reader's wish."""
        with self._turns:
            settings = self.settings.but(**fields)
            if widgets == self.widgets and self.settings.differing(settings, "restart"):
                self._start(settings, self.own_text)

    def _start(self, settings: Settings, own_text: str) -> None:
        old, watched, was_playing = self.run, self.watched, self.run.playing
        self.text_said = ""
        try:
            self._open(settings, own_text)
        except ValueError as error:
            self.problem = str(error)
            self.renew_widgets()
            return
        self.problem, self.notices, self.wants_text = "", [], False
        old.pause()
        if watched.step:
            with compute():  # the old run may still be in the middle of its last update
                self.ghosts = [*self.ghosts, watched.ghost()][-GHOSTS:]
        if was_playing:
            self.run.play()

    def renew_widgets(self) -> None:
        """Settings have changed in other ways than by their widgets: a browser that has not heard of it yet would send the
        widgets' old values with its next click, as if the reader had chosen them."""
        self.widgets += 1

    def look_at(self, **view: Any) -> None:
        """Change how the run is looked at."""
        self.view |= view
        self.run.speed = self.view["speed"]

    def move(self, **knobs: Any) -> None:
        """Move live knobs of the run."""
        try:
            self.run.change(**knobs)
            self.problem = ""
        except ValueError as error:
            self.problem = str(error)


def text_of(settings: Settings, own_text: str) -> tuple[Corpus, tuple[Baseline, ...]]:
    """The text to train on, and the counting models judged on its held-out part. A reader's own text is cached nowhere."""
    if source_of(settings).from_reader:
        with compute():
            corpus = load_corpus(settings, own_text)
            return corpus, _count(corpus, HeldOut(settings, corpus))
    fields = tuple(getattr(settings, name) for name in TEXT_FIELDS)
    corpus = _shared_text(fields, settings)
    held_out = HeldOut(settings, corpus)
    return corpus, _shared_lines(fields, held_out.rows, held_out.tokens, corpus, held_out)


@st.cache_resource(max_entries=12, show_spinner=False)
def _shared_text(fields: tuple[Any, ...], _settings: Settings) -> Corpus:
    with compute():
        return load_corpus(_settings)


@st.cache_resource(max_entries=24, show_spinner=False)
def _shared_lines(fields: tuple[Any, ...], rows: int, tokens: int, _corpus: Corpus, _held_out: HeldOut) -> tuple[Baseline, ...]:
    """Which tokens are judged depends on more than the text where the state is reset, or nothing is held out."""
    with compute():
        return _count(_corpus, _held_out)


def _count(corpus: Corpus, held_out: HeldOut) -> tuple[Baseline, ...]:
    if not corpus.is_text:  # its targets follow no token: there is nothing to count
        return ()
    return baselines(corpus.train, held_out.source, corpus.tokenizer.size, held_out.positions)


def stage() -> Stage:
    """This session's stage, which the frame has opened.

    Without a frame there is none: for the first visitor of a fresh server, Streamlit runs the file that the address names
    (it cannot know of ``st.navigation`` yet). Then the frame runs here, and the page within it.
    """
    if "stage" not in st.session_state:
        runpy.run_path(str(FRAME), run_name="__main__")
        st.stop()
    return st.session_state["stage"]


def open_stage(page: str) -> Stage:
    """For the frame: this session's stage, turned to ``page``; the first call reads the URL and opens a run."""
    if "stage" not in st.session_state:
        query = st.query_params.to_dict()
        place = {name: query.pop(name) for name in PLACE if name in query}
        settings, notices = from_query(query)
        if source_of(settings).from_reader:
            settings, notices = settings.but(corpus=DEFAULTS.corpus), [*notices, OWN_TEXT_IS_NOT_IN_LINKS]
        try:
            opened = Stage(settings, notices)
        except ValueError as error:
            opened = Stage(Settings(), [*notices, str(error)])
        opened.places[page] = place
        st.session_state["stage"] = opened
    here = st.session_state["stage"]
    here.page = page
    return here


def write_url(here: Stage) -> None:
    """Make the address a link to this run and this place of the page."""
    query = to_query(here.settings) | here.place
    if st.query_params.to_dict() != query:
        st.query_params.from_dict(query)


def watch_presence(stage: Stage) -> None:
    """Pause the run as soon as this session's page is gone (a tab closed, a network blip); the run itself is kept."""
    _presence(stage)


@st.cache_resource(scope="session", on_release=lambda stage: _leave(stage), show_spinner=False)
def _presence(_stage: Stage) -> Stage:
    return _stage


def _leave(stage: Stage) -> None:
    for run in (stage.run, *stage.beside.values()):
        run.pause("The page was closed.")
    collect_garbage()


@st.cache_resource(show_spinner=False)
def settle_process() -> dict[str, float]:
    """Once per process, after the imports: everything loaded so far never needs to be looked through for garbage again."""
    gc.collect()
    gc.freeze()
    return {"collected": time.monotonic()}


def collect_garbage() -> None:
    """Streamlit's own collection after every script run is switched off (it costs 60–90 ms); this is ours."""
    settled = settle_process()
    if time.monotonic() - settled["collected"] > COLLECT_EVERY:
        settled["collected"] = time.monotonic()
        gc.collect()
