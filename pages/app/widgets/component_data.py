"""What the pages add to scenes of ``core.figures`` before a component draws them."""

from typing import NotRequired, TypedDict, get_type_hints

from core.figures.parts.chart import Figure
from core.figures.parts.share_link import ShareLink
from core.figures.perplexity.surprise import SurpriseScene
from core.figures.perplexity.writing import BendScene, SamplesScene
from core.figures.recurrent_step.shapes import ShapesScene, TextRows
from core.figures.training.readout import Readout, WritingScene
from core.figures.training.reference_lines import ExpectationStatus
from core.figures.truncation.truncation_curves import TauChart
from pages.app.widgets.control_widgets import DrawnControl


class LiveFigure(TypedDict):
    """A plotly figure; the reader's zoom is kept as long as ``keep`` is the same."""

    figure: Figure
    keep: str
    label: str
    plotly: str  # where plotly.js is


class RunView(TypedDict):
    """The live chart, the numbers beside it, what the reader expects, and what the network writes (for ``writing``)."""

    figure: LiveFigure
    readout: Readout
    writing: WritingScene
    expecting: ExpectationStatus
    scale: str
    link: str


class LinkedTauChart(TauChart):
    """It follows a slider of the same ``link`` while that is dragged."""

    link: str


class NewScene(TypedDict):
    """The form that adds the link to the reader's lecture: a name, the maximum length of each field, and the last result."""

    name: str
    limits: dict[str, int]
    message: str


class RequestedLink(ShareLink):
    """The link of request ``number``; ``scene`` is None on the start page, which is no scene."""

    number: float
    scene: NewScene | None


class TemperatureSlider(TypedDict):
    """Where it stands, its words, and which of its places is 1."""

    at: int
    words: list[str]
    one: int


class SamplesControls(TypedDict):
    """What is chosen; ``serial`` is that of the newest prompt, ``most`` how many texts there can be."""

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
