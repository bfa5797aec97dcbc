"""The exercises of the first book's section: an answer of the reader's own, beside a model answer and what to try."""

from functools import partial

import streamlit as st

from core.config.language import gettext as _
from pages.app.layout import elements
from pages.app.navigation.section_tabs import PageState
from pages.app.session.session import Session
from pages.content.book_exercises import EXERCISES, BookExercise
from pages.content.notation import in_notation
from pages.exercises.question_set import show_me
from pages.exercises.sheets import buttons, model_answer

LONGEST = 2000  # characters of an answer


def show(session: Session, state: PageState) -> None:
    """Draw the four exercises."""
    for number, exercise in EXERCISES.items():
        with elements.place(f"book_exercise_{number}"):
            _exercise(session, number, exercise)
    buttons(session, state["set"])


def _exercise(session: Session, number: str, exercise: BookExercise) -> None:
    answers, notation, key = session.answers, session.settings.notation, f"exercises_book_{number}"
    elements.heading(_("Exercise {number}", number=number), in_notation(_(exercise.question), notation))
    written = st.text_area(_("Your answer"), answers.written.get(number, ""), key=key, max_chars=LONGEST, height=100)
    answers.written[number] = written
    if number not in answers.compared:
        st.button(_("Compare with a model answer"), on_click=partial(answers.compared.add, number), key=f"{key}_compare")
        return
    for point in model_answer(session, exercise):
        elements.note(f"• {point}")
    elements.note(_("To try: {what}", what=in_notation(_(exercise.tries), notation)))
    with st.container(horizontal=True):
        for place in exercise.places:
            show_me(session, place, key)
