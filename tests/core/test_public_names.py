"""What other code may build on. A name that appears or disappears here is a change of the core's contract."""

import importlib
import inspect

import pytest

PUBLIC = {
    "core.models.params": {"INITIALISATIONS", "Params", "count", "init_params", "shapes_of"},
    "core.models.loss": {"SoftmaxLoss", "cross_entropy", "perplexity", "perplexity_of", "softmax"},
    "core.models.sampling": {
        "NextToken",
        "Reader",
        "RnnReader",
        "Writer",
        "apply_temperature",
        "draw",
        "generate",
        "next_distribution",
        "score",
        "score_pairs",
    },
    "core.text.batches": {"Windows"},
    "core.training.optimizers": {
        "Adagrad",
        "Adam",
        "OPTIMIZERS",
        "Optimizer",
        "SGD",
        "clip_by_global_norm",
        "make_optimizer",
        "norm",
    },
    "core.training.memory": {"check_memory", "estimate_bytes"},
    "core.training.tbptt": {"Diverged", "Trainer", "Update", "remedy"},
}
CONSTANTS = {"INITIALISATIONS", "OPTIMIZERS"}


@pytest.mark.parametrize("name", PUBLIC)
def test_public_names(name):
    module = importlib.import_module(name)
    own = {key for key, thing in vars(module).items() if inspect.getmodule(thing) is module and not key.startswith("_")}
    assert own - {"Draw", "Window"} | (CONSTANTS & set(vars(module)) & PUBLIC[name]) == PUBLIC[name]
