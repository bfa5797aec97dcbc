"""The browser components, but for the bar of controls: what each is sent, and the events that it sends back.

Each is a function ``draw(data, key=name, on_<event>=...)`` (``component_factory.py``); modules of ``core.figures`` make its data.
Components with the same ``link`` share one play head; it stays where it is while ``text`` is the same. ``label`` says in
words what a picture shows. ``serial`` is that of the newest edit: the answer to an older one is not drawn.
"""

from collections.abc import Sequence
from typing import Any

from core.config.language import gettext as _
from core.content.lecture import LIMITS
from core.figures.gradient_flow.weight_map import WeightMap
from core.figures.parts.backward import BackwardNumbers, BothWays
from core.figures.parts.chart import Figure
from core.figures.parts.network import NetworkScene
from core.figures.parts.run_card import RunCard
from core.figures.parts.scenes import ClosingSlide, LectureScene, SceneBar, SceneCards
from core.figures.parts.tables import Comparison, Grid, Panel
from core.figures.parts.triangle import DependenceScene, Triangle
from core.figures.perplexity.continuations import ContinuationsScene
from core.figures.perplexity.number import ChoicesScene
from core.figures.recurrent_step.blocks import Blocks, DiagramScene
from core.figures.recurrent_step.networks import NetworksScene
from core.figures.training.readout import WritingScene
from core.figures.truncation.batch_order import MiniBatchesScene
from core.figures.truncation.block_borders import Kept
from core.figures.truncation.echo_bound import TaskScene
from core.figures.unrolled.cell_scenes import CellScene, HeatMap, LayersScene
from core.figures.unrolled.step_numbers import ProductScene, StepNumbers
from pages.app.server.static_assets import plotly_url
from pages.app.widgets.component_data import (
    GrowingSamples,
    LinkedTauChart,
    LiveFigure,
    RequestedLink,
    RunView,
    SamplesControls,
    ShapesPanel,
    ShownText,
)
from pages.app.widgets.component_factory import component

WRITING = "writing"  # the link by which the live picture renews what the network writes
LINKED = {"link": str, "text": str}
COLUMNS = LINKED | {"columns": list[list[str]]}  # the input and the target of every step
PLACE = {"row": int, "column": int}
OPEN_SCENE = {"key": str, "opened": int}
REACHES = {"reach": list[int] | None, "reaches": list[list[int] | None] | None}

# The unrolled network (parts.network) with its play bar; it may play by itself, and omit the bar while a scene is presented.
network = component(
    "network",
    LINKED | {"scene": BothWays, "substeps": list[list[str]], "label": str, "plays": bool, "aside": bool},
)
# The step under the play head: its numbers, forward beside all units over time and backward; its cell; the layers over time.
step_numbers = component("step_numbers", COLUMNS | {"numbers": StepNumbers, "heat": HeatMap})
backward_numbers = component("backward_numbers", LINKED | {"numbers": BackwardNumbers})
cell = component("cell", LINKED | {"units": list[int], "cell": CellScene})
layers = component("layers", COLUMNS | {"scene": LayersScene})
# The probability of the text, factor by factor; which input moves which prediction; the text coloured by a unit.
product = component("product", LINKED | {"scene": ProductScene})
dependence = component("dependence", LINKED | {"scene": DependenceScene})
unit_text = component("unit_text", COLUMNS | {"suggestions": list[tuple[str, int]]})

# Boxes, wires and matrices of one step; a table of numbers.
diagram = component("diagram", DiagramScene)
grid = component("grid", Grid)
# Curves over the truncation length; the share kept at every stop of the slider with the same link, and its stop now.
tau_chart = component("tau_chart", LinkedTauChart)
kept_share = component("kept_share", {"stops": list[Kept], "chosen": int, "link": str})
# The echo task with the borders that hide an answer; the mini-batches of a text, played update by update.
echo_task = component("echo_task", TaskScene)
mini_batches = component("mini_batches", {"scene": MiniBatchesScene, "text": str})
# What the network writes, now and at earlier moments; the button that presents.
writing = component("writing", {"link": str, "writing": WritingScene})
present = component("present", {})

# Equations as blocks of numbers, whose cells may be typed into; one text through two networks, with two tokens exchanged.
blocks = component("blocks", Blocks, events={"edit": {"id": str, **PLACE, "text": str}})
two_networks = component("two_networks", NetworksScene, events={"swap": {"i": int, "j": int}})
# Matrices to scale, under sliders; probabilities under sliders, which the name of an example, "more" or "fewer" sets.
shapes = component("shapes", ShapesPanel, events={"move": {"name": str, "place": int}})
choices = component("choices", ChoicesScene, events={"move": {"token": int, "place": int}, "press": str})
# A gradient in which a weight is picked, by a cell of the drawing or by its index.
weight_map = component("weight_map", WeightMap, events={"matrix": str, "cell": PLACE, "index": PLACE})

