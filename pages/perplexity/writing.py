"""The model writes: several texts side by side, token by token, while the temperature is turned."""

import time
from dataclasses import dataclass
from typing import Any

import streamlit as st

from core.analysis.perplexity import read_typed
from core.analysis.writing import Sample, bend
from core.figures.parts.numbers import count, short
from core.figures.perplexity.surprise import missing_words
from core.figures.perplexity.writing import PLACES, bend_scene, place_of, samples_scene
from core.training.live_run import compute
from pages.perplexity.choice import choose, cleaning
from pages.ui.components.samples.samples import samples as samples_panel
from pages.ui.state import Stage

EVERY = 0.2  # seconds between two looks while it writes
RATE = 30.0  # tokens per second of every text
AHEAD = 0.7  # seconds of text written before it is shown, so that it is shown evenly
LENGTH = {"char": 240, "word": 60}  # tokens of one text
MOST = 4  # texts side by side
AT_ONCE = 0.15  # seconds that one look may spend on writing
SLICE = 0.02  # seconds for which the right to compute is held
START = {"prompt": None, "texts": 3, "seed": 0, "greedy": False, "session": None, "serial": 0, "notice": "", "version": None}
PROMPT = {"char": "The ", "word": "The"}


@dataclass
class Session:
    """Texts being written, from one prompt by one model."""

    number: int  # of this session on the page
    samples: list[Sample]
    length: int  # tokens of each when it is done
    began: float
    says: str
    over: bool = False

    @property
    def grows(self) -> bool:
        return not self.over and any(len(sample.steps) < self.length for sample in self.samples)


def writing(here: Stage, view: dict[str, Any]) -> None:
    """Prompt, temperature and texts; looked at five times a second while they grow."""
    w = view.setdefault("writing", dict(START))
    version = (view["model"], here.corpus)
    if w["version"] != version:
        w["version"] = version
        start(here, view)
    grows = growing(w)
    st.fragment(texts, run_every=EVERY if grows else None)(here, view, grows)


def texts(here: Stage, view: dict[str, Any], polled: bool) -> None:
    """What is written so far."""
    w, session, temperature = view["writing"], view["writing"]["session"], temperature_of(here, view)
    tokenizer, scene = here.corpus.tokenizer, None
    if session:
        write(w, session, temperature)
        scene = samples_scene(session.samples, tokenizer, session.length)
        scene |= {"number": session.number, "says": session.says, "rate": RATE, "grows": session.grows}
        if not session.over:
            scene["bend"] = bend_scene(bend(session.samples[0].scores, temperature), tokenizer, temperature)
    samples_panel(
        scene,
        controls={
            "prompt": prompt_of(here, w),
            "serial": w["serial"],
            "notice": w["notice"],
            "texts": w["texts"],
            "most": MOST,
            "greedy": w["greedy"],
            "temperature": {
                "at": place_of(here.settings.temperature),
                "words": [short(place) for place in PLACES],
                "one": PLACES.index(1.0),
            },
        },
        on_command=lambda what, value: command(here, view, what, value),
    )
    if growing(w) != polled:
        st.rerun()


def command(here: Stage, view: dict[str, Any], what: str, value: Any) -> None:
    """prompt {text, serial}, write, stop, texts (how many), greedy, temperature (a place of its slider)."""
    w = view["writing"]
    if what == "prompt":
        w.update(prompt=str(value["text"]), serial=int(value["serial"]))
    elif what == "texts":
        w["texts"] = min(max(int(value), 1), MOST)
        start(here, view)
    elif what == "greedy":
        w["greedy"] = bool(value)
    elif what == "temperature":
        here.look_at(temperature=PLACES[min(max(int(value), 0), len(PLACES) - 1)])
        w["greedy"] = False
    elif what == "write":
        start(here, view)


def other_seeds(here: Stage, view: dict[str, Any]) -> None:
    """The same prompt with other dice."""
    w = view["writing"]
    w["seed"] += w["texts"]
    start(here, view)


def start(here: Stage, view: dict[str, Any]) -> None:
    """Begin anew with the model as it is now; where it cannot be done a sentence says why."""
    w, tokenizer = view["writing"], here.corpus.tokenizer
    typed = read_typed(prompt_of(here, w), tokenizer, cleaning=cleaning(here))
    model = choose(here, view["model"])
    number = w["session"].number + 1 if w["session"] else 1
    update = count(here.run.snapshot().view.point.update)
    says = f"written by the network as it was at update {update}" if model.moves else f"written by: {model.name}"
    try:
        with compute():
            samples = [Sample(model.reader, typed.tokens(), w["seed"] + i) for i in range(w["texts"])]
            for sample in samples:
                bend(sample.scores, 1.0)  # complains about a network that cannot write
        w["session"] = Session(number, samples, LENGTH[tokenizer.unit], time.monotonic(), says)
        w["notice"] = missing_words(typed, tokenizer)
    except ValueError as error:
        w["session"], w["notice"] = None, str(error)


def write(w: dict[str, Any], session: Session, temperature: float) -> None:
    """All tokens that are due by now; everybody else may compute in between."""
    now = time.monotonic()
    due = min(int((now - session.began + AHEAD) * RATE), session.length)
    give_up = now + AT_ONCE
    try:
        while session.grows and (behind := _behind(session, due)) and time.monotonic() < give_up:
            until = time.monotonic() + SLICE
            with compute():
                while behind and time.monotonic() < until:
                    behind.write(temperature)
                    behind = _behind(session, due)
    except ValueError as error:  # its numbers have grown beyond all bounds while it wrote
        session.over, w["notice"] = True, str(error)


def _behind(session: Session, due: int) -> Sample | None:
    """The shortest text, if something of it is due."""
    shortest = min(session.samples, key=lambda sample: len(sample.steps))
    return shortest if len(shortest.steps) < due else None


def growing(w: dict[str, Any]) -> bool:
    return w["session"] is not None and w["session"].grows


def temperature_of(here: Stage, view: dict[str, Any]) -> float:
    return 0.0 if view["writing"]["greedy"] else here.settings.temperature


def prompt_of(here: Stage, w: dict[str, Any]) -> str:
    """What the reader typed; until then something that this text's symbols can say."""
    if w["prompt"] is not None:
        return w["prompt"]
    tokenizer = here.corpus.tokenizer
    usual = PROMPT[tokenizer.unit]
    sayable = [words for words in (usual, usual.lower()) if not read_typed(words, tokenizer, cleaning=cleaning(here)).missing]
    return [*sayable, tokenizer.symbols([0])[0]][0]
