"""The beginnings of the lessons' runs show what the lessons say of them; how they end is tested in tests/slow."""

import pytest

from core.config.settings import Settings
from core.content.lessons import ALL, LESSONS, lesson, offered
from tests.core.lesson_run import LessonRun


def test_the_first_lesson_passes_the_bigram_and_the_trigram_line():
    run = LessonRun("Start here")
    assert run.after(100) < run.lines["bigram"]
    assert run.after(400) < run.lines["trigram"]
    assert run.settings.cosine_until == 10_000


def test_the_lag_language_is_learnt_to_its_floor():
    run = LessonRun("Memory has an exact value")
    assert max(run.after(update) for update in range(1, 20)) > 3
    assert run.floor < run.after(600) < 1.02 * run.floor


def test_small_initial_weights_stay_at_the_unigram_line_first():
    run = LessonRun("Dive into Deep Learning, section 8.5")
    assert run.after(20) == pytest.approx(run.lines["unigram"], rel=0.1)


@pytest.mark.parametrize("chosen", LESSONS, ids=lambda chosen: chosen.name)
def test_only_the_experiments_of_the_sources_use_the_current_text(chosen):
    from_a_source = chosen.name.startswith(("Deep", "Dive"))
    assert chosen.any_text == from_a_source
    assert (chosen.beside(Settings(corpus="own")).corpus == "own") == from_a_source
    assert chosen.beside(Settings(corpus="lag", lag=6)) == chosen.settings


def test_a_lesson_on_a_text_of_a_language_is_offered_to_its_readers():
    assert offered("en") == LESSONS
    (own,) = set(offered("zh")) - set(LESSONS)
    assert lesson(own.name) is own
    assert set(ALL) == {*LESSONS, own}
