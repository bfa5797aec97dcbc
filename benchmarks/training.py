"""The speed of training, and the perplexity that it reaches. From the project's folder::

    python -m benchmarks.training              speed: six sizes of network, and the cost of judging
    python -m benchmarks.training --learning   perplexity reached on the lag language

One BLAS thread; medians of processor time over seven rounds, in which the compared implementations alternate.
"""

import argparse
import math
import os
import platform
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

from benchmarks.plain import PlainTrainer
from core.config.settings import Settings
from core.models.loss import perplexity_of
from core.text.corpus import Corpus, Stream, load_corpus
from core.text.tokenizer import Tokenizer
from core.training.held_out import HeldOut
from core.training.tbptt import Trainer
from pages.content.lessons import lesson

ROUNDS = 7
SECONDS = 0.15  # of one measurement


@dataclass(frozen=True)
class Case:
    """A size of network, and the speed that it should reach."""

    V: int
    H: int
    N: int
    T: int
    embedding: int = 0
    optimizer: str = "sgd"
    plain_mark: float = 0.0  # least speed relative to plain.py; 0: none is required

    @property
    def settings(self) -> Settings:
        return Settings(
            hidden_size=self.H,
            embedding_size=self.embedding,
            batch_size=self.N,
            num_steps=self.T,
            optimizer=self.optimizer,
            learning_rate=0.1,
            cosine_until=0,
            clip_norm=1.0,
            init="xavier",
            input_scale=None,
            output_scale=None,
        )


CASES = [
    Case(418, 100, 10, 5, embedding=100),
    Case(65, 100, 1, 25, optimizer="adagrad"),
    Case(10, 16, 16, 10, plain_mark=5),
    Case(64, 128, 32, 32, plain_mark=3),
    Case(28, 256, 32, 35),
    Case(28, 512, 32, 35),
]


def random_corpus(V: int, length: int = 100_000) -> Corpus:
    """A corpus of random tokens with the frequencies of words (Zipf)."""
    p = 1 / np.arange(1, V + 1)
    ids = np.random.default_rng(0).choice(V, length, p=p / p.sum()).astype(np.int32)
    stream = Stream(ids[:-1], ids[1:])
    return Corpus("random", Tokenizer(tuple(chr(0x4E00 + i) for i in range(V))), stream, None)


def seconds_per_call(run: Callable[[], object], calls: int) -> float:
    """Mean processor time of a call, over ``calls`` (reading the clock after each would cost as much as a small update)."""
    began = time.process_time()
    for _ in range(calls):
        run()
    return (time.process_time() - began) / calls


def calls_needed(run: Callable[[], object]) -> int:
    """The number of calls that take about ``SECONDS``, after a few warm-up calls."""
    seconds_per_call(run, 3)
    return max(3, int(SECONDS / max(seconds_per_call(run, 10), 1e-6)))


def implementations(case: Case) -> dict[str, Callable[[], object]]:
    """Name -> function for one update of the same network, for each implementation; PyTorch only if it is installed."""
    corpus = random_corpus(case.V)
    trainer = Trainer(case.settings, corpus)
    plain = PlainTrainer(trainer.params, corpus.train, settings=case.settings)
    runs = {"ours": trainer.__next__, "plain": plain.__next__}
    try:
        import torch
    except ImportError:
        return runs
    torch.set_num_threads(1)
    return runs | {"torch": torch_update(torch, case, [plain.batch() for _ in range(20)])}


