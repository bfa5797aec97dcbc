"""The browser components that only show: each draws what a module of ``core.figures`` made.

Components with the same ``link`` share one play head; it keeps its place while ``text`` is the same. ``label`` says in words
what a picture shows.
"""

from collections.abc import Sequence
from typing import TypedDict

from core.config.language import gettext as _
from core.figures.parts.backward import BackwardNumbers, BothWays
from core.figures.parts.chart import Figure
from core.figures.parts.network import NetworkScene
from core.figures.parts.tables import Comparison, Grid, Panel
from core.figures.parts.triangle import DependenceScene, Triangle
from core.figures.recurrent_step.blocks import DiagramScene
from core.figures.training.readout import WritingScene
from core.figures.truncation.batch_order import MiniBatchesScene
from core.figures.truncation.block_borders import Kept
from core.figures.truncation.echo_bound import TaskScene
from core.figures.truncation.truncation_curves import TauChart
from core.figures.unrolled.cell_scenes import CellScene, HeatMap, LayersScene
from core.figures.unrolled.step_numbers import ProductScene, StepNumbers
from pages.app.server.static_assets import plotly_url
from pages.app.widgets.component_factory import component

WRITING = "writing"  # the link by which the live picture renews what the network writes

LINKED = {"link": str, "text": str}
COLUMNS = LINKED | {"columns": list[list[str]]}  # the input and the target of every step


class LiveFigure(TypedDict):
    """A plotly figure; the reader's zoom is kept as long as ``keep`` is the same."""

    figure: Figure
    keep: str
    label: str
    plotly: str  # where plotly.js is


class LinkedTauChart(TauChart):
    """It follows a hand that drags."""

    link: str


_DRAWN = {
    name: component(name, shows)
    for name, shows in {
        "backward_numbers": LINKED | {"numbers": BackwardNumbers},
        "cards": {"cards": list[Panel], "columns": list[float]},
        "cell": LINKED | {"units": list[int], "cell": CellScene},
        "comparison": Comparison,
        "dependence": LINKED | {"scene": DependenceScene},
        "diagram": DiagramScene,
        "echo_task": TaskScene,
        "grid": Grid,
        "kept_share": {"stops": list[Kept], "chosen": int, "link": str},
        "layers": COLUMNS | {"scene": LayersScene},
        "mini_batches": {"scene": MiniBatchesScene, "text": str},
        "network": LINKED | {"scene": BothWays, "substeps": list[list[str]], "label": str, "plays": bool, "aside": bool},
        "present": {},
        "product": LINKED | {"scene": ProductScene},
        "step_numbers": COLUMNS | {"numbers": StepNumbers, "heat": HeatMap},
        "tau_chart": LinkedTauChart,
        "triangle": LINKED
        | {
            "scene": Triangle,
            "title": str,
            "unit": str,
            "joint": str,
            "reach": list[int] | None,
            "reaches": list[list[int] | None] | None,
        },
        "unit_text": COLUMNS | {"suggestions": list[tuple[str, int]]},
        "writing": {"link": str, "writing": WritingScene},
    }.items()
}
_figure = component("live_figure", LiveFigure, isolated=False, library=plotly_url())


def live_figure(figure: Figure, *, key: str, keep: str, label: str) -> None:
    """A plotly figure (plain data and layout with colour tokens) that changes in place."""
    _figure(live_data(figure, keep=keep, label=label), key=key)


def live_data(figure: Figure, *, keep: str, label: str) -> LiveFigure:
    """What ``live_figure`` draws; also where it is part of another component."""
    return {"figure": figure, "keep": keep, "label": label, "plotly": plotly_url()}


def network(
    scene: BothWays,
    *,
    link: str,
    text: str,
    substeps: list[list[str]],
    label: str,
    key: str = "network",
    plays: bool = False,
    aside: bool = False,
) -> None:
    """The drawing of the unrolled network (``parts.network``), and the bar that plays it; it ``plays`` by itself.

    The bar is ``aside``: left out while a scene is presented.
    """
    data = {"link": link, "text": text, "scene": scene, "substeps": substeps, "label": label, "plays": plays, "aside": aside}
    _DRAWN["network"](data, key=key)


def backward_numbers(numbers: BackwardNumbers, *, link: str, text: str) -> None:
    """The step under the play head on the way back, in numbers (``parts.backward``)."""
    _DRAWN["backward_numbers"]({"link": link, "text": text, "numbers": numbers})


def step_numbers(numbers: StepNumbers, heat: HeatMap, scene: NetworkScene, *, link: str, text: str) -> None:
    """The step under the play head in numbers (``unrolled.step_numbers``), beside all units over time."""
    _DRAWN["step_numbers"]({**_columns(scene, link, text), "numbers": numbers, "heat": heat})


