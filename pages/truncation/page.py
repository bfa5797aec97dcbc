"""What does truncation cut, what does it keep, and what does it cost?"""

import streamlit as st

from pages.truncation import cut, data, proof
from pages.ui import frame
from pages.ui.address import asked_for, follow
from pages.ui.components.sections.sections import sections
from pages.ui.state import Stage, stage

EVERY = 1.5  # seconds between two looks at the live run
OWN = 0.25  # and at a run of this page
HEAD = (570, 200, 202)  # widths of the title and of what is chosen beside it
BAR = (344, 612)  # of the sections and of the cut
START = {
    "tau": 5,
    "mode": "carry",
    "scheme": "blocks",
    "k1": 1,
    "k": 4,
    "seed": 0,
    "earlier": (),
}


def page() -> None:
    here = stage()
    view = st.session_state.get("truncation")
    if view is None:
        view = st.session_state["truncation"] = START | {"section": asked_for(here, "section", SECTIONS)}
    left, *others = st.columns(HEAD, vertical_alignment="center")
    with left:
        frame.title("Truncation", "Forward runs on. Backward stops at the scissors.")
    if view["section"] == "cut":
        cut.choose(here, view, *others)
    frame.notice(*here.notices)
    pace = every(here, view)
    st.fragment(body, run_every=pace)(here, view, pace)


def every(here: Stage, view: dict) -> float | None:
    """Seconds between two looks at what moves in the chosen section; None where nothing does."""
    _, _, moves, pace = SECTIONS[view["section"]]
    return pace if moves(here, view) else None


def body(here: Stage, view: dict, pace: float | None) -> None:
    """The bar, and the section that it names; another section is another page to Streamlit."""
    section = view["section"]
    follow(here, "section", section, SECTIONS)
    names, beside = st.columns(BAR) if section == "cut" else (st.container(), st.container())
    with names:
        sections(
            section,
            {name: about[0] for name, about in SECTIONS.items()},
            label="Section",
            picks=[],
            press="",
            on_choose=lambda name: view.update(section=name if name in SECTIONS else section, turned=True),
            on_pick=lambda name, value: None,
            on_press=lambda: None,
        )
    if view.pop("turned", False):
        st.rerun()
    SECTIONS[section][1](here, view, beside)
    if every(here, view) != pace:
        st.rerun()


SECTIONS = {  # address: words, what shows it, whether something in it moves, and how often it is then drawn
    "cut": ("The cut and what it drops", cut.show, cut.moving, EVERY),
    "data": ("The data", data.show, data.moving, OWN),
    "proof": ("The proof", proof.show, proof.moving, OWN),
}

page()