# A text coloured by surprise, that can be typed into (``length``: before it was cut); a token is picked, or another text.
surprise = component(
    "surprise",
    {"scene": ShownText, "notices": list[str], "serial": int},
    events={"edit": {"text": str, "caret": int, "length": int, "serial": int}, "pick": int, "another": None},
)
# Ways to go on, ranked, if they can be; the reader adds some and removes them by their row.
continuations = component(
    "continuations",
    {"scene": ContinuationsScene | None, "prompt": str, "notice": str, "serial": int},
    events={"prompt": {"text": str, "serial": int}, "add": str, "remove": int},
)
# What a model writes, if it can, and what the temperature does.
samples = component(
    "samples",
    {"scene": GrowingSamples | None, "controls": SamplesControls},
    events={"prompt": {"text": str, "serial": int}, "texts": int, "greedy": bool, "temperature": int, "write": None},
)

# The bar that plays the training; ``targets`` are the numbers that it offers for run_to and for run_to_epoch.
transport = component(
    "transport",
    {"playing": bool, "targets": dict[str, int], "speed": float, "across": str},
    events={"press": str, "run_to": float, "run_to_epoch": float, "across": str, "speed": float},
)
# seek: to an update of the curve or of a flag; remedy: of a run that diverged; expect: an empty line clears what was drawn.
run_view = component(
    "run_view",
    RunView,
    events={"remedy": str, "seek": int, "scale": str, "draw": bool, "expect": {"line": list, "across": str, "serial": int}},
    parts=("live_figure", "readout"),
    isolated=False,
    library=plotly_url(),
)
# The run in the sidebar; seek: to an update of its history; below 0: to the present.
run_card = component("run_card", RunCard, events={"command": str, "seek": int})

# A link to what is open, on request: the page's address, its play head, the number of the request, and the container at the top
# of the viewport. add_scene: the words of a scene that opens the same.
share_dialog = component(
    "share_dialog",
    {"link": RequestedLink | None},
    events={"request": {"at": str, "step": str, "number": float, "view": str}, "add_scene": dict.fromkeys(LIMITS, str)},
)
# The scene bar, all scenes as cards, and what follows the last one; open_scene: its key, or none for all, and how many were
# opened until then.
scene_bar = component("scene_bar", SceneBar, events={"open_scene": OPEN_SCENE, "done": str})
scenes = component("scenes", SceneCards, events={"open_scene": OPEN_SCENE})
closing_slide = component("closing_slide", ClosingSlide, events={"open_scene": OPEN_SCENE})
# The reader's own scenes; change: up, down, remove or undo; open_file: its text.
lecture = component(
    "lecture",
    LectureScene,
    events={
        "open_scene": OPEN_SCENE,
        "change": {"key": str, "what": str},
        "edit": {"key": str} | dict.fromkeys(LIMITS, str),
        "open_file": str,
    },
)

_live_figure = component("live_figure", LiveFigure, isolated=False, library=plotly_url())
_cards = component("cards", {"cards": list[Panel], "columns": list[float]})
_comparison = component("comparison", Comparison)
_triangle = component("triangle", LINKED | {"scene": Triangle, "title": str, "unit": str, "joint": str} | REACHES)


def live_figure(figure: Figure, *, key: str, keep: str = "", label: str) -> None:
    """A plotly figure (plain data and layout with colour tokens) that changes in place."""
    _live_figure(live_data(figure, keep=keep, label=label), key=key)


def live_data(figure: Figure, *, keep: str, label: str) -> LiveFigure:
    """What ``live_figure`` draws; also where it is part of another component."""
    return {"figure": figure, "keep": keep, "label": label, "plotly": plotly_url()}


def column_labels(scene: NetworkScene) -> list[list[str]]:
    """The columns of a network: the input and the target of every step."""
    return [column["labels"] for column in scene["columns"]]


def cards(panels: Sequence[Panel], *, columns: Sequence[float] = (), key: str) -> None:
    """Panels side by side, as wide as ``columns`` say (equal when empty); below each other on a narrow screen."""
    _cards({"cards": list(panels), "columns": list(columns) or [1] * len(panels)}, key=key)


def comparison(scene: Comparison, *, key: str) -> None:
    """Numbers of two or more things side by side, with the sentence that they make (``parts.comparison``)."""
    _comparison({"gauges": [], "note": "", "sentence": "", "lines": 3} | scene, key=key)


def triangle(scene: Triangle, *, link: str, text: str, title: str, key: str = "triangle", **more: Any) -> None:
    """How much every loss t moves every state k (``parts.triangle``); a hovered cell lights its path in the drawing.

    ``reach[t-1]`` is the first k, from 1, that a truncation keeps for the loss at t; cells before it are drawn hatched. A change
    of ``reach`` alone changes only those. ``reaches`` holds one for every stop of a slider with the same ``link``, which is then
    followed in the browser, without asking. ``unit`` says of what the numbers are, ``joint`` how the number of a cell is
    announced: "loss at 12 on state 5".
    """
    usual = {"unit": _("nats per unit of h"), "joint": _("on state"), "reach": None, "reaches": None}
    _triangle({"link": link, "text": text, "scene": scene, "title": title, **usual, **more}, key=key)
