"""Ten questions with numbers of the reader's own, and everything on this page saved as homework."""

from functools import partial

import streamlit as st

from core.analysis.exercises import Exercise, Verdict, check, exercise_set
from core.config.language import gettext as _
from pages.app.layout import elements
from pages.app.navigation.section_tabs import PageState, open_place
from pages.app.navigation.url_state import Param
from pages.app.session.session import Session
from pages.content.notation import in_notation
from pages.content.places import address_of, name_of
from pages.exercises.sheets import buttons

LARGEST = 999_999


def _seed(text: str) -> int:
    if not 0 <= int(text) <= LARGEST:
        raise ValueError
    return int(text)


PARAMS = {"set": Param(1, _seed)}


def show(session: Session, state: PageState) -> None:
    """Draw the number of the set, and its questions."""
    exercises, typed = exercise_set(state["set"]), session.answers.typed
    head = st.container(horizontal=True, vertical_alignment="center")
    for number, (kind, exercise) in enumerate(exercises, 1):
        with elements.place(f"exercise_{number}"):
            question(session, number, (state["set"], kind), exercise)
    right = sum(check(one, typed.get((state["set"], kind), "")).kind == "right" for kind, one in exercises)
    with head:  # filled last: by then the answers are read
        sentence = _(
            "Set {n}: {right} of {all} are right. Its number is in the address.", n=state["set"], right=right, all=len(exercises)
        )
        elements.note(sentence)
        st.button(_("Another set"), on_click=lambda: state.update(set=(state["set"] + 1) % LARGEST), key="exercises_other")
    buttons(session, state["set"])


def question(session: Session, number: int, which: tuple[int, str], exercise: Exercise) -> None:
    """Draw a question, the field for its answer, the verdict, the hints asked for, and the button that opens its place."""
    notation, answers = session.settings.notation, session.answers
    elements.heading(str(number), in_notation(_(exercise.question), notation))
    key, hints = f"exercises_{which[0]}_{which[1]}", answers.hints.get(which, 0)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        typed = st.text_input(_("Your answer"), answers.typed.get(which, ""), key=key, max_chars=200)
        answers.typed[which] = typed
        if hints < 2:
            st.button(_("Hint"), on_click=partial(_hint, session, which), key=f"{key}_hint")
        show_me(session, exercise.place, key)
    if typed.strip():
        _verdict(check(exercise, typed))
    for hint in (_(exercise.rule), exercise.numbers)[:hints]:
        elements.note(in_notation(hint, notation))


def _verdict(found: Verdict) -> None:
    if found.kind == "unreadable":
        elements.notice(found.says)
    else:
        elements.verdict(found.kind == "right", found.says)


def _hint(session: Session, which: tuple[int, str]) -> None:
    session.answers.hints[which] = session.answers.hints.get(which, 0) + 1


def show_me(session: Session, place: str, key: str) -> None:
    """The button that opens a place."""
    name, opens = in_notation(name_of(place), session.settings.notation), partial(open_place, session, address_of(place))
    st.button(_("Show me: {place}", place=name), on_click=opens, key=f"{key}_{place}_place")
