"""The text coloured by surprise: typed, edited and clicked in place."""

from contextlib import nullcontext
from typing import Any

import numpy as np

from core.analysis.perplexity import Typed, distribution, read_typed
from core.analysis.perplexity import surprise as surprise_of
from core.figures.parts.symbols import kind_of
from core.figures.perplexity import surprise as figures
from core.text.corpus import SOURCES, source_of
from core.text.streams import Purpose, generator
from core.text.tokenizer import EOS
from core.training.turns import compute
from pages.perplexity.choice import COUNTED, NONE, NOT_FINITE, Choice, choose, cleaning, ghosts_not_offered
from pages.ui import frame
from pages.ui.components.surprise.surprise import surprise as surprise_panel
from pages.ui.state import Stage

EXAMPLES = [source.example for source in SOURCES.values() if source.example]
SLIP = "eh "  # in each of them: letters in the wrong places
STRETCHES = 6
SHORT = 400  # tokens that are read so fast that nobody need wait for their turn
PASSAGE = {"char": 160, "word": 30}  # tokens


def surprise(here: Stage, view: dict[str, Any]) -> None:
    """What two models say of a text, letter by letter."""
    text = view.get("text")
    typed = read_typed(example(here) if text is None else text, here.corpus.tokenizer, cleaning=cleaning(here))
    scene, problem = None, ""
    try:
        scene = read(here, view, typed)
    except ValueError as error:
        problem = str(error)
    said = [
        figures.missing_words(typed, here.corpus.tokenizer),
        figures.cut_words(typed, max(view.get("length", 0), len(typed.text)), kind_of(here.corpus)),
        problem,
    ]
    surprise_panel(
        scene or figures.text_scene(typed),
        notices=list(filter(None, said)),
        serial=view.get("serial", 0),
        on_edit=lambda text, caret, length, serial: view.update(text=text, caret=caret, length=length, serial=serial),
        on_pick=lambda column: view.update(picked=column, caret=None),
        on_another=lambda: another_passage(here, view),
    )
    if why := ghosts_not_offered(here):
        frame.note(why)


def read(here: Stage, view: dict[str, Any], typed: Typed) -> dict[str, Any]:
    """The whole picture; ``ValueError`` with a sentence for a text or a model that has no surprise to tell."""
    ids = typed.tokens()
    model = choose(here, view["model"])
    beside = choose(here, view["beside"]) if view["beside"] != NONE else None
    with compute() if len(ids) > SHORT else nullcontext():
        both = [(choice, surprise_of(choice.reader, ids)) for choice in (model, beside) if choice]
        if any(np.isnan(surprise.nats).any() for _, surprise in both):
            raise ValueError(NOT_FINITE)
        picked = place(view, typed, both[0][1].nats)
        opinions = [opinion(choice, surprise, ids[:picked]) for choice, surprise in both]
    tokenizer, kind = here.corpus.tokenizer, kind_of(here.corpus)
    return figures.surprise_scene(typed, opinions[0], opinions[1] if beside else None, picked, tokenizer, kind)


def opinion(choice: Choice, surprise: Any, before: np.ndarray) -> figures.Opinion:
    scores, p = distribution(choice.reader, before)
    return figures.Opinion(choice.name, surprise, scores, p, logits=not choice.key.startswith(COUNTED))


def place(view: dict[str, Any], typed: Typed, nats: np.ndarray) -> int:
    """Which token is looked at: the one clicked or just typed; at first the slip of the example, or what surprises most.

    It stays the same while the run trains.
    """
    caret = view.get("caret")
    if caret is not None:
        tokens = [piece for piece in typed.pieces if piece.id is not None]
        view["picked"] = sum(piece.start < caret for piece in tokens[1:])
        view["caret"] = None
    if view.get("picked") is None:
        view["picked"] = typed.text.index(SLIP) if typed.text in EXAMPLES else int(nats.argmax()) + 1
    return min(max(view["picked"], 1), len(nats))


def example(here: Stage) -> str:
    """What is there before anybody types: a sentence with a slip in it, or a passage of the text that was held out."""
    known = source_of(here.settings).example if here.corpus.tokenizer.unit == "char" else ""
    return known or passage(here, 0)


def passage(here: Stage, draw: int) -> str:
    """Some tokens of the text that is judged, of a few stretches the most varied: a row of dashes shows nothing."""
    inputs, tokenizer = here.watched.held_out.source.inputs, here.corpus.tokenizer
    length = min(PASSAGE[tokenizer.unit], len(inputs))
    starts = generator(draw, Purpose.DISPLAY).integers(len(inputs) - length + 1, size=STRETCHES)
    tokens = max((inputs[start : start + length] for start in starts), key=lambda tokens: len(set(tokens.tolist())))
    symbols = ["\n" if symbol == EOS else symbol for symbol in tokenizer.symbols(tokens)]
    return "".join(symbols) if tokenizer.unit == "char" else " ".join(symbols).replace(" \n ", "\n")


def another_passage(here: Stage, view: dict[str, Any]) -> None:
    view["draw"] = view.get("draw", 0) + 1
    view.update(text=passage(here, view["draw"]), picked=None, caret=None, length=0)
