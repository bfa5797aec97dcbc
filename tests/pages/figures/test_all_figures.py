"""Every figure with any data: numbers that JSON can represent, axes that plotly draws, and no markup from a text."""

import importlib
import inspect
import json
import math
import re
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path
from typing import Any, get_type_hints

import numpy as np
import plotly.graph_objects as go
import pytest

import pages.figures
from core.models.initialisation import init_params
from core.text.tokenizer import Tokenizer
from pages.figures.parts.run_card import TITLES
from pages.figures.parts.style import THEMES, in_theme
from pages.figures.training.perplexity_axes import AXIS_TITLES
from tests.pages.figures import builders
from tests.pages.figures.drawings import check_data

MARKUP = ("<img>", "<b>", "</script>", "&lt;", '"', "'", "{x}", "h_{t}", "word")
NETWORKS = {
    "tanh": {},
    "relu": {"activation": "relu"},
    "sigmoid": {"activation": "sigmoid"},
    "embedding": {"D": 3},
    "one step": {"T": 1},
    "one unit": {"H": 1},
    "two symbols": {"V": 2},
    "exploded": {"W_hh": 1e150, "activation": "relu"},
    "no gradient": {"W_hq": 0.0},
    "no memory": {"W_hh": 0.0},
}
PER_STEP = {  # lists with an entry for each step of the text
    "network_drawing": ("columns", "means"),
    "cell_drawing": ("steps",),
    "layers_drawing": ("losses", "sums"),
    "product_drawing": ("inputs", "steps"),
    "step_numbers": ("steps",),
    "dependence_drawing": ("inputs", "targets", "words", "shades"),
    "backward_drawing": ("from_loss", "from_future"),
    "backward_numbers": ("steps",),
    "flow_triangle": ("inputs", "targets", "words", "shades"),
    "shares_triangle": ("inputs", "targets", "words", "shades"),
}
ENDINGS = ("_figure", "_drawing", "_chart", "_grid", "_map", "_triangle", "_numbers")


def network(T: int = 6, H: int = 8, D: int = 0, V: int = 9, activation: str = "tanh", **filled: float) -> tuple:
    """A network, a text whose words are markup, its vocabulary, and the activation; ``filled``: matrices with one constant."""
    rng = np.random.default_rng(0)
    params = init_params(V, H, embedding_size=D, gain=1.2, rng=rng, dtype=np.float64)
    for name, number in filled.items():
        params.named()[name][...] = number
    return params, rng.integers(0, V, T + 1), Tokenizer(MARKUP[:V], "word"), activation


def numbers(part: Any, name: str) -> Iterator[float]:
    """All numbers of this name in a scene."""
    if isinstance(part, dict):
        if isinstance(part.get(name), (int, float)):
            yield part[name]
        part = list(part.values())
    if isinstance(part, (list, tuple)):
        for each in part:
            yield from numbers(each, name)


def figures() -> dict[str, Callable[..., Any]]:
    """The public functions of all figures by their names."""
    root = Path(pages.figures.__path__[0])
    modules = [".".join(["pages.figures", *path.relative_to(root).with_suffix("").parts]) for path in root.rglob("*.py")]
    return {
        name: made
        for module in modules
        for name, made in vars(importlib.import_module(module)).items()
        if inspect.isfunction(made) and made.__module__ == module and name[0] != "_"
    }


FIGURES = figures()


def check(scenes: dict[str, Any]) -> None:
    """Check the properties that every figure has."""
    assert scenes
    named = [(name, scene) for name, made in scenes.items() for scene in _as_list(made)]
    for name, scene in named:
        try:
            check_one(scene, get_type_hints(FIGURES[name])["return"])
        except Exception as error:
            error.add_note(f"in the figure {name}")
            raise


def _as_list(made: Any) -> list[Any]:
    return made if isinstance(made, list) else [made]


def check_one(scene: dict[str, Any] | str, kind: Any) -> None:
    check_data(scene, kind)
    if isinstance(scene, str):
        return
    for name, end in zip("xy", scene.get("size", ()), strict=False):
        assert all(0 <= place <= end for place in numbers(scene, name))
    if "data" in scene:
        check_chart(scene)


def check_chart(chart: dict[str, Any]) -> None:
    assert "<img" not in json.dumps(chart)
    for theme in THEMES:
        assert "token:" not in json.dumps(in_theme(chart, theme))
    go.Figure(in_theme(chart, theme))
    for trace in chart["data"]:
        lengths = {key: len(trace[key]) for key in ("x", "y", "text", "customdata") if isinstance(trace.get(key), list)}
        assert len(set(lengths.values())) == 1 or "z" in trace, lengths
    for axis in (axis for name, axis in chart["layout"].items() if name[1:5] == "axis"):
        assert "ticktext" not in axis or len(axis["tickvals"]) == len(axis["ticktext"]) > 0
        low, high = axis.get("range", (0, 1))
        assert -math.inf < low < high < math.inf
    labels = [note["y"] for note in chart["layout"].get("annotations", ()) if note.get("yref") == "paper"]
    assert all(0 <= y <= 1 for y in labels)


@pytest.mark.parametrize("kind", NETWORKS)
def test_every_figure_of_a_network_can_be_drawn(kind):
    made = network(**NETWORKS[kind])
    scenes = builders.of_a_network(*made)
    check(scenes)
    of_steps = [(name, key, drawn) for name, keys in PER_STEP.items() for key in keys for drawn in _as_list(scenes[name])]
    steps = {(name, key, i): len(drawn[key]) for i, (name, key, drawn) in enumerate(of_steps)}
    assert steps == dict.fromkeys(steps, len(made[1]) - 1)


@pytest.mark.parametrize("kind", [kind for kind in NETWORKS if kind != "exploded"])
def test_every_figure_of_probabilities_can_be_drawn(kind):
    check(builders.of_a_reader(*network(**NETWORKS[kind])))


@pytest.mark.parametrize("activation", ["tanh", "relu", "sigmoid"])
@pytest.mark.parametrize("sizes", [(3, 1, 4), (1, 1, 1), (6, 6, 6), (2, 6, 1)])
def test_every_figure_of_one_recurrent_step_can_be_drawn(sizes, activation):
    check(builders.of_matrices(*sizes, activation))


@pytest.mark.parametrize("build", [builders.of_words, builders.of_numbers, builders.of_sweeps])
def test_what_is_words_alone_numbers_that_are_not_finite_and_sweeps_can_be_drawn(build):
    check(build())


def test_every_figure_of_a_run_can_be_drawn_in_every_state(monitored, lines):
    for state, across in zip(TITLES, cycle(AXIS_TITLES), strict=False):
        check(builders.of_a_run(monitored, lines, state, across))


def test_every_builder_is_among_those_that_are_tried():
    there = {name for name in FIGURES if name.endswith(ENDINGS)}
    assert len(there) > 40
    missing = there - set(re.findall(r"\w+", inspect.getsource(builders)))
    assert not missing, f"draw {missing} in tests/pages/figures/builders.py, which tries every figure with any data"