def unit_text(suggestions: list[tuple[str, int]], scene: NetworkScene, *, link: str, text: str) -> None:
    """The text of ``scene`` coloured by a unit that the reader chooses; its states come with the heat map."""
    _DRAWN["unit_text"]({**_columns(scene, link, text), "suggestions": suggestions})


def _columns(scene: NetworkScene, link: str, text: str) -> dict[str, str | list[list[str]]]:
    columns = [column["said"] for column in scene["columns"]]
    return {"link": link, "text": text, "columns": columns}


def cell(opened: CellScene, scene: NetworkScene, *, link: str, text: str) -> None:
    """One recurrent cell opened (``unrolled.cell``): what the step under the play head joins, computes and copies."""
    _DRAWN["cell"]({"link": link, "text": text, "units": scene["units"], "cell": opened})


def layers(stack: LayersScene, scene: NetworkScene, *, link: str, text: str) -> None:
    """The layers of the network by name, stacked over time (``unrolled.layers``)."""
    _DRAWN["layers"]({**_columns(scene, link, text), "scene": stack})


def product(scene: ProductScene, *, link: str, text: str) -> None:
    """The probability of the text, factor by factor (``unrolled.product``)."""
    _DRAWN["product"]({"link": link, "text": text, "scene": scene})


def dependence(scene: DependenceScene, *, link: str, text: str) -> None:
    """Which input moves which prediction (``unrolled.dependence``)."""
    _DRAWN["dependence"]({"link": link, "text": text, "scene": scene})


def diagram(scene: DiagramScene, *, key: str) -> None:
    """A drawing of boxes, wires, words and small matrices (``core.figures.recurrent_step.blocks``)."""
    _DRAWN["diagram"](scene, key=key)


def triangle(
    scene: Triangle,
    *,
    link: str,
    text: str,
    title: str,
    unit: str = "",
    joint: str = "",
    reach: Sequence[int] | None = None,
    reaches: Sequence[Sequence[int] | None] | None = None,
    key: str = "triangle",
) -> None:
    """How much every loss t moves every state k (``parts.triangle``); a hovered cell lights its path in the drawing.

    ``reach[t-1]`` is the first k, from 1, that a truncation keeps for the loss at t; cells before it are drawn hatched. A change
    of ``reach`` alone changes only those. ``reaches`` holds one for every stop of a slider with the same ``link``, which is then
    followed in the browser, without asking. ``unit`` says of what the numbers are, ``joint`` how the number of a cell is
    announced: "loss at 12 on state 5".
    """
    words = {"title": title, "unit": unit or _("nats per unit of h"), "joint": joint or _("on state")}
    reached = {"reach": list(reach) if reach else None, "reaches": reaches}
    _DRAWN["triangle"]({"link": link, "text": text, "scene": scene, **words, **reached}, key=key)


def tau_chart(scene: TauChart, *, link: str, key: str) -> None:
    """Curves over the truncation length (``truncation.cut``), with the present one ringed; it follows a hand that drags."""
    _DRAWN["tau_chart"](scene | {"link": link}, key=key)


def kept_share(stops: Sequence[Kept], chosen: int, *, link: str, key: str = "kept_share") -> None:
    """Words (of ``truncation.cut``) for every stop of the slider with the same ``link``, and its stop now."""
    _DRAWN["kept_share"]({"stops": list(stops), "chosen": chosen, "link": link}, key=key)


def echo_task(scene: TaskScene) -> None:
    """Every answer of the echo task and the input it repeats, and the borders that hide it (``truncation.proof``)."""
    _DRAWN["echo_task"](scene)


def mini_batches(scene: MiniBatchesScene, *, text: str) -> None:
    """The mini-batches of a text, played update by update (``truncation.mini_batches``)."""
    _DRAWN["mini_batches"]({"scene": scene, "text": text})


def cards(panels: Sequence[Panel], *, columns: Sequence[float] = (), key: str) -> None:
    """Panels side by side, as wide as ``columns`` say (equal when empty); below each other on a narrow screen."""
    _DRAWN["cards"]({"cards": list(panels), "columns": list(columns) or [1] * len(panels)}, key=key)


def comparison(scene: Comparison, *, key: str) -> None:
    """Numbers of two or more things side by side, with the sentence that they make (``parts.comparison``)."""
    _DRAWN["comparison"]({"gauges": [], "note": "", "sentence": "", "lines": 3} | scene, key=key)


def grid(scene: Grid, *, key: str) -> None:
    """A table of numbers (``parts.grid``), shaded and with bars; it scrolls within itself where it is wider than the screen."""
    _DRAWN["grid"](scene, key=key)


def writing(scene: WritingScene) -> None:
    """What the network writes, now and at earlier moments (``training.writing``)."""
    _DRAWN["writing"]({"link": WRITING, "writing": scene})


def present() -> None:
    """The button that presents, as its key does (``shared/keys.js``)."""
    _DRAWN["present"]({})
