"""A text coloured by surprise, which the reader edits and clicks in place."""

from typing import Any

import numpy as np

from core.analysis import perplexity as analysis
from core.analysis.displayed_text import Typed, drawn_passage, missing_sentence, read_typed
from core.config.language import gettext as _, sentences
from core.models.sampling import score
from core.text.corpus import SOURCES, source_of
from core.text.tokenizer import EOS
from core.training.run.scheduler import compute
from pages.app.layout import elements
from pages.app.navigation.section_tabs import PageState
from pages.app.navigation.url_state import LONGEST_TYPED, TOO_LONG, Param, sync_params, text_param
from pages.app.session.session import Session
from pages.app.widgets.components import surprise as surprise_panel
from pages.figures.parts.symbols import kind_of
from pages.figures.perplexity import surprise as figures
from pages.figures.perplexity.surprise_numbers import ModelOutput
from pages.perplexity.choice import COUNTED, NONE, NOT_FINITE, Choice, choose, cleaning, ghosts_not_offered

EXAMPLES = [source.example for source in SOURCES.values() if source.example]
MISSPELLING = "eh "  # in each example: swapped letters
PASSAGES = 6  # random passages, of which the most varied one is shown
SHORT = 400  # tokens at most that are read without the compute lock, as this is fast
PARAMS = {"text": text_param(None), "picked": Param(None, int)}
PASSAGE = {"char": 160, "word": 30}  # tokens


def show(session: Session, state: PageState) -> None:
    """Draw a text with the surprise of one or two models at every token."""
    text = example(session, state) if state["text"] is None else state["text"]
    typed = read_typed(text, session.corpus.tokenizer, cleaning=cleaning(session))
    drawing, problem = None, ""
    try:
        drawing = read(session, state, typed)
    except ValueError as error:
        problem = str(error)
    sync_params(session, PARAMS, state)
    notices = [
        missing_sentence(len(typed.missing), session.corpus.tokenizer),
        figures.cut_words(typed, max(state.get("length", 0), len(typed.text)), kind_of(session.corpus)),
        problem,
    ]
    surprise_panel(
        {
            "drawing": drawing or figures.text_drawing(typed),
            "notices": list(filter(None, notices)),
            "serial": state.get("serial", 0),
        },
        on_edit=lambda text, caret, length, serial: state.update(text=text, caret=caret, length=length, serial=serial),
        on_pick=lambda column: state.update(picked=column, caret=None),
        on_another=lambda: another_passage(session, state),
    )
    if notes := [
        *filter(None, [ghosts_not_offered(session)]),
        *([_(TOO_LONG)] if len(state["text"] or "") > LONGEST_TYPED else []),
    ]:
        elements.note(sentences(*notes))
    elements.source("surprise", analysis.surprise, analysis.Surprise, score)


def read(session: Session, state: PageState, typed: Typed) -> dict[str, Any]:
    """The scene with all surprises. ``ValueError`` with a message if the text is too short or the model's losses are NaN."""
    ids = typed.tokens()
    model = choose(session, state["model"])
    beside = choose(session, state["beside"]) if state["beside"] != NONE else None

    def opinions() -> tuple[int, list[ModelOutput]]:
        both = [(choice, analysis.surprise(choice.reader, ids)) for choice in (model, beside) if choice]
        if any(np.isnan(surprises.nats).any() for _choice, surprises in both):
            raise ValueError(_(NOT_FINITE))
        picked = place(state, typed, both[0][1].nats)
        return picked, [opinion(choice, surprises, ids[:picked]) for choice, surprises in both]

    picked, found = opinions() if len(ids) <= SHORT else compute(opinions)
    tokenizer, kind = session.corpus.tokenizer, kind_of(session.corpus)
    return figures.surprise_drawing(typed, found[0], found[1] if beside else None, picked, tokenizer, kind)


def opinion(choice: Choice, surprises: analysis.Surprise, before: np.ndarray) -> ModelOutput:
    scores, p = analysis.distribution(choice.reader, before)
    return ModelOutput(choice.name, surprises, scores, p, logits=not choice.key.startswith(COUNTED))


def place(state: PageState, typed: Typed, nats: np.ndarray) -> int:
    """The index of the selected token: ``picked`` (also in the URL), the last one clicked or typed; before that the misspelling
    in the example, or the most surprising token.

    It stays the same while the run trains.
    """
    caret = state.get("caret")
    if caret is not None:
        tokens = [piece for piece in typed.pieces if piece.id is not None]
        state["picked"] = sum(piece.start < caret for piece in tokens[1:])
        state["caret"] = None
    if state["picked"] is None and state.get("striking") is None:
        state["striking"] = typed.text.index(MISSPELLING) if typed.text in EXAMPLES else int(nats.argmax()) + 1
    shown = state["striking"] if state["picked"] is None else state["picked"]
    return min(max(shown, 1), len(nats))


def example(session: Session, state: PageState) -> str:
    """The initial text: an example sentence with a misspelling, or a random passage of the judged text."""
    tokenizer, draw, known = session.corpus.tokenizer, state.get("draw", 0), source_of(session.settings).example
    if known and tokenizer.unit == "char" and not draw:
        return known
    tokens = drawn_passage(session.monitored.held_out.source.inputs, PASSAGE[tokenizer.unit], draw, PASSAGES)
    symbols = ["\n" if symbol == EOS else symbol for symbol in tokenizer.symbols(tokens)]
    return "".join(symbols) if tokenizer.unit == "char" else " ".join(symbols).replace(" \n ", "\n")


def another_passage(session: Session, state: PageState) -> None:
    state.update(draw=state.get("draw", 0) + 1, text=None, picked=None, striking=None, caret=None, length=0)
