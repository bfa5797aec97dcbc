"""Which way to go on is the most probable? The examples of the first source, and the reader's own."""

import math

from core.analysis.perplexity import continuations as continuations_of
from core.analysis.perplexity import read_typed
from core.figures.parts.symbols import kind_of
from core.figures.perplexity.continuations import continuations_scene
from core.figures.perplexity.surprise import missing_words
from pages.app.navigation.section_tabs import PageState
from pages.app.navigation.url_state import Param, text_param
from pages.app.server.compute_lock import with_compute_lock
from pages.app.session.session import Session
from pages.app.widgets.input_components import continuations as continuations_panel
from pages.perplexity.choice import NONE, NOT_FINITE, choose, cleaning

PROMPT = "It is raining"
WAYS = ("outside", "banana tree", "piouw;kcj pwepoiut", "in San Francisco", "in winter")
OWN = 6  # of the reader's continuations that are kept
LONGEST = 400  # characters of one of them
LINE = text_param(PROMPT)
KEEPS = {  # in the address the reader's own stand in lines
    "beginning": LINE,
    "ways": Param((), lambda lines: _own(LINE.read(lines)), lambda ways: LINE.write("\n".join(ways)), words=True),
}


def _own(lines: str) -> tuple[str, ...]:
    return tuple(filter(str.strip, lines.split("\n")))[:OWN]


def continuations(here: Session, wishes: PageState) -> None:
    """The same beginning, continued in several ways."""
    prompt, own = wishes["beginning"], wishes["ways"]
    scene, notice = None, wishes.pop("own_notice", "")
    tokenizer = here.corpus.tokenizer
    choices = [choose(here, wishes[name]) for name in ("model", "beside") if wishes[name] != NONE]
    try:
        how = (tokenizer, prompt, [*WAYS, *own])
        read = with_compute_lock(lambda: [continuations_of(choice.reader, *how, cleaning=cleaning(here)) for choice in choices])
        if any(math.isnan(c.nats) and c.count for ways in read for c in ways):
            raise ValueError(NOT_FINITE)
        names = [choice.name for choice in choices]
        scene = continuations_scene(*[*read, ()][:2], names, own_from=len(WAYS), kind=kind_of(here.corpus))
        notice = notice or missing_words(read_typed(prompt, tokenizer, cleaning=cleaning(here)), tokenizer)
    except ValueError as error:
        notice = str(error)
    continuations_panel(
        scene,
        prompt=prompt,
        notice=notice,
        serial=wishes.get("prompt_serial", 0),
        on_prompt=lambda text, serial: wishes.update(beginning=text, prompt_serial=serial),
        on_add=lambda text: add(wishes, text),
        on_remove=lambda row: remove(wishes, row),
    )


def add(wishes: PageState, text: str) -> None:
    """One more of the reader's own."""
    own = wishes["ways"]
    if not text.strip():
        return
    if len(own) >= OWN:
        wishes["own_notice"] = f"{OWN} of your own are enough to compare: take one away first."
    elif len(text) > LONGEST:
        wishes["own_notice"] = f"A continuation has at most {LONGEST} characters; this one has {len(text)}."
    else:
        wishes["ways"] = (*own, text)


def remove(wishes: PageState, row: int) -> None:
    place = row - len(WAYS)
    wishes["ways"] = wishes["ways"][:place] + wishes["ways"][place + 1 :] if place >= 0 else wishes["ways"]
