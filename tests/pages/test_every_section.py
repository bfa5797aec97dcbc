"""Every section of every page, drawn once with the names of each of the two sources: what must be true of all of them."""

import html
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.testing.v1.local_script_runner import LocalScriptRunner

from core.guide import HINTS
from core.link import PAGES
from core.notation import FIRST, SECOND
from core.scenes.lecture_file import saved
from core.scenes.thread import SCENES
from pages.gradient_flow.sections import SECTIONS as gradient_flow
from pages.perplexity.sections import SECTIONS as perplexity
from pages.recurrent_step.sections import SECTIONS as recurrent_step
from pages.truncation.sections import SECTIONS as truncation
from pages.ui.assets import COMPONENTS
from pages.ui.lecture import open_file
from tests.javascript.node import HERE, run
from tests.misplaced_elements import delta_path, misplaced
from tests.pages.app_session import SMALL, START, AppSession, app_sessions

pytestmark = pytest.mark.xdist_group("every_section")  # one process draws them
SECTIONS = {
    "recurrent_step": recurrent_step,
    "perplexity": perplexity,
    "gradient_flow": gradient_flow,
    "truncation": truncation,
}
SMALLER = SMALL | {"hidden_size": 4, "batch_size": 2, "num_steps": 4, "text": "type your own", "typed": "mach"}
ONLY_IN = {
    FIRST: re.compile(r"[Wb]_\{?(xh|hh|hq|emb)(?![a-z])|b_\{?[hq]\b|num_steps|embed_size"),
    SECOND: re.compile(r"(?<![A-Za-z])d?W[xh]\b|W_\{?([xh]\b|embed)|embed_W|time_size|wordvec_size"),
}
IDENTIFIERS = {  # keys whose values are the core's names for things, not text
    "weight_map": ("matrix", "matrices"),
    "controls": ("name", "value", "options"),
}


class View(NamedTuple):
    """A section as it was drawn; a page without sections is one."""

    page: str
    section: str
    notation: str
    components: list[tuple[str, dict[str, Any]]]
    html: list[str]
    labels: list[str]
    misplaced: list[list[int]]


@pytest.fixture(scope="module")
def views() -> list[View]:
    with app_sessions() as visit, pytest.MonkeyPatch.context() as patch:
        messages, forward = [], LocalScriptRunner.forward_msgs

        def recorded(runner: LocalScriptRunner) -> list[ForwardMsg]:
            messages[:] = forward(runner)
            return messages

        patch.setattr(LocalScriptRunner, "forward_msgs", recorded)
        drawn = []
        for page in ("", *PAGES):
            for notation, settings in ((FIRST, SMALL), (SECOND, SMALLER)):
                session = visit(page, **({} if page == START else settings | {"embedding_size": 4, "notation": notation}))
                session.stage.look_at(notation=notation)
                drawn.append(view(session.run() if page == START else session, notation, messages))
                for section in list(SECTIONS.get(page, ()))[1:]:
                    drawn.append(view(session.open_section(section), notation, messages))
    return drawn


def of(views: list[View], notation: str) -> list[View]:
    return [view for view in views if view.notation == notation]


def view(session: AppSession, notation: str, messages: list[ForwardMsg]) -> View:
    page, components = session.stage.page, list(session.components())
    section = session.controls()["section"]["value"] if page in SECTIONS else ""
    labels = [getattr(getattr(node, "proto", None), what, "") or "" for node in session.nodes() for what in ("label", "help")]
    return View(page, section, notation, components, session.html, labels, misplaced_after(messages))


