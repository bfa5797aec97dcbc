"""Predictions about the live run, checked by the run itself or by the computation that trains it."""

from functools import partial

import streamlit as st

from core.analysis.exercises import read_numbers
from core.config.language import Message, gettext as _, lazy_gettext
from core.training.experiments import predictions as outcomes
from core.training.run.scheduler import compute
from pages.app.layout import elements
from pages.app.navigation.section_tabs import PageState
from pages.app.session.answers import Predicted
from pages.app.session.session import Session
from pages.content.notation import in_notation
from pages.content.predictions import PREDICTIONS, Prediction
from pages.exercises.asked import asked_with, known
from pages.exercises.question_set import show_me
from pages.exercises.sheets import buttons
from pages.exercises.verdicts import is_right, said, verdict
from pages.figures.parts.numbers import count

UNREADABLE = lazy_gettext("Type one number above 1: a perplexity is never lower.")


def show(session: Session, state: PageState) -> None:
    """Draw the predictions that can be made about this run, and those that were."""
    values = asked_with(session)
    shown = [(name, one) for name, one in PREDICTIONS.items() if name in values or known(session, name)]
    for i, (name, prediction) in enumerate(shown, 1):
        with elements.place(f"prediction_{name}"):
            one = known(session, name)
            question = one.question if one else lazy_gettext(prediction.question, **values[name])
            elements.heading(str(i), in_notation(_(question), session.settings.notation))
            if one:
                _predicted(session, name, prediction, one)
            else:
                _ask(session, name, prediction, question)
    buttons(session, state["set"])


def _ask(session: Session, name: str, prediction: Prediction, question: Message) -> None:
    key = f"exercises_prediction_{name}"
    if not prediction.options:
        st.text_input(_("Your answer"), key=key, max_chars=20, on_change=partial(_typed, session, name, question, key))
        if st.session_state.get(f"{key}_refused"):
            elements.notice(UNREADABLE)
        return
    with st.container(horizontal=True):
        for i, option in enumerate(prediction.options):
            st.button(_(option), on_click=partial(predict, session, name, question, i), key=f"{key}_{i}")


def _typed(session: Session, name: str, question: Message, key: str) -> None:
    try:
        (guess,) = read_numbers(st.session_state[key])
        refused = guess < 1
    except ValueError:
        refused = True
    st.session_state[f"{key}_refused"] = refused
    if not refused:
        predict(session, name, question, guess)


def predict(session: Session, name: str, question: Message, chosen: float) -> None:
    """Store an answer; where training need not go on for it, find the outcome."""
    monitored, corpus = session.monitored, session.corpus
    found = outcomes.COMPUTED.get(name)
    outcome = compute(lambda: found(monitored.trainer, corpus)) if found else None
    session.answers.predicted[name] = Predicted(monitored.serial, monitored.step, chosen, question, outcome)


def _predicted(session: Session, name: str, prediction: Prediction, one: Predicted) -> None:
    """Draw a prediction with its outcome, or the button that trains until it is there."""
    key, until = f"exercises_prediction_{name}", one.update + outcomes.UPDATES
    elements.note(_("At update {n} you said: {answer}.", n=count(one.update), answer=said(prediction, one)))
    if not one.outcome:
        with st.container(horizontal=True):
            label = _("Train to update {n}", n=count(until))
            st.button(label, on_click=partial(session.run.play, until), key=f"{key}_train", disabled=session.run.playing)
        return
    words, right = verdict(prediction, one), is_right(prediction, one)
    if right is None:
        elements.notice(*words)
    else:
        elements.verdict(right, *words)
    elements.note(in_notation(_(prediction.why), session.settings.notation))
    with st.container(horizontal=True):
        st.button(_("Predict again"), on_click=partial(session.answers.predicted.pop, name, None), key=f"{key}_again")
        show_me(session, prediction.place, key)
