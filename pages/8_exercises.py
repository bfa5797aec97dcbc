"""The exercises: questions with numbers of the reader's own, checked answers, hints, and the page as homework."""

from functools import partial

import streamlit as st

from core.analysis.exercises import Exercise, check, exercise_set
from core.config.language import gettext as _
from pages.app.layout import elements
from pages.app.navigation.section_tabs import SECTION, check_names
from pages.app.navigation.url_state import Param, param_from_query, sync_params
from pages.app.session.session import Session, current_session
from pages.content.notation import in_notation
from pages.content.places import address_of, name_of
from pages.figures.parts.homework import homework

LARGEST = 999_999


def _seed(text: str) -> int:
    if not 0 <= int(text) <= LARGEST:
        raise ValueError
    return int(text)


PARAMS = {"set": Param(1, _seed)}


def page() -> None:
    session = current_session()
    elements.title(_("Exercises"), _("Ten questions with numbers of your own. An answer that is a known mistake is told which."))
    state = st.session_state.setdefault("kept_exercises", {"answers": {}, "hints": {}})
    if "set" not in state:
        state["set"] = param_from_query(session, "set", PARAMS["set"])
    check_names(session, {SECTION, *PARAMS})
    elements.notice(*session.notices)
    sync_params(session, PARAMS, state)
    exercises = exercise_set(state["set"])
    bar(session, state, exercises)
    for number, (kind, exercise) in enumerate(exercises, 1):
        with elements.place(f"exercise_{number}"):
            show(session, state, number, (state["set"], kind), exercise)


def bar(session: Session, state: dict, exercises: list[tuple[str, Exercise]]) -> None:
    """Draw the number of the set, and the set as a page for homework and as a sheet for the teacher."""
    right = sum(check(one, state["answers"].get((state["set"], kind), "")).kind == "right" for kind, one in exercises)
    elements.note(
        _("Set {n}: {right} of {all} are right. Its number is in the address.", n=state["set"], right=right, all=len(exercises))
    )
    notation, ones = session.settings.notation, [one for _kind, one in exercises]
    typed = [state["answers"].get((state["set"], kind), "") for kind, _one in exercises]
    with st.container(horizontal=True):
        st.button(_("Another set"), on_click=lambda: state.update(set=(state["set"] + 1) % LARGEST), key="exercises_other")
        for name, words, answers in (("homework", _("Save as homework"), False), ("teacher", _("Sheet for the teacher"), True)):
            written = homework(ones, typed, number=state["set"], notation=notation, answers=answers)
            file = f"exercises-{state['set']}-{name}.html"
            st.download_button(words, written, file, "text/html", on_click="ignore", key=f"exercises_{name}")


def show(session: Session, state: dict, number: int, which: tuple[int, str], exercise: Exercise) -> None:
    """Draw a question, the field for its answer, the verdict, the hints asked for, and the button that opens its place."""
    notation = session.settings.notation
    elements.heading(str(number), in_notation(_(exercise.question), notation))
    key, answers, hints = f"exercises_{which[0]}_{which[1]}", state["answers"], state["hints"].get(which, 0)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        typed = st.text_input(_("Your answer"), answers.get(which, ""), key=key, max_chars=200)
        answers[which] = typed
        if hints < 2:
            st.button(_("Hint"), on_click=partial(_hint, state, which), key=f"{key}_hint")
        place = in_notation(name_of(exercise.place), notation)
        st.button(_("Show me: {place}", place=place), on_click=partial(_open, session, exercise.place), key=f"{key}_place")
    if typed.strip():
        elements.notice(check(exercise, typed).says)
    for hint in (_(exercise.rule), exercise.numbers)[:hints]:
        elements.note(in_notation(hint, notation))


def _hint(state: dict, which: tuple[int, str]) -> None:
    state["hints"][which] = state["hints"].get(which, 0) + 1


def _open(session: Session, place: str) -> None:
    session.navigation.request_place(address_of(place))


page()
