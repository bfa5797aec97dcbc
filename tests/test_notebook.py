"""The example notebook runs, its results are correct, and it is committed without outputs."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

NOTEBOOK = Path(__file__).parents[1] / "docs" / "notebook.ipynb"
CELLS = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
CODE = ["".join(cell["source"]) for cell in CELLS if cell["cell_type"] == "code"]


@pytest.fixture
def names(monkeypatch):
    """The variables after all cells have run in order, in the notebook's folder."""
    monkeypatch.chdir(NOTEBOOK.parent)
    monkeypatch.setattr(sys, "path", sys.path[:])
    left = {}
    for source in CODE:
        exec(compile(source, NOTEBOOK.name, "exec"), left)
    return left


def test_the_notebook_trains_draws_and_writes(names):
    untrained, *_, now = names["history"].judged
    unigram, bigram = (line.perplexity for line in names["lines"][1:3])
    assert untrained.perplexity == pytest.approx(names["tokenizer"].size, rel=0.1)
    assert now.update == names["run"].step == 300
    assert now.perplexity < bigram < unigram
    drawn = names["drawn"](names["curve"])
    (judged,) = (trace for trace in drawn.data if trace.name == "held-out text")
    assert judged.y[-1] == pytest.approx(now.perplexity, rel=1e-3)
    assert "token:" not in drawn.to_json()
    late = names["late"]
    assert len(late) == len(names["text"]) - 1
    assert late[0] < 0.001 * late[-1]  # the gradient vanishes
    assert len(names["sample"]) == 200
    assert names["p"].sum() == pytest.approx(1)
    assert np.argmax(names["p"]) == names["best"][0]


def test_the_notebook_is_committed_without_outputs():
    assert not [cell for cell in CELLS if cell.get("outputs") or cell.get("execution_count")]