def misplaced_after(messages: list[ForwardMsg]) -> list[list[int]]:
    """The paths that a browser cannot place where a fragment is drawn again before the first drawing was sent.

    Streamlit drops the messages of this fragment then. A path within the fragment itself is lost with it.
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


def strings(data: object, without: tuple[str, ...] = ()) -> Iterator[str]:
    """All text in the data of a component."""
    if isinstance(data, str):
        yield data
    for key, value in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        if key not in without:
            yield from strings(value, without)


def written(view: View) -> Iterator[str]:
    """All text of a view, but for the switch of the notation itself."""
    for name, data in view.components:
        if name == "controls" and data["look"] == "names":
            continue
        yield from strings(data, IDENTIFIERS.get(name, ()))
        if name == "weight_map":
            yield from (text for _, text in data["matrices"])
        if name == "controls":
            yield from (text for row in data["rows"] for control in row for _, text in control.get("options", ()))
    yield from (html.unescape(re.sub("<[^>]*>", "", body)) for body in view.html if "<style>" not in body)
    yield from view.labels


def test_every_section_is_drawn(views):
    expected = [(page, section) for page in ("", *PAGES) for section in SECTIONS.get(page, [""])]
    for notation in (FIRST, SECOND):
        assert [(view.page, view.section) for view in of(views, notation)] == expected


def test_each_section_has_the_names_of_one_source(views):
    for mine, other in ((FIRST, SECOND), (SECOND, FIRST)):
        found = {page: 0 for page in PAGES}
        for view in of(views, mine):
            texts = [re.sub(r"\?\S+=\S+", "", text) for text in written(view)]  # without the queries of links
            assert [text for text in texts if ONLY_IN[other].search(text)] == [], view[:3]
            found[view.page] = found.get(view.page, 0) + sum(bool(ONLY_IN[mine].search(text)) for text in texts)
        assert all(found[page] for page in PAGES if page != "perplexity")


def test_every_section_shows_its_hints_and_has_what_they_name(views):
    shown = 0
    for view in of(views, FIRST):
        parts = {**HINTS.get(view.page, {}), **({view.section: SECTIONS[view.page][view.section].hint} if view.section else {})}
        hints = [html.unescape(re.sub("</?span.*?>", "", body)) for body in view.html if "page-hint" in body]
        others = [html.unescape(body) for body in view.html if "page-hint" not in body] + view.labels
        for name, data in view.components:
            others += [*strings(data), (COMPONENTS / name / f"{name}.js").read_text(encoding="utf-8")]
        for hint in parts.values():
            (_,) = (text for text in hints if hint.do in text and hint.notice in text)
            for name in re.findall("“([^”]+)”", " ".join(hint)):
                assert any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) for text in others), (view[:2], name)
        shown += len(parts)
    assert shown > len(PAGES)


def test_a_fragment_that_is_drawn_again_leaves_no_element_without_a_place(views):
    assert [(view[:3], view.misplaced) for view in views if view.misplaced] == []


def test_components_read_all_they_are_sent_and_nothing_else(views, tmp_path, visit):
    """Every component is given its data, then those of the smaller network, if it follows a play head, and the first again.

    Data whose keys have all been given before are left out.
    """
    given: dict[str, list[list]] = defaultdict(list)
    keys: dict[str, set[str]] = defaultdict(set)

    def add(first: View, *later: View) -> None:
        for name in dict.fromkeys(name for name, _ in first.components):
            shown, *others = [[data for kind, data in view.components if kind == name] for view in (first, *later)]
            for i, data in enumerate(shown):
                if new := set(key_paths(data)) - keys[name]:
                    keys[name] |= new
                    then = [other[i] for other in others if "link" in data and len(other) > i]
                    given[name].append([data, *then, data])

    for both in zip(of(views, FIRST), of(views, SECOND), strict=True):
        add(*both)
    lecturer = visit(START)
    open_file(lecturer.stage, saved(SCENES))
    for session in (visit("unrolled", scene="machine"), visit(), lecturer.run()):
        add(View("", "", "", list(session.components()), [], [], []))
    path = tmp_path / "scenes.json"
    path.write_text(json.dumps(given), encoding="utf-8")
    run(str(HERE / "scenes.js"), str(path))


def key_paths(data: object, path: str = "") -> Iterator[str]:
    yield f"{path} {type(data).__name__}"
    for key, value in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        yield from key_paths(value, f"{path}[]" if isinstance(data, list) or key.isdigit() else f"{path}.{key}")


@pytest.mark.parametrize("page", SECTIONS)
@pytest.mark.parametrize("settings", [
    {"hidden_size": 1, "num_steps": 1, "batch_size": 1, "gain": 0.0}, {"corpus": "lag", "activation": "relu", "gain": 3.0},
    {"unit": "word", "vocab_cap": 50, "embedding_size": 3, "activation": "sigmoid"}, {"corpus": "own"},
    {"corpus": "echo", "validation_share": 0.0},
], ids=["smallest", "two symbols", "words", "own text", "task"])  # fmt: skip
def test_every_section_opens_on_any_network_and_text(visit, page, settings):
    """Also where the weights are not finite."""
    session = visit(page, **SMALL | {"max_tokens": 4000})
    session.start("<b>abc</b> defgh\n" * 300 if settings.get("corpus") == "own" else None, **settings).train(2)
    broken = [{"flat": np.nan}] if "embedding_size" in settings else []
    for weights in ({}, *broken):
        session.set_params(**weights)
        for section in SECTIONS[page]:
            assert list(session.open_section(section).components())


def test_an_exception_in_a_section_is_raised(visit: Callable[..., AppSession], monkeypatch: pytest.MonkeyPatch):
    session = visit("recurrent_step", **SMALL, section="shapes")
    monkeypatch.setattr("pages.recurrent_step.shapes.rows_scene", lambda *given: 1 / 0)
    with pytest.raises(AssertionError):
        session.run()


@pytest.mark.parametrize(("page", "section", "panel", "functions"), [
    ("unrolled", "", "cell", ["step", "next_state"]),
    ("gradient_flow", "what_if", "gradient_flow", ["step_back", "backward", "gradient_flow"]),
    ("gradient_flow", "jacobian", "jacobian", ["growing_products", "singular_values"]),
    ("gradient_flow", "gradient_check", "gradient_check", ["check_weight"]),
    ("truncation", "proof", "proof", ["echo_language", "echo_floor_with_reset"]),
])  # fmt: skip
def test_the_code_of_a_panel_is_sent_once_it_is_opened(visit, page, section, panel, functions):
    session = visit(page, **SMALL, **({"section": section} if section else {}))
    assert not session.app.code
    session.app.session_state[f"source_{panel}"] = True
    code = [block.value for block in session.run().app.code]
    assert [block.split("(")[0] for block in code] == [f"def {name}" for name in functions]
