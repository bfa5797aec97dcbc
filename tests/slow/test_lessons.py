"""The runs of the lessons end as the lessons say. ``benchmarks/beating_counting.py`` has how "Beyond counting" ends."""

import pytest

from tests.core.lesson_run import LessonRun


def test_the_first_lesson_passes_the_4_gram_line_after_some_thousand_updates():
    run = LessonRun("Start here")
    assert run.after(2000) > run.lines["4-gram"]
    assert run.after(8000) < run.lines["4-gram"]  # the manual is each Python's own: in 3.12 it is the hardest to learn


def test_beyond_counting_passes_the_trigram_line_early():
    run = LessonRun("Beyond counting")
    assert run.after(200) < run.lines["trigram"]


@pytest.mark.parametrize(("name", "within"), [("Memory has an exact value", 0.02), ("The price of forgetting", 0.01)])
def test_generated_texts_stay_at_their_floor(name, within):
    run = LessonRun(name)
    assert run.after(4000) == pytest.approx(run.floor, rel=within)


def test_a_thousand_words_are_memorised_past_the_bigram_and_then_the_trigram_line():
    run = LessonRun("Deep Learning from Scratch 2, section 5.5")
    epoch = run.trainer.updates_per_epoch
    assert run.lines["trigram"] < run.after(100 * epoch) < run.lines["bigram"]
    assert run.lines["trigram"] < run.training_perplexity(epoch) < run.lines["bigram"]
    assert run.after(400 * epoch) < run.lines["trigram"]
    assert run.held_out.on_training_text


def test_ten_thousand_characters_are_overfitted():
    run = LessonRun("Dive into Deep Learning, section 8.6")
    best = min(run.after(update) for update in (400, 600, 800))
    assert run.after(1500) > 1.5 * best
    assert run.training_perplexity(100) < 2


def test_small_initial_weights_pass_the_bigram_line_later():
    run = LessonRun("Dive into Deep Learning, section 8.5")
    assert run.after(200) < run.lines["bigram"]
