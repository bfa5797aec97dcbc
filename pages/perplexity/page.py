"""How surprised is the model by each token, and what does it write?"""

from collections.abc import Callable
from typing import Any, NamedTuple

import streamlit as st

from pages.perplexity import choice
from pages.perplexity.compression import compression
from pages.perplexity.continuations import continuations
from pages.perplexity.counting import counting
from pages.perplexity.length import length
from pages.perplexity.number import another_token, number
from pages.perplexity.surprise import surprise
from pages.perplexity.writing import other_seeds, writing
from pages.ui import frame
from pages.ui.address import asked_for, follow
from pages.ui.components.sections.sections import sections
from pages.ui.state import Stage, stage

EVERY = 1.0  # seconds between two looks at the run while it trains
START = {"model": choice.LIVE, "beside": "counted-3"}
NO_TEXT = "The targets of this task are not its next tokens, so there is no text to be surprised by. Choose a text on Training."


class Section(NamedTuple):
    """A section of the page. ``show(here, view)`` draws it, every second while the run trains if it looks at the run."""

    words: str
    show: Callable[[Stage, dict[str, Any]], None]
    picks: tuple[str, ...] = ()
    looks_at_run: bool = False
    press: str = ""
    on_press: Callable[[Stage, dict[str, Any]], None] | None = None


SECTIONS = {
    "surprise": Section("Surprise", surprise, ("model", "beside"), True),
    "number": Section("The number", number, (), True, "Another token", another_token),
    "length": Section("Length", length, ("model", "beside"), True),
    "continuations": Section("Continuations", continuations, ("model", "beside"), True),
    "compression": Section("Compression", compression, (), True),
    "counting": Section("Against counting", counting, (), True),
    "writing": Section("Writing", writing, ("model",), False, "Other seeds", other_seeds),
}


def page() -> None:
    here = stage()
    frame.title("Perplexity", "How surprised is the network by each token?")
    if not here.corpus.is_text:
        frame.notice(NO_TEXT)
        return
    view = st.session_state.get("perplexity")
    if view is None:
        view = st.session_state["perplexity"] = START | {"section": asked_for(here, "section", SECTIONS)}
    follow(here, "section", view["section"], SECTIONS)
    frame.notice(*here.notices)
    bar(here, view)
    section = SECTIONS[view["section"]]
    polled = here.run.playing and section.looks_at_run
    st.fragment(body, run_every=EVERY if polled else None)(here, view, polled)


def bar(here: Stage, view: dict[str, Any]) -> None:
    """Which section, and for which models."""
    section = SECTIONS[view["section"]]
    offered = choice.offered(here)
    for name in ("model", "beside"):
        if view[name] not in offered and view[name] != choice.NONE:
            view[name] = START[name]
    picks = {
        "model": {"label": "model", "options": list(offered.items()), "help": "The model that is looked at"},
        "beside": {"label": "beside", "options": [(choice.NONE, "nothing"), *offered.items()], "help": "Another model beside it"},
    }
    sections(
        view["section"],
        {name: section.words for name, section in SECTIONS.items()},
        label="Section",
        picks=[{"name": name, "value": view[name], **picks[name]} for name in section.picks],
        press=section.press,
        on_choose=lambda name: view.update(section=name if name in SECTIONS else view["section"]),
        on_pick=lambda name, value: view.update({name: value} if name in picks else {}),
        on_press=lambda: section.on_press and section.on_press(here, view),
    )


def body(here: Stage, view: dict[str, Any], polled: bool) -> None:
    """The section; again every second while the run that it looks at trains."""
    SECTIONS[view["section"]].show(here, view)
    if (here.run.playing and SECTIONS[view["section"]].looks_at_run) != polled:
        st.rerun()


page()
