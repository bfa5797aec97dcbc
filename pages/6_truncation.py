"""What does truncation cut, what does it keep, and what does it cost?"""

import streamlit as st

from pages.truncation.sections import SECTIONS, START
from pages.ui import frame
from pages.ui.sections import turn, wishes_of
from pages.ui.stage import stage
from pages.ui.text_and_network import SHORT_TEXTS, choose

HEAD = (530, 220, 222)  # widths of the title and of what is chosen beside it


def page() -> None:
    here = stage()
    wishes = wishes_of(here, SECTIONS, **START)
    left, *others = st.columns(HEAD, vertical_alignment="center")
    with left:
        frame.title("Truncation", "Forward runs on. Backward stops at the scissors.")
    if wishes["section"] == "cut":
        wishes["chosen"] = choose(here, SHORT_TEXTS, *others)
    frame.notice(*here.notices)
    turn(here, SECTIONS, wishes)


page()
