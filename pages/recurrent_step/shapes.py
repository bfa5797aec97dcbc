"""Shapes: every matrix to scale, and what does not grow with the length of the text."""

from core.analysis.recurrent_step import shapes as analysis
from core.figures.parts.numbers import count
from core.figures.recurrent_step.shapes import shapes_scene, shapes_words
from pages.ui.draw import cards
from pages.ui.hear import shapes as shapes_panel
from pages.ui.sections import Wishes
from pages.ui.state import Stage

SIZES = {  # name: label, help, places of its slider
    "N": ("N, sequences", "Rows of the batch", (1, 2, 4, 8, 16, 32, 64, 128, 256)),
    "D": ("D, input", "Width of the input vector: of an embedding, or V when one-hot", (0, 8, 16, 32, 64, 100, 128, 256)),
    "H": ("H, hidden units", "Width of the state", (1, 4, 8, 16, 32, 64, 100, 128, 256, 512)),
    "V": ("V, vocabulary", "Different tokens", (2, 10, 28, 50, 100, 200, 418, 1000, 2000, 5000, 10_000)),
}


def shapes(here: Stage, wishes: Wishes) -> None:
    """Every matrix to scale, and what does not grow with the length of the text."""
    chosen = wishes.setdefault("sizes", {}) or own_sizes(here)
    N, D, H, V = (chosen[name] for name in SIZES)
    sliders = [_slider(name, chosen[name]) for name in SIZES]
    scene = shapes_scene(N, D, H, V, here.settings.activation)
    shapes_panel(scene, sliders, on_move=lambda name, place: _resize(here, wishes, name, place))
    cards(shapes_words(analysis.numbers(N, D, H, V)), columns=(1.2, 1, 1), key="shapes_words")


def own_sizes(here: Stage) -> dict[str, int]:
    """The sizes of the live run."""
    settings, V = here.settings, here.corpus.tokenizer.size
    return {"N": settings.batch_size, "D": settings.embedding_size, "H": settings.hidden_size, "V": V}


def _slider(name: str, value: int) -> dict:
    label, help, places = SIZES[name]
    places = sorted({*places, value})
    words = ["one-hot: V" if name == "D" and place == 0 else count(place) for place in places]
    return {"name": name, "label": label, "help": help, "words": words, "at": places.index(value)}


def _resize(here: Stage, wishes: Wishes, name: str, place: int) -> None:
    chosen = wishes["sizes"] or own_sizes(here)
    if name in SIZES:
        places = sorted({*SIZES[name][2], chosen[name]})
        wishes["sizes"] = chosen | {name: places[min(max(place, 0), len(places) - 1)]}
