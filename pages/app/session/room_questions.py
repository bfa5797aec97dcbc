"""The question that the hall is asked on the open page, with its truth computed for the session's run."""

import math
from typing import Any

from core.text.corpus import floor_of
from core.training.overflow import updates_until_overflow
from pages.app.server.room.room import Asked, shuffled
from pages.app.session.session import Session
from pages.content.lecture import answers_of
from pages.content.question import Choice, Number, Question, Truth
from pages.content.questions import HALL_QUESTIONS, ON_TRAINING

HIGHER = 1.5  # times V: the top of the chart of a curve
LONGER = 4  # characters by which the longer row of the question "counting" is longer


def has_question(session: Session) -> bool:
    """Whether the open page has a question for the hall: a scene's, or Training's."""
    return _question(session) is not None


def question_of(session: Session, *, by_hand: bool) -> Asked | None:
    """The question of the open page; None if it has none. ``by_hand``: a choice in place of a curve, which no hand can show."""
    question, scene = _question(session), session.scene
    if not question:
        return None
    if by_hand and not isinstance(question, Choice | Number):
        question = question.hands
    words = question.question or (scene.question or scene.name if scene else "")
    asked = Asked(scene.key if scene else "", _kind(question), words, own=bool(scene and scene.answers))
    return asked._replace(**_fields(question, session))


def _question(session: Session) -> Question | None:
    scene = session.scene
    if scene and scene.answers:
        right, *wrong = answers_of(scene)
        return Choice(right, tuple((words, "") for words in wrong))
    if scene and scene.key in HALL_QUESTIONS:
        return HALL_QUESTIONS[scene.key]
    return ON_TRAINING if session.navigation.page == "training" else None


def _kind(question: Question) -> str:
    return type(question).__name__.lower()


def _fields(question: Question, session: Session) -> dict[str, Any]:
    """The fields of a question that depend on its kind."""
    if isinstance(question, Choice):
        return shuffled(question.right, question.wrong)
    if isinstance(question, Number):
        bounds = question.low, question.high
        return {"bounds": bounds, "log": question.log, "truth": truth_of(question.truth, session), "guesses": question.wrong}
    lines = tuple((line.name, math.log(line.perplexity)) for line in session.baselines)
    top = math.log(HIGHER * session.corpus.tokenizer.size)
    return {"bounds": (1.0, float(question.until)), "log": True, "top": top, "lines": lines}


def truth_of(truth: Truth, session: Session) -> float:
    """The right number, computed; nan if this run has none."""
    settings, corpus = session.settings, session.corpus
    if truth == "table":
        return float(corpus.tokenizer.size) ** LONGER
    if truth == "floor":
        return floor_of(corpus, settings) or math.nan
    high = HALL_QUESTIONS["too_fast"].high
    return float(updates_until_overflow(settings, corpus, int(high)) or math.nan)
