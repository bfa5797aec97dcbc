"""What does a hidden state add?"""

from pages.app.layout import elements
from pages.app.navigation.section_tabs import page_state, turn
from pages.app.session.session import stage
from pages.recurrent_step.sections import PICKS, SECTIONS, START


def page() -> None:
    here = stage()
    elements.title("Recurrent step", "What does a hidden state add?")
    wishes = page_state(here, SECTIONS, PICKS, **START)
    elements.notice(*here.notices)
    turn(here, SECTIONS, wishes, PICKS)


page()
