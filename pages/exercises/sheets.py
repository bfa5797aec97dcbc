"""The page of exercises as a file: for homework with the reader's answers, and as a sheet for the teacher."""

import streamlit as st

from core.analysis.exercises import exercise_set
from core.config.language import gettext as _
from pages.app.session.session import Session
from pages.content.book_exercises import BOOK_SECTION, EXERCISES, BookExercise
from pages.content.notation import FIRST_SOURCE, SOURCE_TITLES, in_notation
from pages.content.predictions import PREDICTIONS
from pages.exercises.asked import asked_with, known
from pages.exercises.verdicts import said, verdict
from pages.figures.parts.homework import Item, SheetPart, answered, sheet, solved, your_answer
from pages.figures.parts.numbers import count


def buttons(session: Session, number: int) -> None:
    """Draw the buttons that save the answers to set ``number``, to the predictions and to the book's exercises."""
    with st.container(horizontal=True):
        for name, words, make in (
            ("homework", _("Save as homework"), homework),
            ("teacher", _("Sheet for the teacher"), teachers),
        ):
            file = f"exercises-{number}-{name}.html"
            st.download_button(words, make(session, number), file, "text/html", on_click="ignore", key=f"exercises_{name}")


def homework(session: Session, number: int) -> str:
    """The sheet with the reader's answers."""
    answers, notation = session.answers, session.settings.notation
    of_set = [answered(one, answers.typed.get((number, kind), ""), notation) for kind, one in exercise_set(number)]
    predicted = [
        Item([_(one.question), your_answer(said(PREDICTIONS[name], one)), *verdict(PREDICTIONS[name], one)])
        for name, one in [(name, known(session, name) or one) for name, one in list(answers.predicted.items())]
    ]
    written = [
        Item([in_notation(_(one.question), notation), your_answer(answers.written.get(name, ""))])
        for name, one in EXERCISES.items()
    ]
    return sheet(_title(number), _parts(number, of_set, predicted, written), named=True)


def teachers(session: Session, number: int) -> str:
    """The sheet with the right answers, and what decides the predictions, whose answers are those of each reader's run."""
    notation = session.settings.notation
    of_set = [solved(one, notation) for _kind, one in exercise_set(number)]
    predictions = [
        Item([in_notation(_(PREDICTIONS[name].question, **values), notation), in_notation(_(PREDICTIONS[name].why), notation)])
        for name, values in asked_with(session).items()
    ]
    models = [Item([in_notation(_(one.question), notation), *model_answer(session, one)]) for one in EXERCISES.values()]
    return sheet(_("{title}: for the teacher", title=_title(number)), _parts(number, of_set, predictions, models), named=False)


def _title(number: int) -> str:
    return _("Exercises, set {n}", n=number)


def _parts(number: int, of_set: list[Item], predictions: list[Item], of_book: list[Item]) -> list[SheetPart]:
    return [
        SheetPart(_("Set {n}", n=number), of_set),
        SheetPart(_("Predictions about the run"), predictions),
        SheetPart(_("{book}, {section}", book=SOURCE_TITLES[FIRST_SOURCE], section=BOOK_SECTION), of_book),
    ]


def model_answer(session: Session, exercise: BookExercise) -> list[str]:
    """The points of a model answer, with the sizes of the reader's run."""
    settings, V = session.settings, session.corpus.tokenizer.size
    N, T = settings.batch_size, settings.num_steps
    sizes = {"V": count(V), "N": count(N), "T": count(T), "n": count(T * N * V)}
    return [in_notation(_(point, **sizes), settings.notation) for point in exercise.points]
