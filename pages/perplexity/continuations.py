"""The probabilities of several continuations: the examples of Dive into Deep Learning, and the reader's own."""

import math

from core.analysis.displayed_text import missing_sentence, prompt_for, read_typed
from core.analysis.perplexity import Continuation, continuations as continuations_of
from core.config.language import gettext as _, lazy_gettext
from core.training.run.scheduler import compute
from pages.app.layout import elements
from pages.app.navigation.section_tabs import PageState
from pages.app.navigation.url_state import Param, text_param
from pages.app.session.session import Session
from pages.app.widgets.components import continuations as continuations_panel
from pages.figures.parts.symbols import kind_of
from pages.figures.perplexity.continuations import continuations_drawing
from pages.perplexity.choice import NONE, NOT_FINITE, choose, cleaning

RAINING = "It is raining"
EXAMPLE_CONTINUATIONS = ("outside", "banana tree", "piouw;kcj pwepoiut", "in San Francisco", "in winter")
MAX_OWN = 6  # continuations of the reader's own at most
LONGEST = 400  # characters of a continuation at most
LINE = text_param(RAINING)
PARAMS = {  # the URL has the reader's own continuations as lines
    "beginning": LINE,
    "ways": Param((), lambda lines: _own(LINE.read(lines)), lambda ways: LINE.write("\n".join(ways)), is_typed=True),
}


def _own(lines: str) -> tuple[str, ...]:
    return tuple(filter(str.strip, lines.split("\n")))[:MAX_OWN]


def show(session: Session, state: PageState) -> None:
    """Draw the same beginning with several continuations and their probabilities."""
    prompt, own = state["beginning"], state["ways"]
    drawing, notice = None, _(state.pop("own_notice", ""))
    tokenizer = session.corpus.tokenizer
    choices = [choose(session, state[name]) for name in ("model", "beside") if state[name] != NONE]
    try:
        how = (tokenizer, prompt, [*EXAMPLE_CONTINUATIONS, *own])
        read = compute(lambda: [continuations_of(choice.reader, *how, cleaning=cleaning(session)) for choice in choices])
        if any(math.isnan(c.nats) and c.count for ways in read for c in ways):
            raise ValueError(_(NOT_FINITE))
        if not any(c.count for ways in read for c in ways):
            notice = notice or _(
                "None of these can be written with the symbols of this text, so none is ranked. Add a continuation in its words, "
                "and try “{prompt}” as the beginning.",
                prompt=prompt_for(session.corpus),
            )
        names = [choice.name for choice in choices]
        drawing = continuations_drawing(
            *[*read, ()][:2], names, own_from=len(EXAMPLE_CONTINUATIONS), kind=kind_of(session.corpus)
        )
        notice = notice or missing_sentence(len(read_typed(prompt, tokenizer, cleaning=cleaning(session)).missing), tokenizer)
    except ValueError as error:
        notice = str(error)
    continuations_panel(
        {"drawing": drawing, "prompt": prompt, "notice": notice, "serial": state.get("prompt_serial", 0)},
        on_prompt=lambda text, serial: state.update(beginning=text, prompt_serial=serial),
        on_add=lambda text: add(state, text),
        on_remove=lambda row: remove(state, row),
    )
    elements.source("continuations", continuations_of, Continuation)


def add(state: PageState, text: str) -> None:
    """Add a continuation of the reader's, or set a notice why it is refused."""
    own = state["ways"]
    if not text.strip():
        return
    if len(own) >= MAX_OWN:
        state["own_notice"] = lazy_gettext("{n} of your own are enough to compare: take one away first.", n=MAX_OWN)
    elif len(text) > LONGEST:
        state["own_notice"] = lazy_gettext(
            "A continuation has at most {most} characters; this one has {n}.", most=LONGEST, n=len(text)
        )
    else:
        state["ways"] = (*own, text)


def remove(state: PageState, row: int) -> None:
    place = row - len(EXAMPLE_CONTINUATIONS)
    state["ways"] = state["ways"][:place] + state["ways"][place + 1 :] if place >= 0 else state["ways"]
