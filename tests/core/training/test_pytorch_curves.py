"""Our trainer repeats learning curves that PyTorch computed (``pytorch_curves.py``), from the same weights on the same tokens."""

import json
from pathlib import Path

import numpy as np
import pytest

from core.config.settings import Settings
from core.training.tbptt import Trainer
from tests.core.training.runs import corpus

RECORDED = json.loads((Path(__file__).parent / "pytorch_curves.json").read_text(encoding="utf-8"))
WEIGHTS = {name: np.array(weight) for name, weight in RECORDED["weights"].items()}
SIZES = {"batch_size": RECORDED["batch_size"], "num_steps": RECORDED["num_steps"], "hidden_size": len(WEIGHTS["W_hh"])}
PLAIN = Settings(dtype="float64", weight_decay=0.0, cosine_until=0, **SIZES)


@pytest.mark.parametrize("recorded", RECORDED["curves"], ids=lambda recorded: "-".join(map(str, recorded["settings"].values())))
def test_losses_and_gradient_norms_are_those_of_pytorch(recorded):
    settings, (losses, norms) = PLAIN.but(**recorded["settings"]), np.transpose(recorded["curve"])
    trainer = Trainer(settings, corpus(RECORDED["tokens"], V=len(WEIGHTS["W_xh"])))
    for name, weights in trainer.params.named().items():
        weights[...] = WEIGHTS[name]
    updates = [next(trainer) for _ in losses]
    np.testing.assert_allclose([update.loss for update in updates], losses, rtol=1e-9)
    np.testing.assert_allclose([update.grad_norm for update in updates], norms, rtol=1e-9)
    np.testing.assert_allclose([update.clipped_norm for update in updates], norms.clip(max=settings.clip_norm), rtol=1e-9)
    assert 10 < (norms > settings.clip_norm).sum() < len(norms) - 10 == 190  # updates of both kinds are compared
    assert updates[-1].epoch > 4
