"""The browser components that hear the reader: each calls its ``on_...`` before the page is drawn again."""

from collections.abc import Callable
from functools import partial
from typing import Any, NotRequired, TypedDict, get_type_hints

from core.content.lecture import LIMITS
from core.figures.gradient_flow.weight_map import WeightMap
from core.figures.parts.chart import Figure
from core.figures.parts.handout import Handout
from core.figures.parts.run_card import RunCard
from core.figures.parts.scenes import LectureScene, Strip, ThreadCards
from core.figures.perplexity.continuations import ContinuationsScene
from core.figures.perplexity.number import ChoicesScene
from core.figures.perplexity.surprise import SurpriseScene
from core.figures.perplexity.writing import BendScene, SamplesScene
from core.figures.recurrent_step.blocks import Blocks
from core.figures.recurrent_step.networks import NetworksScene
from core.figures.recurrent_step.shapes import ShapesScene, TextRows
from core.figures.training.readout import Readout, WritingScene
from core.figures.training.reference_lines import ExpectationStatus
from pages.app.server.static_assets import plotly_url
from pages.app.widgets.component_factory import component
from pages.app.widgets.control_widgets import DrawnControl, Knob, drawn
from pages.app.widgets.display_components import WRITING, LiveFigure, live_data

PLACE = {"row": int, "column": int}
GO = {"key": str, "opened": int}


class OfferedMoment(TypedDict):
    """What is open as a scene for the reader's own lecture: its name, the longest words by their names, and what came of it."""

    name: str
    limits: dict[str, int]
    says: str


class Handed(Handout):
    """The answer to the question ``asked``; on the start page there is no moment to keep."""

    asked: float
    moment: OfferedMoment | None


class TemperatureSlider(TypedDict):
    """Where it stands, its words, and which of its places is 1."""

    at: int
    words: list[str]
    one: int


class SamplesControls(TypedDict):
    """What is chosen; ``serial`` is that of the newest prompt."""

    prompt: str
    serial: int
    notice: str
    texts: int
    most: int
    greedy: bool
    temperature: TemperatureSlider


class GrowingSamples(SamplesScene):
    """Texts that grow by ``rate`` tokens a second; another ``number`` where they begin anew."""

    number: int
    says: str
    rate: float
    grows: bool
    bend: NotRequired[BendScene]


class ShapesPanel(ShapesScene):
    """The matrices under sliders for their sizes, and the rows of one of them."""

    sliders: list[DrawnControl]
    text: TextRows


ShownText = TypedDict("ShownText", get_type_hints(SurpriseScene), total=False)  # no more than the text where no model reads it

# Scenes of core.figures.recurrent_step: equations as blocks of numbers, whose cells may be typed into (on_edit: which matrix,
# row, column, text); one text through two networks (on_swap: which two tokens to exchange).
blocks = component("blocks", Blocks, hears={"edit": {"id": str, **PLACE, "text": str}})
two_networks = component("two_networks", NetworksScene, hears={"swap": {"i": int, "j": int}})

# Probabilities under sliders (perplexity.number): on_move(token, place), on_press(an example, "more" or "fewer").
choices = component("choices", ChoicesScene, hears={"move": {"token": int, "place": int}, "press": str})

# The run in the sidebar (parts.run_card): on_command(what); on_go(update) looks back, at now where it is below 0.
run_card = component("run_card", RunCard, hears={"command": str, "go": int})

# A link to what is open (parts.handout; None until one was asked for): on_ask(the address of the page, its play head, which
# question this is, the part at the top of the window); on_keep(the words of a scene that is to be there) adds what the link
# opens to the reader's own lecture.
handout = component(
    "handout",
    {"handed": Handed | None},
    hears={"ask": {"at": str, "step": str, "asked": float, "view": str}, "keep": dict.fromkeys(LIMITS, str)},
)

# A gradient in which a weight can be picked (gradient_flow.gradient_check): on_cell hears a cell of the drawing, on_index a
# weight.
weight_map = component("weight_map", WeightMap, hears={"matrix": str, "cell": PLACE, "index": PLACE})

# The strip of a scene, and all scenes as cards (parts.thread): on_go(the key of a scene, or none for all of them; how
# many were opened until then); on_done(the key of the scene that was done).
thread = component("thread", Strip, hears={"go": GO, "done": str})
scenes = component("scenes", ThreadCards, hears={"go": GO})

# The reader's own scenes (parts.lecture): on_go as above; on_change(the key of a scene, up, down, remove or undo);
# on_edit(the key of a scene, its words); on_open(the text of a file).
lecture = component(
    "lecture",
    LectureScene,
    hears={"go": GO, "change": {"key": str, "what": str}, "edit": {"key": str} | dict.fromkeys(LIMITS, str), "open": str},
)

