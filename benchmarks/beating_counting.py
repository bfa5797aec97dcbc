"""Learning against counting: when a network's perplexity falls below that of each counting model, and how far below.

    python -m benchmarks.beating_counting

The default settings and the preset "Beyond counting" on the Python manual, three seeds each. One BLAS thread; seconds are
processor time of training alone. The network is judged on held-out text every 10 updates up to update 600, then every 50; it has
passed an n-gram at the first judgement below the perplexity of that n-gram.
"""

import argparse
import os
import sys
import time
from dataclasses import dataclass, field
from itertools import islice

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from core.config.settings import Settings
from core.models.loss import perplexity_of
from core.models.ngram import baselines, fit, tokens_of
from core.text.corpus import load_corpus
from core.training.held_out import HeldOut
from core.training.tbptt import Trainer
from pages.content.lessons import lesson

SEEDS = (0, 1, 2)
FINE, FINE_UNTIL, COARSE = 10, 600, 50  # updates between two judgements: FINE up to FINE_UNTIL, then COARSE
LINES = ("bigram", "trigram", "4-gram", "5-gram")


@dataclass(frozen=True)
class Goal:
    """The goals of a preset: ``below`` a perplexity or n-gram ``within`` some seconds, and below n-grams ``by`` some update."""

    preset: str
    below: float | str
    within: float  # seconds of processor time
    seconds: float  # of processor time at most
    by: dict[str, int] = field(default_factory=dict)  # name of an n-gram -> update


GOALS = (
    Goal("Start here", "4-gram", 30.0, 30.0, {"bigram": 70, "trigram": 390}),
    Goal("Beyond counting", 3.5, 60.0, 60.0),
)


@dataclass
class RunResult:
    """The results of one run."""

    lines: dict[str, float]
    passed: dict[float, tuple[int, float]] = field(default_factory=dict)  # perplexity -> update and seconds
    update: int = 0
    seconds: float = 0.0
    reached: float = float("inf")
    trained: float = 0.0  # perplexity of the last 200 windows

    def when_passed(self, below: float) -> str:
        """The update and the time at which a perplexity was passed, in words."""
        return "at update {}, {:.1f} s".format(*self.passed[below]) if below in self.passed else "never"


def run(settings: Settings, seconds: float, marks: tuple[float, ...]) -> RunResult:
    """Train for ``seconds``, or until the learning rate schedule ends; ``marks`` are perplexities to pass beside the n-grams'."""
    corpus = load_corpus(settings)
    trainer, held_out = Trainer(settings, corpus), HeldOut(settings, corpus)
    counted = fit(tokens_of(corpus.train), corpus.tokenizer.size)
    judged = baselines(counted, held_out.counted_losses(counted, settings.carry_state))
    result, losses = RunResult({line.name: line.perplexity for line in judged if line.name in LINES}), []
    while result.seconds < seconds and not 0 < settings.cosine_until <= trainer.step:
        began = time.process_time()
        losses += [update.loss for update in islice(trainer, FINE if trainer.step < FINE_UNTIL else COARSE)]
        result.seconds += time.process_time() - began
        result.update, result.reached = trainer.step, perplexity_of(held_out.judge(trainer.params, settings))
        for mark in (*result.lines.values(), *marks):
            if result.reached < mark:
                result.passed.setdefault(mark, (result.update, result.seconds))
    result.trained = perplexity_of(sum(losses[-200:]) / 200)
    return result


def reached(goal: Goal, result: RunResult) -> bool:
    """Whether a run has reached the goals of its preset."""
    below = result.lines.get(goal.below, goal.below)
    in_time = result.passed.get(below, (0, float("inf")))[1] <= goal.within
    by = all(result.passed.get(result.lines[line], (float("inf"), 0))[0] <= update for line, update in goal.by.items())
    return in_time and by


def main() -> int:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    missed = 0
    for goal in GOALS:
        print(f"{goal.preset}: below {goal.below} within {goal.within:.0f} s of computing")
        for seed in SEEDS:
            marks = () if isinstance(goal.below, str) else (goal.below,)
            result = run(lesson(goal.preset).settings.but(seed=seed), goal.seconds, marks)
            done = reached(goal, result)
            missed += not done
            print(f"  seed {seed}: {'reached' if done else 'MISSED'}; held-out {result.reached:.3f}, training windows", end=" ")
            print(f"{result.trained:.2f} after update {result.update}, {result.seconds:.1f} s")
            places = {f"{name} ({line:.2f})": line for name, line in result.lines.items()} | {f"{mark:g}": mark for mark in marks}
            print("    below " + "; ".join(f"{name} {result.when_passed(line)}" for name, line in places.items()))
    return missed > 0


if __name__ == "__main__":
    sys.exit(main())
