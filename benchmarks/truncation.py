"""The echo bound in numbers: networks trained on echo-k with the state reset, at several truncations, beside the bound.

    python -m benchmarks.truncation

Each line is one run: k, tau, seed, the bound, the held-out perplexity of the trained network, and its deviation from the bound.
"""

import argparse
import sys
from itertools import islice, product

from threadpoolctl import threadpool_limits

from core.models.loss import perplexity_of
from core.text.corpus import floor_of, load_corpus
from core.training.held_out import HeldOut
from core.training.tbptt import Trainer
from pages.content.lessons import lesson

RECIPE = lesson("The price of forgetting").settings
LAGS, STEPS, SEEDS = (4, 6), (2, 4, 5, 6, 7, 8, 12, 16), (0, 1, 2)
TOKENS = 600_000  # read in training
JUDGED = 50_000  # tokens of held-out text
ALLOWED = (-0.002, 0.025)  # deviation from the bound


def measured(k: int, tau: int, seed: int, tokens: int = TOKENS) -> tuple[float, float]:
    """The bound, and the held-out perplexity of a network trained with the state reset every tau steps."""
    settings = RECIPE.but(lag=k, num_steps=tau, seed=seed)
    corpus = load_corpus(settings)
    trainer, held_out = Trainer(settings, corpus), HeldOut(settings, corpus, max_tokens=JUDGED)
    for _ in islice(trainer, tokens // (settings.batch_size * settings.num_steps)):
        pass
    return floor_of(corpus, settings), perplexity_of(held_out.judge(trainer.params, settings))


def main() -> int:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    outside = []
    print("  k  tau  seed    bound  held-out  deviation")
    with threadpool_limits(limits=1):
        for k, tau, seed in product(LAGS, STEPS, SEEDS):
            bound, perplexity = measured(k, tau, seed)
            deviation = perplexity / bound - 1
            inside = ALLOWED[0] <= deviation <= ALLOWED[1]
            outside += [] if inside else [(k, tau, seed)]
            print(f"{k:3d} {tau:4d} {seed:5d} {bound:8.4f} {perplexity:9.4f} {deviation:+10.2%}{'' if inside else '  OUTSIDE'}")
    print(f"{len(outside)} outside {ALLOWED[0]:+.1%} .. {ALLOWED[1]:+.1%}")
    return len(outside) > 0


if __name__ == "__main__":
    sys.exit(main())
