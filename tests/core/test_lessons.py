"""What the presets promise, they keep: nothing is said of a run that the run does not show."""

from itertools import islice

import pytest

from core.lessons import LESSONS, lesson
from core.models.loss import perplexity_of
from core.models.ngram import baselines
from core.settings import Settings
from core.text.corpus import floor_of, load_corpus
from core.training.held_out import HeldOut
from core.training.tbptt import Trainer


class Course:
    """A lesson's run: its perplexity after some updates, the counting models' lines, the best possible."""

    def __init__(self, name):
        self.settings = lesson(name).settings
        corpus = load_corpus(self.settings)
        self.trainer, self.held_out = Trainer(self.settings, corpus), HeldOut(self.settings, corpus)
        self.floor = floor_of(corpus, self.settings)
        if corpus.is_text:
            judged = baselines(corpus.train, self.held_out.source, corpus.tokenizer.size, self.held_out.positions)
            self.lines = {line.name: line.perplexity for line in judged}

    def after(self, update):
        for _ in islice(self.trainer, update - self.trainer.step):
            pass
        return perplexity_of(self.held_out.judge(self.trainer.params, self.settings))


def test_the_start_passes_the_bigram_and_the_trigram_line():
    course = Course("Start here")
    assert course.after(150) < course.lines["bigram"]
    assert course.after(1000) < course.lines["trigram"]


def test_memory_jumps_first_and_reaches_the_best_possible():
    course = Course("Memory has an exact value")
    assert max(course.after(update) for update in range(1, 20)) > 3
    assert course.after(600) == pytest.approx(course.floor, rel=0.03)


def test_forgetting_has_its_price():
    course = Course("The price of forgetting")
    assert course.floor == pytest.approx(2**0.5)
    assert course.after(1200) == pytest.approx(course.floor, rel=0.03)


def test_a_hundred_epochs_of_a_thousand_words_pass_the_bigram_line_but_not_the_trigram_line():
    course = Course("Deep Learning from Scratch 2, section 5.5")
    assert course.lines["trigram"] < course.after(100 * course.trainer.updates_per_epoch) < course.lines["bigram"]
    assert course.held_out.on_training_text


def test_from_weights_near_zero_it_rests_near_the_unigram_line_before_anything_else():
    course = Course("Dive into Deep Learning, section 8.5")
    assert course.after(20) == pytest.approx(course.lines["unigram"], rel=0.1)
    assert course.after(40) == pytest.approx(course.lines["unigram"], rel=0.1)


@pytest.mark.parametrize("chosen", LESSONS, ids=lambda chosen: chosen.name)
def test_the_sources_experiments_take_the_text_at_hand(chosen):
    from_a_source = chosen.name.startswith(("Deep", "Dive"))
    assert chosen.any_text == from_a_source
    assert (chosen.beside(Settings(corpus="own")).corpus == "own") == from_a_source
    assert chosen.beside(Settings(corpus="lag", lag=6)) == chosen.settings
