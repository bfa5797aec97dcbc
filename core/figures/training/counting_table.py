"""Counting against learning: what each n-gram table stores beside what the network stores."""

from collections.abc import Sequence

import pandas as pd

from core.figures.parts.numbers import count, number, superscript
from core.models.ngram import Baseline


def counting_table(baselines: Sequence[Baseline], network_parameters: int, vocab_size: int) -> pd.DataFrame:
    """One row a model: perplexity on the judged text, numbers stored, and the size of the full table V^n."""
    rows = [
        {
            "model": b.name,
            "perplexity": number(b.perplexity),
            "numbers stored": count(b.parameters),
            "a full table": f"V{superscript(b.order)} = {count(b.table)}" if b.order else "1",
        }
        for b in baselines
    ]
    network = {"model": "this network", "perplexity": "the curve", "numbers stored": count(network_parameters)}
    return pd.DataFrame([*rows, network | {"a full table": f"the same for any n (V = {vocab_size})"}]).set_index("model")
