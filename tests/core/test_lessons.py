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
        self.losses = []
        if corpus.is_text:
            judged = baselines(corpus.train, self.held_out.source, corpus.tokenizer.size, self.held_out.positions)
            self.lines = {line.name: line.perplexity for line in judged}

    def after(self, update):
        self.losses += [done.loss for done in islice(self.trainer, update - self.trainer.step)]
        return perplexity_of(self.held_out.judge(self.trainer.params, self.settings))

    def reading(self, updates):
        """The mean perplexity of the last training windows."""
        return perplexity_of(sum(self.losses[-updates:]) / updates)


def test_the_start_passes_the_bigram_the_trigram_and_the_4_gram_line():
    course = Course("Start here")
    assert course.after(100) < course.lines["bigram"]
    assert course.after(500) < course.lines["trigram"]
    assert course.after(2000) > course.lines["4-gram"]
    assert course.after(8000) < course.lines["4-gram"]  # the manual is each Python's own: in 3.12 it is the hardest to learn
    assert course.settings.cosine_until == 10_000


def test_beyond_counting_has_a_start_to_match():
    course = Course("Beyond counting")  # how it ends takes a minute: benchmarks.beating_counting
    assert course.after(200) < course.lines["trigram"]


def test_memory_jumps_first_and_reaches_the_best_possible():
    course = Course("Memory has an exact value")
    assert max(course.after(update) for update in range(1, 20)) > 3
    for update in (600, 1500, 4000):
        assert course.floor < course.after(update) < 1.02 * course.floor


def test_forgetting_has_its_price():
    course = Course("The price of forgetting")
    assert course.floor == pytest.approx(2**0.5)
    assert course.after(1200) == pytest.approx(course.floor, rel=0.03)
    assert course.after(4000) == pytest.approx(course.floor, rel=0.01)


def test_a_thousand_words_are_memorised_past_the_bigram_and_then_the_trigram_line():
    course = Course("Deep Learning from Scratch 2, section 5.5")
    epoch = course.trainer.updates_per_epoch
    assert course.lines["trigram"] < course.after(100 * epoch) < course.lines["bigram"]
    assert course.lines["trigram"] < course.reading(epoch) < course.lines["bigram"]
    assert course.after(400 * epoch) < course.lines["trigram"]
    assert course.held_out.on_training_text


def test_of_few_characters_training_learns_what_does_not_help_on_others():
    course = Course("Dive into Deep Learning, section 8.6")
    best = min(course.after(update) for update in (400, 600, 800))
    assert course.after(1500) > 1.5 * best
    assert course.reading(100) < 2


def test_from_weights_near_zero_it_rests_near_the_unigram_line_before_anything_else():
    course = Course("Dive into Deep Learning, section 8.5")
    assert course.after(20) == pytest.approx(course.lines["unigram"], rel=0.1)
    assert course.after(40) == pytest.approx(course.lines["unigram"], rel=0.1)
    assert course.after(200) < course.lines["bigram"]


@pytest.mark.parametrize("chosen", LESSONS, ids=lambda chosen: chosen.name)
def test_the_sources_experiments_take_the_text_at_hand(chosen):
    from_a_source = chosen.name.startswith(("Deep", "Dive"))
    assert chosen.any_text == from_a_source
    assert (chosen.beside(Settings(corpus="own")).corpus == "own") == from_a_source
    assert chosen.beside(Settings(corpus="lag", lag=6)) == chosen.settings
