"""Presets: named settings, and what to look for in the run that they start."""

import streamlit as st

from core.config.language import gettext as _, language, sentences
from pages.app.layout import elements
from pages.app.session.session import Session
from pages.app.widgets.control_widgets import Switch, controls
from pages.content.lessons import Lesson, lesson, offered
from pages.figures.parts import words


def show(session: Session) -> None:
    """Draw the page title, the presets, and the question of the chosen preset or the differences from the nearest one."""
    lessons = offered(language())
    far = [len(preset.beside(session.settings).differing(session.settings, "live", "restart")) for preset in lessons]
    nearest = far.index(min(far))
    name, row = st.columns((1, 7.4))
    with name:
        elements.title(_("Training"), "")
    with row:
        options = [(one.name, _(one.short or one.name)) for one in lessons]
        controls(
            [Switch("preset", "", options, "" if far[nearest] else lessons[nearest].name)],
            label=_("Presets"),
            on_move=lambda _switch, name, _done: load(session, name),
            variant="presets",
            key="presets",
        )
    differences = words.differing(session.settings, lessons[nearest].beside(session.settings))
    own = _("{preset}, but with {differences}.", preset=_(lessons[nearest].name), differences=differences)
    questions = [sentences(_question(one), _(one.look_for)) for one in lessons]
    elements.one_of(len(questions) if far[nearest] else nearest, [*questions, own])


def _question(one: Lesson) -> str:
    """The question of a preset, preceded by its full name if its button has a short one."""
    return _("{preset} {question}", preset=_(one.name), question=_(one.question)) if one.short else _(one.question)


def load(session: Session, name: str) -> None:
    """Start a new run with a preset's settings and the present view; do nothing if the run has these settings already."""
    settings = lesson(name).beside(session.settings).but(**session.view)
    if settings != session.wanted:
        session.start(settings)