def torch_update(torch, case: Case, batches: list) -> Callable[[], object]:
    """The same network in PyTorch: nn.RNN between an embedding (or a one-hot vector) and a linear layer."""
    V, H, D = case.V, case.H, case.embedding
    inputs = torch.nn.Embedding(V, D) if D else lambda x: torch.nn.functional.one_hot(x, V).float()
    rnn, out = torch.nn.RNN(D or V, H), torch.nn.Linear(H, V)
    layers = torch.nn.ModuleList([rnn, out] + ([inputs] if D else []))
    kind = {"sgd": torch.optim.SGD, "adagrad": torch.optim.Adagrad}[case.optimizer]
    optimizer = kind(layers.parameters(), lr=0.1)
    pairs = [(torch.as_tensor(x.T.copy()), torch.as_tensor(y.T.copy())) for x, y in batches]
    state = {"h": None, "turn": 0}

    def update():
        x, y = pairs[state["turn"] % len(pairs)]
        state["turn"] += 1
        hs, h = rnn(inputs(x), state["h"])
        state["h"] = h.detach()
        loss = torch.nn.functional.cross_entropy(out(hs).reshape(-1, V), y.reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(layers.parameters(), 1.0)
        optimizer.step()
        return loss.item()

    return update


def measure(case: Case) -> dict[str, list[float]]:
    """Name -> seconds per update in each round."""
    runs = implementations(case)
    calls = {name: calls_needed(run) for name, run in runs.items()}
    times = {name: [] for name in runs}
    for _ in range(ROUNDS):
        for name, run in runs.items():
            times[name].append(seconds_per_call(run, calls[name]))
    return times


def median(values: Iterator[float]) -> float:
    return float(np.median(list(values)))


def speed() -> None:
    print("plain: the second source's own layers")
    print("V, H, N, T (embedding)      update  (worst)    tokens/s   plain/ours  torch/ours  mark")
    for case in CASES:
        times = measure(case)
        ours = median(times["ours"])
        ratio = {name: median(t / o for t, o in zip(times[name], times["ours"], strict=True)) for name in times}
        reached = "reached" if ratio["plain"] >= case.plain_mark else "MISSED"
        mark = f"{reached} {case.plain_mark:g}x plain" if case.plain_mark else ""
        print(
            f"{case.V:4d}, {case.H:3d}, {case.N:2d}, {case.T:2d} {f'({case.embedding})' if case.embedding else '':5s} "
            f"{ours * 1e3:9.3f} ms ({max(times['ours']) * 1e3:.3f}) {case.N * case.T / ours:10,.0f} "
            f"{ratio['plain']:12.2f} {ratio.get('torch', math.nan):11.1f}  {mark}"
        )


def judging() -> None:
    """Print the share of processor time spent on judging held-out text, with the default settings and with small updates."""
    for settings in (Settings(), Settings(batch_size=1, num_steps=25)):
        share_of_judging(settings)


def share_of_judging(settings: Settings) -> None:
    corpus, name = load_corpus(settings), f"N = {settings.batch_size}, T = {settings.num_steps}"
    trainer, held_out = Trainer(settings, corpus), HeldOut(settings, corpus)
    spent, due, judged = {"training": 0.0, "judging": 0.0}, 0, 0
    while trainer.step <= 10_000:
        if trainer.step >= due:
            began = time.process_time()
            held_out.judge(trainer.params, settings)
            spent["judging"] += time.process_time() - began
            due, judged = held_out.next_update(trainer.step), judged + 1
        if trainer.step in (100, 1000, 10_000):
            share = spent["judging"] / sum(spent.values())
            seconds = f"{judged} times, {spent['judging']:.2f} s"
            print(f"{name}: judging takes {share:.1%} of the first {trainer.step} updates, {seconds}")
        began = time.process_time()
        next(trainer)
        spent["training"] += time.process_time() - began


LAG = lesson("Memory has an exact value").settings


def lag_language() -> None:
    """Print the held-out perplexity after 600 000 tokens, for ten seeds, beside the best possible."""
    reached = []
    for seed in range(10):
        settings = LAG.but(seed=seed)
        corpus = load_corpus(settings)
        trainer, held_out = Trainer(settings, corpus), HeldOut(settings, corpus, max_tokens=50_000)
        for _ in islice(trainer, 600_000 // 512):
            pass
        reached.append(perplexity_of(held_out.judge(trainer.params, settings)))
    inside = sum(abs(p / corpus.floor - 1) < 0.03 for p in reached)
    print(f"lag 4, T = 16: best possible {corpus.floor:.4f}; held-out " + ", ".join(f"{p:.4f}" for p in reached))
    print(f"within 3 %: {inside} of {len(reached)} seeds")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--learning", action="store_true", help="how far it gets, instead of how fast it is")
    print(f"{platform.machine()}, Python {platform.python_version()}, NumPy {np.__version__}, one BLAS thread")
    if parser.parse_args().learning:
        lag_language()
    else:
        speed()
        judging()


if __name__ == "__main__":
    main()
