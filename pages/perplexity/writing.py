"""Text generation: several texts side by side, token by token, at a temperature that can change meanwhile."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from core.analysis.displayed_text import missing_sentence, prompt_for, read_typed
from core.analysis.writing import Sample, temperature_effect
from core.config.language import gettext as _, lazy_gettext, message_of
from core.models.sampling import generate, next_distribution
from core.training.run.scheduler import compute
from pages.app.layout import elements
from pages.app.navigation.section_tabs import PageState
from pages.app.navigation.url_state import sync_params
from pages.app.session.session import Session
from pages.app.widgets.components import samples as samples_panel
from pages.figures.parts.numbers import count, short
from pages.figures.perplexity.writing import TEMPERATURES, bend_drawing, samples_drawing, temperature_index
from pages.perplexity.choice import choose, cleaning

EVERY = 0.2  # seconds between two reruns while it writes
RATE = 30.0  # tokens per second of every text
AHEAD = 0.7  # seconds by which writing is ahead of the display, so that tokens appear evenly
LENGTH = {"char": 240, "word": 60}  # tokens of one text
MOST = 4  # texts side by side
AT_ONCE = 0.15  # seconds that one rerun may spend on writing
START = {"texts": 3, "seed": 0, "greedy": False, "sampling": None, "serial": 0, "notice": "", "version": None, "visit": 0}
PROMPT = {"char": "The ", "word": "The"}


@dataclass
class Sampling:
    """The texts that one model writes from one prompt."""

    number: int  # 1, 2, ... in order of their start
    samples: list[Sample]
    length: int  # tokens of each when it is done
    began: float
    caption: str
    progress: tuple[int, ...]  # of the network when it was copied
    failed: bool = False

    @property
    def grows(self) -> bool:
        return not self.failed and any(len(sample.steps) < self.length for sample in self.samples)


def show(session: Session, state: PageState) -> None:
    """Write the tokens that are due, and draw prompt, temperature and texts; rerun every ``EVERY`` seconds while they grow."""
    w = state.setdefault("writing", dict(START))
    version, returned = (state["model"], session.serial), w["visit"] != session.navigation.visits
    by, now = w["sampling"] and w["sampling"].progress, session.progress
    # While the run trains, texts written at an earlier update stay on the page, so that they can be read.
    again = w["version"] != version or (by and by != now and (returned or not session.is_live))
    w.update(version=version, visit=session.navigation.visits)
    if again:
        start(session, state)
    sync_params(session, state.params, state)
    sampling = w["sampling"]
    temperature = 0.0 if w["greedy"] else session.settings.temperature
    tokenizer, drawing = session.corpus.tokenizer, None
    if sampling:
        write(session, w, sampling, temperature)
        drawing = samples_drawing(sampling.samples, tokenizer)
        drawing |= {"number": sampling.number, "says": _(sampling.caption), "rate": RATE, "grows": sampling.grows}
        if not sampling.failed:
            drawing["bend"] = bend_drawing(temperature_effect(sampling.samples[0].scores, temperature), tokenizer, temperature)
    slider = {
        "at": temperature_index(session.settings.temperature),
        "words": list(map(short, TEMPERATURES)),
        "one": TEMPERATURES.index(1.0),
    }
    chosen = {name: w[name] for name in ("serial", "texts", "greedy")}
    about = {"prompt": prompt_of(session, state), "notice": _(w["notice"]), "most": MOST, "temperature": slider}
    samples_panel(
        {"drawing": drawing, "controls": chosen | about},
        on_prompt=lambda text, serial: set_prompt(state, text, serial),
        on_write=lambda: start(session, state),
        **{f"on_{what}": partial(command, session, state, what) for what in ("texts", "greedy", "temperature")},
    )
    elements.source("writing", generate, next_distribution)


def set_prompt(state: PageState, text: str, serial: int) -> None:
    """Store the typed prompt for the next texts."""
    state["prompt"], state["writing"]["serial"] = text, serial


def command(session: Session, state: PageState, what: str, value: Any) -> None:
    """Handle a control: texts (how many), greedy, or temperature (an index of its slider)."""
    w = state["writing"]
    if what == "texts":
        w["texts"] = min(max(int(value), 1), MOST)
        start(session, state)
    elif what == "greedy":
        w["greedy"] = bool(value)
    elif what == "temperature":
        session.change_view(temperature=TEMPERATURES[min(max(int(value), 0), len(TEMPERATURES) - 1)])
        w["greedy"] = False


def other_seeds(session: Session, state: PageState) -> None:
    """Start new texts from the same prompt with other random seeds."""
    w = state["writing"]
    w["seed"] += w["texts"]
    start(session, state)


def start(session: Session, state: PageState) -> None:
    """Start new texts with the model as it is now. If this fails, set a notice with the reason."""
    w, tokenizer = state["writing"], session.corpus.tokenizer
    typed = read_typed(prompt_of(session, state), tokenizer, cleaning=cleaning(session))
    model = choose(session, state["model"])
    number = w["sampling"].number + 1 if w["sampling"] else 1
    if model.moves:
        caption = lazy_gettext("written by the network at update {n}", n=count(model.progress[0]))
    else:
        caption = lazy_gettext("written by: {model}", model=model.name)
    if not len(typed.tokens()):
        w["sampling"], w["notice"] = None, nothing_known(session)
        return
    try:
        samples = compute(lambda: [Sample(model.reader, typed.tokens(), w["seed"] + i) for i in range(w["texts"])])
        for sample in samples:
            temperature_effect(sample.scores, 1.0)  # ValueError for a network that cannot write
        w["sampling"] = Sampling(number, samples, LENGTH[tokenizer.unit], time.monotonic(), caption, model.progress)
        w["notice"] = missing_sentence(len(typed.missing), tokenizer)
    except ValueError as error:
        w["sampling"], w["notice"] = None, message_of(error)


def nothing_known(session: Session) -> str:
    """The sentence for a prompt of which the model knows nothing."""
    return lazy_gettext(
        "Nothing of this prompt is in the vocabulary of the text. Try “{prompt}”, which is.", prompt=prompt_for(session.corpus)
    )


def write(session: Session, w: dict[str, Any], sampling: Sampling, temperature: float) -> None:
    """Write the tokens that are due by now, for at most about ``AT_ONCE`` seconds."""
    now = time.monotonic()
    due = min(int((now - sampling.began + AHEAD) * RATE), sampling.length)
    try:
        compute(lambda: _written(sampling, due, temperature, until=now + AT_ONCE))
    except ValueError as error:  # the network's numbers overflowed while it wrote
        sampling.failed, w["notice"] = True, message_of(error)


def _written(sampling: Sampling, due: int, temperature: float, until: float) -> Iterator[None]:
    """Write until every text has ``due`` tokens or it is late, the shortest text first; yields after every token."""
    while sampling.grows and time.monotonic() < until:
        shortest = min(sampling.samples, key=lambda sample: len(sample.steps))
        if len(shortest.steps) >= due:
            return
        shortest.write(temperature)
        yield


def grows(_session: Session, state: PageState) -> bool:
    """Whether texts are being written."""
    sampling = state.get("writing", START)["sampling"]
    return sampling is not None and sampling.grows


def prompt_of(session: Session, state: PageState) -> str:
    """The typed prompt; before one is typed, a default in the words of the text."""
    if state["prompt"] is not None:
        return state["prompt"]
    tokenizer = session.corpus.tokenizer
    usual = PROMPT[tokenizer.unit]
    sayable = [words for words in (usual, usual.lower()) if not read_typed(words, tokenizer, cleaning=cleaning(session)).missing]
    return prompt_for(session.corpus, sayable)
