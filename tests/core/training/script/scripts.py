"""Texts and settings for generated scripts, and the output of such a script."""

import ast
import io
import itertools
import runpy
from contextlib import redirect_stdout
from pathlib import Path

import numpy as np

from core.config.settings import Settings
from core.training.script.script import SCRIPT_FILE, TEXT_FILE

WORDS = ["so", "much", "depends", "upon", "a", "red", "wheel", "barrow", "glazed", "with", "rain", "water", "beside"]
DRAWN = np.random.default_rng(0).integers(len(WORDS), size=900)
TEXT = "".join(WORDS[i] + end for i, end in zip(DRAWN, itertools.cycle([" ", " ", "\n", " ", ", "]), strict=False))
ODD = 9 * (
    "Ça \U0001f600\u2028\"quoted\" 'so'\0\ufeff\x1c\t$name {x} \\n"
    " %s \ud800 語\r\n\r\x85\u00a0<unk> <eos> \U0001f468\u200d\U0001f469"
)
SMALL = Settings(corpus="own", hidden_size=12, batch_size=4, num_steps=7, dtype="float64", cosine_until=0)


def both_printed(written: str, text: str, folder: Path) -> tuple[np.ndarray, float]:
    """Run a script and return the perplexities that it prints of windows and of the text that judges; check that its updates are
    numbered from 1."""
    (folder / SCRIPT_FILE).write_text(written, encoding="utf-8")
    (folder / TEXT_FILE).write_text(text, encoding="utf-8", newline="")
    out = io.StringIO()
    with redirect_stdout(out):
        runpy.run_path(str(folder / SCRIPT_FILE))
    *lines, (word, judged) = map(str.split, out.getvalue().splitlines())
    assert word == "judged"
    assert [int(update) for update, _ in lines] == list(range(1, len(lines) + 1))
    return np.array([float(perplexity) for _, perplexity in lines]), float(judged)


def printed(written: str, text: str, folder: Path) -> np.ndarray:
    """The perplexities of windows that a script prints."""
    return both_printed(written, text, folder)[0]


def code_of(written: str) -> ast.Module:
    """The syntax tree of a file without its comments and docstrings."""
    tree = ast.parse(written)
    for part in ast.walk(tree):
        if isinstance(part, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(part):
            del part.body[0]
    return tree