_continuations = component(
    "continuations",
    {"scene": ContinuationsScene | None, "prompt": str, "notice": str, "serial": int},
    hears={"prompt": {"text": str, "serial": int}, "add": str, "remove": int},
)
_run_view = component(
    "run_view",
    {
        "figure": LiveFigure,
        "readout": Readout,
        "writing": WritingScene,
        "expecting": ExpectationStatus,
        "scale": str,
        "link": str,
    },
    hears={"remedy": str, "go": int, "scale": str, "draw": bool, "expect": {"line": list, "across": str, "serial": int}},
    parts=("live_figure", "readout"),
    isolated=False,
    library=plotly_url(),
)
_samples = component(
    "samples",
    {"scene": GrowingSamples | None, "controls": SamplesControls},
    hears={"prompt": {"text": str, "serial": int}, "texts": int, "greedy": bool, "temperature": int, "write": None},
)
_shapes = component("shapes", ShapesPanel, hears={"move": {"name": str, "place": int}})
_surprise = component(
    "surprise",
    {"scene": ShownText, "notices": list[str], "serial": int},
    hears={"edit": {"text": str, "caret": int, "length": int, "serial": int}, "pick": int, "another": None},
)
_transport = component(
    "transport",
    {"playing": bool, "targets": dict[str, int], "speed": float, "across": str},
    hears={"press": str, "run_to": float, "run_to_epoch": float, "across": str, "speed": float},
)


def transport(
    *,
    playing: bool,
    targets: dict[str, int],
    speed: float,
    across: str,
    on_command: Callable[[str, Any], None],
) -> None:
    """The bar that plays the training. ``targets`` are the numbers that it offers for run_to and for run_to_epoch.

    ``on_command(what, value)`` hears play, pause, step and reset (None), run_to, run_to_epoch, across and speed.
    """
    data = {"playing": playing, "targets": targets, "speed": speed, "across": across}
    set_to = {f"on_{what}": partial(on_command, what) for what in (*targets, "across", "speed")}
    _transport(data, on_press=lambda what: on_command(what, None), **set_to)


def run_view(
    figure: Figure,
    readout: Readout,
    writing: WritingScene,
    expecting: ExpectationStatus,
    *,
    scale: str,
    keep: str,
    label: str,
    on_remedy: Callable[[str], None],
    on_go: Callable[[int], None],
    on_scale: Callable[[str], None],
    on_draw: Callable[[bool], None],
    on_expect: Callable[[list, str, int], None],
) -> None:
    """The live chart (see ``live_figure``), the ``readout`` of ``training`` beside it, what is ``expecting`` below it, and news
    for the page's ``writing``.

    They are one message. ``on_remedy(what)`` hears the buttons of a diverged run, ``on_go(update)`` which point of the curve or
    which flag is clicked, ``on_scale(name)`` which ``scale`` of the axes is chosen, ``on_draw(begins)`` that the reader begins to
    draw what they expect or leaves it, and ``on_expect(line, across, serial)`` the line: none to clear it.
    """
    figure = live_data(figure, keep=keep, label=label)
    data = {"figure": figure, "readout": readout, "writing": writing, "expecting": expecting, "scale": scale, "link": WRITING}
    _run_view(data, on_remedy=on_remedy, on_go=on_go, on_scale=on_scale, on_draw=on_draw, on_expect=on_expect)


def shapes(scene: ShapesScene, knobs: list[Knob], *, on_move: Callable[[str, Any], None]) -> None:
    """Matrices to scale; ``on_move(name, value)`` hears the knobs while they are dragged."""
    offered = {knob.name: knob.values for knob in knobs}

    def moved(name: str, place: int) -> None:
        if 0 <= place < len(offered.get(name, ())):
            on_move(name, offered[name][place])

    _shapes(scene | {"sliders": list(map(drawn, knobs))}, on_move=moved)


def surprise(
    scene: ShownText,
    *,
    notices: list[str],
    serial: int,
    on_edit: Callable[[str, int, int, int], None],
    on_pick: Callable[[int], None],
    on_another: Callable[[], None],
) -> None:
    """A text that can be typed into, coloured by surprise (``perplexity.surprise``).

    ``on_edit(text, caret, length, serial)`` hears what is typed, and how long it was before it was cut; ``on_pick(column)``
    which token is clicked, ``on_another()`` the button. ``serial`` is that of the newest edit: what answers an older one is not
    drawn.
    """
    data = {"scene": scene, "notices": notices, "serial": serial}
    _surprise(data, on_edit=on_edit, on_pick=on_pick, on_another=on_another)


def continuations(
    scene: ContinuationsScene | None,
    *,
    prompt: str,
    notice: str,
    serial: int,
    on_prompt: Callable[[str, int], None],
    on_add: Callable[[str], None],
    on_remove: Callable[[int], None],
) -> None:
    """Ways to go on, ranked (``perplexity.continuations``; None where nothing can be ranked).

    ``on_prompt(text, serial)`` hears the beginning as it is typed; ``serial`` is that of the newest one. ``on_add(text)`` and
    ``on_remove(row)`` change the reader's own.
    """
    data = {"scene": scene, "prompt": prompt, "notice": notice, "serial": serial}
    _continuations(data, on_prompt=on_prompt, on_add=on_add, on_remove=on_remove)


def samples(scene: GrowingSamples | None, *, controls: SamplesControls, on_command: Callable[[str, Any], None]) -> None:
    """What a model writes (``perplexity.writing``; None where nothing can be written), and what the temperature does.

    ``on_command(what, value)``: prompt {text, serial}, write (None), texts, greedy, temperature.
    """
    _samples(
        {"scene": scene, "controls": controls},
        on_prompt=lambda text, serial: on_command("prompt", {"text": text, "serial": serial}),
        on_write=lambda: on_command("write", None),
        **{f"on_{what}": partial(on_command, what) for what in ("texts", "greedy", "temperature")},
    )
