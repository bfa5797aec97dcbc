"""A script that waits for what its browser says goes on as soon as it is said, and hears nobody else's."""

from concurrent.futures import ThreadPoolExecutor

from pages.ui import answers
from pages.ui.answers import awaited, came

LONG = 60.0  # seconds: as long as a test may take


def test_what_is_said_while_nobody_waits_yet_is_not_missed():
    with awaited("mine") as wait:
        came("mine")
        wait(LONG)


def test_who_waits_goes_on_when_it_is_said():
    with awaited("mine") as wait, ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(wait, LONG)
        came("mine")
        waiting.result(LONG)


def test_every_word_is_heard_once_and_nobody_else_s():
    with awaited("mine") as wait:
        came("somebody's")
        came("mine")
        wait(LONG)
        wait(0.0)  # there is no more to hear: it ends in vain


def test_of_a_script_that_no_longer_waits_nothing_is_kept():
    with awaited("mine"):
        with awaited("mine") as newer:
            came("mine")
            newer(LONG)
        came("mine")
    assert not answers._waiting
