"""The cost of the whole triangle of d L_t / d h_k, in updates of training. From the project's folder::

    python -m benchmarks.gradient_flow

One process, one BLAS thread; training and triangle alternate; medians of processor time. An update is a forward and a backward
pass, clipping and Adam on a batch of 32. The triangle is computed for one sequence after its forward and backward pass; the cost
of these two passes, in float64 as on the page, is printed beside it.
"""

import os
import time
from collections.abc import Callable

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

from core.analysis.backward import backward_pass
from core.analysis.gradient_flow import gradient_flow
from core.config.settings import Settings
from core.models.rnn import backward, forward
from core.text.corpus import Corpus, Stream
from core.text.tokenizer import Tokenizer
from core.training.tbptt import Trainer

T, H, N, V = 32, 128, 32, 64
ROUNDS, CALLS = 15, 20
MARK = 0.5  # cost of the triangle at most, in updates


def main() -> None:
    rng = np.random.default_rng(0)
    ids = rng.integers(0, V, 200_001)
    corpus = Corpus("random", Tokenizer(tuple(chr(0x4E00 + i) for i in range(V))), Stream(ids[:-1], ids[1:]), None)
    trainer = Trainer(Settings(hidden_size=H, num_steps=T, batch_size=N, optimizer="adam", learning_rate=0.002), corpus)
    next(trainer)
    params, tokens, targets = trainer.params, ids[:T, None], ids[1 : T + 1, None]
    trace = forward(params, tokens)
    gradients = backward(trace, targets)
    passed = backward_pass(params, tokens[:, 0], targets[:, 0])
    jobs: dict[str, Callable[[], object]] = {
        "update of training": lambda: next(trainer),
        "triangle, float32": lambda: gradient_flow(gradients),
        "triangle, float64": passed.flow,
        "one sequence forward and backward, float64": lambda: backward_pass(params, tokens[:, 0], targets[:, 0]),
    }
    spent = {name: [] for name in jobs}
    for _ in range(ROUNDS):
        for name, job in jobs.items():
            begun = time.process_time()
            for _ in range(CALLS):
                job()
            spent[name].append((time.process_time() - begun) / CALLS)
    update = np.median(spent["update of training"])
    print(f"V={V} H={H} T={T}: an update of {N} sequences takes {1e3 * update:.2f} ms")
    for name in list(jobs)[1:]:
        ratio = np.median(np.array(spent[name]) / np.array(spent["update of training"]))
        mark = f" (at most {MARK}: {'yes' if ratio <= MARK else 'NO'})" if name.startswith("triangle") else ""
        print(f"{name}: {1e3 * np.median(spent[name]):.2f} ms = {ratio:.2f} updates{mark}")


if __name__ == "__main__":
    main()
