"""Write a saved run, and the numbers it shows, with the code of an earlier commit. In a worktree of that commit:

``PYTHONPATH=. python /path/to/tests/core/training/saved_runs/write.py NAME FOLDER`` writes NAME.safetensors and NAME.json.
"""

import json
import sys
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any

from core.config.settings import Settings
from core.text.corpus import load_corpus
from core.training.checkpoint.checkpoint import save
from core.training.checkpoint.conversion import to_checkpoint
from core.training.run.monitored_trainer import MonitoredTrainer
from core.training.tbptt import Trainer

TEXT = "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich. " * 6
SMALL = {"hidden_size": 4, "batch_size": 2, "num_steps": 6, "seed": 3}
RUNS = {  # settings, and the live settings that are changed after update 7
    "3e9ec0d_format_1": (SMALL | {"corpus": "own"}, {"learning_rate": 0.02, "truncation": 3}),
    "72a55db_format_2": (
        SMALL | {"corpus": "lag", "lag": 2, "max_tokens": 400, "dtype": "float64", "optimizer": "sgd", "cosine_until": 40},
        {"weight_decay": 0.1, "clip_norm": 0.05},
    ),
    "a323ec6_format_2": (
        SMALL | {"corpus": "own", "unit": "word", "embedding_size": 3, "optimizer": "adagrad", "activation": "sigmoid"},
        {"carry_state": False},
    ),
}


def write(name: str, folder: Path) -> None:
    fields, moves = RUNS[name]
    settings = Settings(**fields)
    corpus = load_corpus(settings, TEXT)
    run = MonitoredTrainer(Trainer(settings, corpus), corpus)
    list(islice(run, 7))
    run.change(**moves)
    list(islice(run, 6))
    run.evaluate()
    run.resample()
    (folder / f"{name}.safetensors").write_bytes(save(to_checkpoint(run, TEXT if settings.corpus == "own" else "")))
    said = {"settings": asdict(run.settings)} | content(run) | {"next_nats": [next(run).loss for _ in range(10)]}
    (folder / f"{name}.json").write_text(json.dumps(said) + "\n", encoding="utf-8")


def content(run: MonitoredTrainer) -> dict[str, Any]:
    """The visible numbers and texts of a run, and its parameters."""
    return {
        "update": run.step,
        "training_nats": [point.nats for point in run.history.training.points],
        "judged": [[point.update, point.nats] for point in run.history.judged],
        "flags": [[flag.name, flag.old, flag.new, flag.point.update] for flag in run.history.flags],
        "moments": [moment.update for moment in run.history.moments.kept],
        "sample": run.view().sample,
        "params": {part: array.tolist() for part, array in run.trainer.params.named().items()},
    }


if __name__ == "__main__":
    write(sys.argv[1], Path(sys.argv[2]))
