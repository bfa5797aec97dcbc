"""Every section of every page, drawn once with the names of each of the two sources: what must be true of all of them."""

import html
import re
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from core.guide import HINTS
from core.link import PAGES
from core.notation import FIRST, SECOND
from pages.ui.assets import COMPONENTS
from tests.pages.app_session import SMALL, AppSession
from tests.pages.views import SECTIONS, View, of

pytestmark = pytest.mark.xdist_group("every_section")  # one process draws them
ONLY_IN = {
    FIRST: re.compile(r"[Wb]_\{?(xh|hh|hq|emb)(?![a-z])|b_\{?[hq]\b|num_steps|embed_size"),
    SECOND: re.compile(r"(?<![A-Za-z])d?W[xh]\b|W_\{?([xh]\b|embed)|embed_W|time_size|wordvec_size"),
}
IDENTIFIERS = {  # keys whose values are the core's names for things, not text
    "weight_map": ("matrix", "matrices"),
    "controls": ("name", "value", "options"),
}


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
    ("unrolled", "", "cell", ["step"]),
    ("gradient_flow", "what_if", "gradient_flow", ["backward", "gradient_flow"]),
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
