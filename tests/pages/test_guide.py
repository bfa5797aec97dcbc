"""Every section of every page says what to try in it; what it calls by name is there."""

import html
import re

import pytest
from streamlit.util import calc_hash

from core.guide import HINTS
from pages.gradient_flow.sections import SECTIONS as gradient_flow
from pages.perplexity.sections import SECTIONS as perplexity
from pages.recurrent_step.sections import SECTIONS as recurrent_step
from pages.truncation.sections import SECTIONS as truncation
from pages.ui.assets import COMPONENTS
from tests.pages.conftest import below
from tests.pages.test_scenes import PAGES, parts

SECTIONS = {
    "recurrent_step": recurrent_step,
    "perplexity": perplexity,
    "gradient_flow": gradient_flow,
    "truncation": truncation,
}
SMALL = {"max_tokens": 10_000, "hidden_size": 8, "batch_size": 4, "num_steps": 8, "cosine_until": 0}
PLACES = [(page, part) for page, parts in HINTS.items() for part in parts]
MARK = "page-hint"


def open_at(visit, page, part):
    """A visitor of the page, at this section of it where it is one."""
    section = {"section": part} if part in SECTIONS.get(page, {}) else {}
    return visit(calc_hash(page), **section, **SMALL)


def hints(visitor):
    """The hints on the page, as text without the marks of what explains itself."""
    said = [node.proto.body for node in below(visitor.app._tree) if node.type == "html" and MARK in node.proto.body]
    return [html.unescape(re.sub("</?span.*?>", "", one)) for one in said]


def words(visitor):
    """All that is said on the page but its hints: texts, labels, what components are given, and what their scripts say."""
    for node in below(visitor.app._tree):
        if node.type == "html" and MARK not in node.proto.body:
            yield html.unescape(node.proto.body)
        yield str(getattr(node, "label", ""))
    for name, data in parts(visitor):
        yield from texts(data)
        yield (COMPONENTS / name / f"{name}.js").read_text(encoding="utf-8")


def texts(data):
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict | list):
        for one in data.values() if isinstance(data, dict) else data:
            yield from texts(one)


def test_every_page_has_hints_and_every_section_has_one():
    assert {"", *HINTS} == set(PAGES)
    for page, sections in SECTIONS.items():
        assert set(HINTS[page]) == {*sections, *({"picture"} if page == "gradient_flow" else ())}


@pytest.mark.parametrize(("page", "part"), PLACES)
def test_a_hint_is_shown_once_and_what_it_names_is_there(visit, page, part):
    visitor, hint = open_at(visit, page, part), HINTS[page][part]
    (shown,) = (said for said in hints(visitor) if hint.do in said)
    assert f"<b>Try</b> {hint.do}" in shown
    assert f"<b>Notice</b> {hint.notice}" in shown
    said = list(words(visitor))
    for name in hint.names:
        assert any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", one) for one in said), name
