"""The model writes: several texts side by side, token by token, while the temperature is turned."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from core.analysis.perplexity import read_typed
from core.analysis.writing import Sample, bend
from core.figures.parts.numbers import count, short
from core.figures.perplexity.surprise import missing_words
from core.figures.perplexity.writing import PLACES, bend_scene, place_of, samples_scene
from pages.app.navigation.section_tabs import PageState
from pages.app.navigation.url_state import sync_params
from pages.app.server.compute_lock import iterate_with_compute_lock, with_compute_lock
from pages.app.session.session import Session
from pages.app.widgets.input_components import samples as samples_panel
from pages.perplexity.choice import choose, cleaning

EVERY = 0.2  # seconds between two looks while it writes
RATE = 30.0  # tokens per second of every text
AHEAD = 0.7  # seconds of text written before it is shown, so that it is shown evenly
LENGTH = {"char": 240, "word": 60}  # tokens of one text
MOST = 4  # texts side by side
AT_ONCE = 0.15  # seconds that one look may spend on writing
SLICE = 0.02  # seconds of one turn
START = {"texts": 3, "seed": 0, "greedy": False, "session": None, "serial": 0, "notice": "", "version": None, "visit": 0}
PROMPT = {"char": "The ", "word": "The"}


@dataclass
class Sampling:
    """Texts being written, from one prompt by one model."""

    number: int  # of this session on the page
    samples: list[Sample]
    length: int  # tokens of each when it is done
    began: float
    says: str
    progress: tuple[int, ...]  # of the network that writes
    over: bool = False

    @property
    def grows(self) -> bool:
        return not self.over and any(len(sample.steps) < self.length for sample in self.samples)


def writing(here: Session, wishes: PageState) -> None:
    """Prompt, temperature and texts; looked at five times a second while they grow."""
    w = wishes.setdefault("writing", dict(START))
    version, returned = (wishes["model"], here.watched.serial), w["visit"] != here.visits
    again = w["version"] != version or (_outdated(here, w["session"]) and (returned or not here.moving))
    w.update(version=version, visit=here.visits)
    if again:
        start(here, wishes)
    texts(here, wishes)


def _outdated(here: Session, session: Sampling | None) -> bool:
    """The network is not the one that wrote. A text that somebody reads stays all the same until the run rests."""
    return session is not None and session.progress not in ((), here.progress)


def texts(here: Session, wishes: PageState) -> None:
    """What is written so far."""
    sync_params(here, here.kept[here.page], wishes)
    w, session, temperature = wishes["writing"], wishes["writing"]["session"], temperature_of(here, wishes)
    tokenizer, scene = here.corpus.tokenizer, None
    if session:
        write(here, w, session, temperature)
        scene = samples_scene(session.samples, tokenizer)
        scene |= {"number": session.number, "says": session.says, "rate": RATE, "grows": session.grows}
        if not session.over:
            scene["bend"] = bend_scene(bend(session.samples[0].scores, temperature), tokenizer, temperature)
    samples_panel(
        scene,
        controls={
            "prompt": prompt_of(here, wishes),
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
        on_command=lambda what, value: command(here, wishes, what, value),
    )


def command(here: Session, wishes: PageState, what: str, value: Any) -> None:
    """prompt {text, serial}, write, stop, texts (how many), greedy, temperature (a place of its slider)."""
    w = wishes["writing"]
    if what == "prompt":
        wishes["prompt"], w["serial"] = value["text"], value["serial"]
    elif what == "texts":
        w["texts"] = min(max(int(value), 1), MOST)
        start(here, wishes)
    elif what == "greedy":
        w["greedy"] = bool(value)
    elif what == "temperature":
        here.look_at(temperature=PLACES[min(max(int(value), 0), len(PLACES) - 1)])
        w["greedy"] = False
    elif what == "write":
        start(here, wishes)


def other_seeds(here: Session, wishes: PageState) -> None:
    """The same prompt with other dice."""
    w = wishes["writing"]
    w["seed"] += w["texts"]
    start(here, wishes)


def start(here: Session, wishes: PageState) -> None:
    """Begin anew with the model as it is now; where it cannot be done a sentence says why."""
    w, tokenizer = wishes["writing"], here.corpus.tokenizer
    typed = read_typed(prompt_of(here, wishes), tokenizer, cleaning=cleaning(here))
    model = choose(here, wishes["model"])
    number = w["session"].number + 1 if w["session"] else 1
    says = f"written by the network at update {count(model.progress[0])}" if model.moves else f"written by: {model.name}"
    try:
        samples = with_compute_lock(lambda: [Sample(model.reader, typed.tokens(), w["seed"] + i) for i in range(w["texts"])])
        for sample in samples:
            bend(sample.scores, 1.0)  # complains about a network that cannot write
        w["session"] = Sampling(number, samples, LENGTH[tokenizer.unit], time.monotonic(), says, model.progress)
        w["notice"] = missing_words(typed, tokenizer)
    except ValueError as error:
        w["session"], w["notice"] = None, str(error)


def write(here: Session, w: dict[str, Any], session: Sampling, temperature: float) -> None:
    """All tokens that are due by now, unless they take too long."""
    now = time.monotonic()
    due = min(int((now - session.began + AHEAD) * RATE), session.length)
    try:
        for _ in iterate_with_compute_lock(_slices(session, due, temperature)):
            if time.monotonic() > now + AT_ONCE:
                break
    except ValueError as error:  # its numbers have grown beyond all bounds while it wrote
        session.over, w["notice"] = True, str(error)


def _slices(session: Sampling, due: int, temperature: float) -> Iterator[None]:
    """Write until every text has ``due`` tokens, the shortest one first; an item is what was written in ``SLICE`` seconds."""
    until = time.monotonic() + SLICE
    while session.grows:
        shortest = min(session.samples, key=lambda sample: len(sample.steps))
        if len(shortest.steps) >= due:
            return
        if time.monotonic() > until:
            yield
            until = time.monotonic() + SLICE
        shortest.write(temperature)


def grows(_: Session, wishes: PageState) -> bool:
    """Whether texts are being written."""
    session = wishes.get("writing", START)["session"]
    return session is not None and session.grows


def temperature_of(here: Session, wishes: PageState) -> float:
    return 0.0 if wishes["writing"]["greedy"] else here.settings.temperature


def prompt_of(here: Session, wishes: PageState) -> str:
    """What the reader typed; until then something that this text's symbols can say."""
    if wishes["prompt"] is not None:
        return wishes["prompt"]
    tokenizer = here.corpus.tokenizer
    usual = PROMPT[tokenizer.unit]
    sayable = [words for words in (usual, usual.lower()) if not read_typed(words, tokenizer, cleaning=cleaning(here)).missing]
    return [*sayable, tokenizer.symbols([0])[0]][0]
