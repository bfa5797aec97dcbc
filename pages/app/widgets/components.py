"""The browser components except the bar of controls: the types of their data and events.

Each component is a function ``draw(data, key=name, on_<event>=...)`` (``component_factory.py``); modules of ``pages.figures``
create its data. Components with the same ``link`` share a play head, which keeps its position while ``text`` is unchanged.
``label``: the text alternative of a picture. ``serial``: the number of the newest edit; data for an older edit are not drawn.
"""

from collections.abc import Callable, Sequence
from typing import Any

from core.config.language import gettext as _
from pages.app.server.static_assets import PLOTLY, url_of
from pages.app.widgets.component_data import (
    CliffMap,
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
from pages.content.lecture import TEXT_LIMITS
from pages.figures.gradient_flow.weight_map import WeightMap
from pages.figures.parts.backward import BackwardNumbers, BothWays
from pages.figures.parts.book_index import IndexPart
from pages.figures.parts.chart import Figure
from pages.figures.parts.listing import ListingDrawing
from pages.figures.parts.network import NetworkDrawing
from pages.figures.parts.run_card import RunCard
from pages.figures.parts.scenes import ClosingSlide, LectureData, SceneBar, SceneCards
from pages.figures.parts.tables import Comparison, Grid, Panel
from pages.figures.parts.triangle import DependenceDrawing, Triangle
from pages.figures.perplexity.continuations import ContinuationsDrawing
from pages.figures.perplexity.number import ChoicesDrawing
from pages.figures.recurrent_step.blocks import Blocks, DiagramDrawing
from pages.figures.recurrent_step.networks import NetworksDrawing
from pages.figures.room.wall import RoomDrawing
from pages.figures.training.bit_rows import BitRows
from pages.figures.training.readout import WritingDrawing
from pages.figures.truncation.batch_order import MiniBatchesDrawing
from pages.figures.truncation.block_borders import Kept
from pages.figures.truncation.echo_bound import TaskDrawing
from pages.figures.unrolled.cell_drawings import CellDrawing, HeatMap, LayersDrawing
from pages.figures.unrolled.replacement import ReplacementDrawing
from pages.figures.unrolled.step_numbers import ProductDrawing, StepNumbers

WRITING = "writing"  # the link with which the live chart updates the text that the network writes
LINKED = {"link": str, "text": str}
COLUMNS = LINKED | {"columns": list[list[str]]}  # the input and the target of every step
PLACE = {"row": int, "column": int}
OPEN_SCENE = {"key": str, "opened": int}
REACHES = {"reach": list[int] | None, "reaches": list[list[int] | None] | None}

# The unrolled network (parts.network) with its play bar. plays: it plays automatically; aside: no bar while a scene is presented.
network = component(
    "network",
    LINKED | {"drawing": BothWays, "substeps": list[list[str]], "label": str, "plays": bool, "aside": bool},
)
# The step under the play head: its numbers, forward beside all units over time and backward; its cell; the layers over time.
step_numbers = component("step_numbers", COLUMNS | {"numbers": StepNumbers, "heat": HeatMap})
backward_numbers = component("backward_numbers", LINKED | {"numbers": BackwardNumbers})
cell = component("cell", LINKED | {"units": list[int], "cell": CellDrawing})
layers = component("layers", COLUMNS | {"drawing": LayersDrawing})
# The code of a picture: the lines of the sub-step at which the play head is, and their arrays at its step.
listing = component("listing", {"link": str, "drawing": ListingDrawing})
# The probability of the text, factor by factor; the influence of inputs on predictions; the text coloured by a unit.
product = component("product", LINKED | {"drawing": ProductDrawing})
dependence = component("dependence", LINKED | {"drawing": DependenceDrawing})
unit_text = component("unit_text", COLUMNS | {"suggestions": list[tuple[str, int]]})

# Boxes, wires and matrices of one step; a table of numbers.
diagram = component("diagram", DiagramDrawing)
grid = component("grid", Grid)
# Curves over the truncation length; the share kept at every stop of the slider with the same link, and the current stop. In a
# scene what is lost at each stop, from 0 to 1, as a small curve, and the stop at which the scene begins.
tau_chart = component("tau_chart", LinkedTauChart)
kept_share = component("kept_share", {"stops": list[Kept], "chosen": int, "link": str, "curve": list[float], "begins": int})
# The echo task with the borders that hide an answer; the mini-batches of a text, played update by update.
echo_task = component("echo_task", TaskDrawing)
bit_rows = component("bit_rows", BitRows)
mini_batches = component("mini_batches", {"drawing": MiniBatchesDrawing, "text": str})
# The text that the network writes, now and at earlier moments; the buttons of presentation mode and of the lecturer's window.
writing = component("writing", {"link": str, "writing": WritingDrawing})
present = component("present", {})

# Equations as blocks of numbers with editable cells; one text through two networks, with two tokens exchanged.
blocks = component("blocks", Blocks, events={"edit": {"id": str, **PLACE, "text": str}})
two_networks = component("two_networks", NetworksDrawing, events={"swap": {"i": int, "j": int}})
# Matrices with sliders for their sizes; probabilities with sliders. press: the name of an example, "more" or "fewer".
shapes = component("shapes", ShapesPanel, events={"move": {"name": str, "place": int}})
choices = component("choices", ChoicesDrawing, events={"move": {"token": int, "place": int}, "press": str})
# A text with a token replaced by another: the differences. replace: the index of a token, and the index of the other one.
replacement = component("replacement", ReplacementDrawing, events={"replace": {"at": int, "choice": int}})
# A gradient in which a weight is selected by its cell in the drawing or by its index.
weight_map = component("weight_map", WeightMap, events={"matrix": str, "cell": PLACE, "index": PLACE})

# An editable text coloured by surprise. length: before the text was cut; pick: a token was selected; another: show another text.
surprise = component(
    "surprise",
    {"drawing": ShownText, "notices": list[str], "serial": int},
    events={"edit": {"text": str, "caret": int, "length": int, "serial": int}, "pick": int, "another": None},
)
# Ranked continuations, None if they cannot be ranked. add: a continuation; remove: the continuation in this row.
continuations = component(
    "continuations",
    {"drawing": ContinuationsDrawing | None, "prompt": str, "notice": str, "serial": int},
    events={"prompt": {"text": str, "serial": int}, "add": str, "remove": int},
)
# Texts that a model writes, None if it cannot, and the effect of the temperature.
samples = component(
    "samples",
    {"drawing": GrowingSamples | None, "controls": SamplesControls},
    events={"prompt": {"text": str, "serial": int}, "texts": int, "greedy": bool, "temperature": int, "write": None},
)

# The bar that controls training. targets: the numbers that it offers for run_to and run_to_epoch.
transport = component(
    "transport",
    {"playing": bool, "targets": dict[str, int], "speed": float, "across": str},
    events={"press": str, "run_to": float, "run_to_epoch": float, "across": str, "speed": float},
)
# seek: to an update of the curve or of a flag; remedy: for a diverged run; expect: an empty line removes the drawn curve.
run_view = component(
    "run_view",
    RunView,
    events={"remedy": str, "seek": int, "scale": str, "draw": bool, "expect": {"line": list, "across": str, "serial": int}},
    parts=("live_figure", "readout"),
    plots=True,
)
# The run in the sidebar. seek: to an update of its history; below 0: to the present.
run_card = component("run_card", RunCard, events={"command": str, "seek": int})

# A link to the open page. request: the page's address, its play head, the number of the request, and the container at the top
# of the viewport. add_scene: the words of a scene with the same link.
share_dialog = component(
    "share_dialog",
    {"link": RequestedLink | None},
    events={"request": {"at": str, "step": str, "number": float, "view": str}, "add_scene": dict.fromkeys(TEXT_LIMITS, str)},
)
# The room of the hall, over the page. go: a press at a step of a question; hands: as many were counted for an option or bin.
room = component(
    "room", RoomDrawing, events={"go": {"step": str, "number": int, "what": str}, "hands": {"place": int, "many": int}}
)
# The scene bar, all scenes as cards, and the slide after the last scene. open_scene: the key of a scene, empty for all scenes,
# and the number of scenes opened before.
scene_bar = component("scene_bar", SceneBar, events={"open_scene": OPEN_SCENE, "done": str, "notice": None})
scenes = component("scenes", SceneCards, events={"open_scene": OPEN_SCENE})
closing_slide = component("closing_slide", ClosingSlide, events={"open_scene": OPEN_SCENE})
# A section of the index of the books; questions about them. open_place: the address of a place.
book_index = component("book_index", IndexPart, events={"open_place": str})
# The reader's own scenes. change: up, down, remove or undo; open_file: the text of the file.
lecture = component(
    "lecture",
    LectureData,
    events={
        "open_scene": OPEN_SCENE,
        "change": {"key": str, "what": str},
        "edit": {"key": str} | dict.fromkeys(TEXT_LIMITS, str),
        "open_file": str,
    },
)

_PICK = {"pick": {"x": float, "y": float}}  # a click at this place of a trace whose meta is "pick"
_live_figure = component("live_figure", LiveFigure, events=_PICK, plots=True)
# The map of a loss with two paths, played update by update; arrow keys pick another start.
cliff_map = component("cliff_map", CliffMap, events=_PICK, parts=("live_figure",), plots=True)
_cards = component("cards", {"cards": list[Panel], "columns": list[float]})
_comparison = component("comparison", Comparison)
_triangle = component("triangle", LINKED | {"drawing": Triangle, "title": str, "unit": str, "joint": str} | REACHES)


def live_figure(
    figure: Figure, *, key: str, keep: str = "", label: str, on_pick: Callable[[float, float], None] | None = None
) -> None:
    """Draw a plotly figure (plain data and layout with colour tokens), which is updated in place. ``on_pick(x, y)`` handles a
    click on a trace whose meta is "pick"."""
    _live_figure(live_data(figure, keep=keep, label=label), key=key, on_pick=on_pick)


def live_data(figure: Figure, *, keep: str, label: str) -> LiveFigure:
    """The data of ``live_figure``, also as part of another component's data."""
    return {"figure": figure, "keep": keep, "label": label, "plotly": url_of(PLOTLY)}


def column_labels(drawing: NetworkDrawing) -> list[list[str]]:
    """The input and the target of every step, from the columns of a network."""
    return [column["labels"] for column in drawing["columns"]]


def cards(panels: Sequence[Panel], *, columns: Sequence[float] = (), key: str) -> None:
    """Draw panels side by side with relative widths ``columns`` (equal if empty); one below the other on a narrow screen."""
    _cards({"cards": list(panels), "columns": list(columns) or [1] * len(panels)}, key=key)


def comparison(drawing: Comparison, *, key: str) -> None:
    """Draw the numbers of two or more things side by side, with a sentence about them (``parts.comparison``)."""
    _comparison({"gauges": [], "note": "", "sentence": "", "lines": 3} | drawing, key=key)


def triangle(drawing: Triangle, *, link: str, text: str, title: str, key: str = "triangle", **more: Any) -> None:
    """Draw the effect of every state k on every loss t (``parts.triangle``); a hovered cell highlights its path in the drawing.

    ``reach[t-1]`` is the first k, from 1, that a truncation keeps for the loss at t; cells before it are hatched. A change of
    ``reach`` alone redraws only the hatching. ``reaches``: a ``reach`` for every stop of a slider with the same ``link``, so that
    the browser follows the slider without a rerun. ``unit``: the unit of the numbers; ``joint``: the words between t and k when a
    cell is announced, as in "loss at 12 on state 5".
    """
    usual = {"unit": _("nats per unit of h"), "joint": _("on state"), "reach": None, "reaches": None}
    _triangle({"link": link, "text": text, "drawing": drawing, "title": title, **usual, **more}, key=key)
