"""What does a hidden state add?"""

from pages.recurrent_step.sections import PICKS, SECTIONS, START
from pages.ui import frame
from pages.ui.sections import turn, wishes_of
from pages.ui.stage import stage


def page() -> None:
    here = stage()
    frame.title("Recurrent step", "What does a hidden state add?")
    wishes = wishes_of(here, SECTIONS, PICKS, **START)
    frame.notice(*here.notices)
    turn(here, SECTIONS, wishes, PICKS)


page()
