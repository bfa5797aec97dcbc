"""The runs of the lessons behave as their texts say. ``benchmarks/beating_counting.py`` tests the end of "Beyond counting"."""

from itertools import islice

import jaxtyping
import numpy as np
import pytest

from core.config.settings import Settings
from core.models.loss import perplexity_of
from core.models.ngram import baselines, fit, tokens_of
from core.models.sampling import RnnReader, generate
from core.text.corpus import floor_of, load_corpus
from core.text.names import names
from core.training.held_out import HeldOut
from core.training.tbptt import Trainer
from pages.content.lessons import ALL, LESSONS, lesson, offered

CHECKED = 20  # updates with shape checks, if enabled: later updates have the same shapes


class LessonRun:
    """The run of a lesson. ``lines``: perplexities of the counting models by name; ``floor``: the best possible perplexity."""

    def __init__(self, name: str) -> None:
        self.settings = lesson(name).settings
        corpus = load_corpus(self.settings)
        self.trainer, self.held_out = Trainer(self.settings, corpus), HeldOut(self.settings, corpus)
        self.floor = floor_of(corpus, self.settings)
        self.losses, self.lines = [], {}
        if corpus.is_text:
            counted = fit(tokens_of(corpus.train), corpus.tokenizer.size)
            judged = self.held_out.counted_losses(counted, self.settings.carry_state)
            self.lines = {line.name: line.perplexity for line in baselines(counted, judged)}

    def after(self, update: int) -> float:
        """The perplexity of the held-out text after this update."""
        with pytest.MonkeyPatch.context() as patch:
            for done in islice(self.trainer, update - self.trainer.step):
                self.losses.append(done.loss)
                patch.setattr(jaxtyping.config, "jaxtyping_disable", done.step >= CHECKED)
        return perplexity_of(self.held_out.judge(self.trainer.params, self.settings))

    def training_perplexity(self, updates: int) -> float:
        """The perplexity at the mean loss of the last ``updates`` training windows."""
        return perplexity_of(sum(self.losses[-updates:]) / updates)


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
    own = set(offered("zh")) - set(LESSONS)
    assert own == {lesson("Tang poems"), lesson("Names that are none")}
    assert set(ALL) == {*LESSONS, *own}


def test_the_names_that_are_written_are_new_and_the_pairs_stay_unbeaten():
    run = LessonRun("Names that are none")
    assert run.lines["unigram"] > run.after(300) > run.lines["bigram"]
    vocab = load_corpus(run.settings).tokenizer.vocab
    model, end = RnnReader(run.trainer.params, run.settings.activation), vocab.index("\n")
    written = "".join(vocab[token] for token in generate(model, prompt=[end], length=300, rng=np.random.default_rng(0)))
    found, known = [name for name in written.split("\n")[1:-1] if name], set(names("zh").split("\n"))
    assert len(found) > 20
    assert sum(name not in known for name in found) > len(found) / 2


@pytest.mark.slow
def test_the_first_lesson_passes_the_4_gram_line_after_some_thousand_updates():
    run = LessonRun("Start here")
    assert run.after(2000) > run.lines["4-gram"]
    assert run.after(8000) < run.lines["4-gram"]  # each Python version has its own manual: that of 3.12 is the hardest to learn


@pytest.mark.slow
@pytest.mark.parametrize(("name", "line"), [("Beyond counting", "trigram"), ("Dive into Deep Learning, section 8.5", "bigram")])
def test_a_line_is_passed_within_200_updates(name, line):
    run = LessonRun(name)
    assert run.after(200) < run.lines[line]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "within"), [("Memory has an exact value", 0.02), ("The price of forgetting", 0.01)])
def test_generated_texts_stay_at_their_floor(name, within):
    run = LessonRun(name)
    assert run.after(4000) == pytest.approx(run.floor, rel=within)


@pytest.mark.slow
def test_a_thousand_words_are_memorised_past_the_bigram_and_then_the_trigram_line():
    run = LessonRun("Deep Learning from Scratch 2, section 5.5")
    epoch = run.trainer.updates_per_epoch
    assert run.lines["trigram"] < run.after(100 * epoch) < run.lines["bigram"]
    assert run.lines["trigram"] < run.training_perplexity(epoch) < run.lines["bigram"]
    assert run.after(400 * epoch) < run.lines["trigram"]
    assert run.held_out.on_training_text


@pytest.mark.slow
def test_ten_thousand_characters_are_overfitted():
    run = LessonRun("Dive into Deep Learning, section 8.6")
    best = min(run.after(update) for update in (400, 600, 800))
    assert run.after(1500) > 1.5 * best
    assert run.training_perplexity(100) < 2
