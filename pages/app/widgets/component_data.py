"""Types of component data that pages build from scenes of ``pages.figures``."""

from typing import NotRequired, TypedDict, get_type_hints

from pages.app.widgets.control_widgets import DrawnControl
from pages.figures.gradient_flow.cliff import Steps
from pages.figures.parts.chart import Figure
from pages.figures.parts.share_link import ShareLink
from pages.figures.perplexity.surprise import SurpriseDrawing
from pages.figures.perplexity.writing import BendDrawing, SamplesDrawing
from pages.figures.recurrent_step.shapes import ShapesDrawing, TextRows
from pages.figures.training.readout import BesideRow, Readout, WritingDrawing
from pages.figures.training.reference_lines import ExpectationStatus
from pages.figures.truncation.truncation_curves import TauChart


class LiveFigure(TypedDict):
    """A plotly figure; the reader's zoom is kept while ``keep`` is unchanged."""

    figure: Figure
    keep: str
    label: str
    plotly: str  # URL of plotly.js


class CliffMap(Steps):
    """The map of a loss with two paths on it."""

    figure: LiveFigure


class RunView(TypedDict):
    """The live chart, the numbers beside it, the state of the reader's prediction, and the text that the network writes."""

    figure: LiveFigure
    readout: Readout
    beside: list[BesideRow]  # in a scene
    writing: WritingDrawing
    expecting: ExpectationStatus
    scale: str
    link: str


class LinkedTauChart(TauChart):
    """A chart that follows a slider with the same ``link`` while the slider is dragged."""

    link: str


class NewScene(TypedDict):
    """The form that adds the link to the reader's lecture: name, maximum length of each field, what a scene can hide (its key,
    in words), message about the last attempt."""

    name: str
    limits: dict[str, int]
    hides: list[tuple[str, str]]
    message: str


class RequestedLink(ShareLink):
    """The link of request ``number``; ``scene`` is None on the start page, which cannot be a scene."""

    number: float
    scene: NewScene | None


class TemperatureSlider(TypedDict):
    """The current index, the label of each index, and the index of temperature 1."""

    at: int
    words: list[str]
    one: int


class SamplesControls(TypedDict):
    """The current choices. ``serial``: number of the newest prompt; ``most``: maximum number of texts."""

    prompt: str
    serial: int
    notice: str
    texts: int
    most: int
    greedy: bool
    temperature: TemperatureSlider


class GrowingSamples(SamplesDrawing):
    """Texts that grow by ``rate`` tokens per second; ``number`` changes when they start again."""

    number: int
    says: str
    rate: float
    grows: bool
    bend: NotRequired[BendDrawing]


class ShapesPanel(ShapesDrawing):
    """The matrices, the sliders for their sizes, and the first rows of X_t."""

    sliders: list[DrawnControl]
    text: TextRows


ShownText = TypedDict("ShownText", get_type_hints(SurpriseDrawing), total=False)  # only the text if no model reads it
