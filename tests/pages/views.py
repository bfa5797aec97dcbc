"""Every section of every page: the data sent to the browser."""

from collections import Counter
from typing import Any, NamedTuple

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.testing.v1.local_script_runner import LocalScriptRunner

from core.config.link import PAGE_PATHS
from pages.books.sections import SECTIONS as books
from pages.content.notation import FIRST_SOURCE, SECOND_SOURCE
from pages.exercises.sections import SECTIONS as exercises
from pages.gradient_flow.sections import SECTIONS as gradient_flow
from pages.perplexity.sections import SECTIONS as perplexity
from pages.recurrent_step.sections import SECTIONS as recurrent_step
from pages.truncation.sections import SECTIONS as truncation
from tests.pages.app_session import SMALL, START, AppSession, app_sessions

SECTIONS = {
    "recurrent_step": recurrent_step,
    "perplexity": perplexity,
    "gradient_flow": gradient_flow,
    "truncation": truncation,
    "books": books,
    "exercises": exercises,
}
SMALLER = SMALL | {"hidden_size": 4, "batch_size": 2, "num_steps": 4, "text": "type your own", "typed": "mach"}


class View(NamedTuple):
    """The drawn data of one section, or of a page without sections."""

    page: str
    section: str
    notation: str
    components: list[tuple[str, dict[str, Any]]]
    html: list[str]
    labels: list[str]
    misplaced: list[list[int]]


def draw_all() -> list[View]:
    """All views, in the same order for both notations; the second notation has a smaller network."""
    with app_sessions() as visit, pytest.MonkeyPatch.context() as patch:
        messages, forward = [], LocalScriptRunner.forward_msgs

        def recorded(runner: LocalScriptRunner) -> list[ForwardMsg]:
            messages[:] = forward(runner)
            return messages

        patch.setattr(LocalScriptRunner, "forward_msgs", recorded)
        drawn = []
        for page in ("", *PAGE_PATHS):
            for notation, settings in ((FIRST_SOURCE, SMALL), (SECOND_SOURCE, SMALLER)):
                session = visit(page, **({} if page == START else settings | {"embedding_size": 4, "notation": notation}))
                session.stage.change_view(notation=notation)
                drawn.append(view(session.run() if page == START else session, notation, messages))
                for section in list(SECTIONS.get(page, ()))[1:]:
                    drawn.append(view(session.open_section(section), notation, messages))
    return drawn


def with_notation(views: list[View], notation: str) -> list[View]:
    return [view for view in views if view.notation == notation]


def view(session: AppSession, notation: str, messages: list[ForwardMsg]) -> View:
    page, components = session.stage.navigation.page, list(session.components())
    section = session.section if page in SECTIONS else ""
    labels = [getattr(getattr(node, "proto", None), what, "") or "" for node in session.nodes() for what in ("label", "help")]
    return View(page, section, notation, components, session.html, labels, misplaced_after(messages))


def misplaced_after(messages: list[ForwardMsg]) -> list[list[int]]:
    """The delta paths that a browser cannot place if a fragment is rerun before the messages of the first drawing were sent.

    Streamlit then drops the messages of this fragment. A path within the fragment itself is dropped, too.
    """
    fragments = {message.delta.fragment_id for message in messages} - {""}
    assert fragments
    lost = misplaced(messages)
    for fragment in fragments:
        queue = ForwardMsgQueue()
        for message in messages:
            queue.enqueue(message)
        queue.clear(retain_lifecycle_msgs=True, fragment_ids_this_run=[fragment])
        within = next(delta_path(message) for message in messages if message.delta.fragment_id == fragment)
        lost += [path for path in misplaced(queue.flush()) if path[: len(within)] != within]
    return lost


def delta_path(message: ForwardMsg) -> list[int]:
    return list(message.metadata.delta_path)


def misplaced(messages: list[ForwardMsg]) -> list[list[int]]:
    """The delta paths that a browser cannot place: it appends one child after another."""
    children, lost = Counter(), []
    for path in (delta_path(message) for message in messages if message.WhichOneof("type") == "delta"):
        for depth in range(1, len(path)):
            parent = tuple(path[:depth])
            if path[depth] > children[parent]:
                lost.append(path)
                break
            children[parent] = max(children[parent], path[depth] + 1)
    return lost
