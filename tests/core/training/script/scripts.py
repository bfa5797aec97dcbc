"""Texts and settings for generated scripts, and the output of such a script."""

import io
import itertools
import runpy
from contextlib import redirect_stdout
from pathlib import Path

import numpy as np

from core.config.settings import Settings
from core.training.script.pieces import FILE

WORDS = ["so", "much", "depends", "upon", "a", "red", "wheel", "barrow", "glazed", "with", "rain", "water", "beside"]
DRAWN = np.random.default_rng(0).integers(len(WORDS), size=900)
TEXT = "".join(WORDS[i] + end for i, end in zip(DRAWN, itertools.cycle([" ", " ", "\n", " ", ", "]), strict=False))
ODD = 9 * (
    "Ça \U0001f600\u2028\"quoted\" 'so'\0\ufeff\x1c\t$name {x} \\n"
    " %s \ud800 語\r\n\r\x85\u00a0<unk> <eos> \U0001f468\u200d\U0001f469"
)
SMALL = Settings(corpus="own", hidden_size=12, batch_size=4, num_steps=7, dtype="float64", cosine_until=0)


def printed(written: str, text: str, folder: Path) -> np.ndarray:
    """Run a script and return the perplexities that it prints; check that its updates are numbered from 1."""
    (folder / "train.py").write_text(written, encoding="utf-8")
    (folder / FILE).write_text(text, encoding="utf-8", newline="")
    out = io.StringIO()
    with redirect_stdout(out):
        runpy.run_path(str(folder / "train.py"))
    updates, perplexities = zip(*map(str.split, out.getvalue().splitlines()), strict=True)
    assert list(map(int, updates)) == list(range(1, len(updates) + 1))
    return np.array(perplexities, float)
