"""Every section of every page says what to try in it; what it calls by name is there."""

import html
import re

import pytest
from streamlit.util import calc_hash

from core.guide import HINTS
from core.link import PAGES
from core.scenes.thread import SCENES
from pages.gradient_flow.sections import SECTIONS as gradient_flow
from pages.perplexity.sections import SECTIONS as perplexity
from pages.recurrent_step.sections import SECTIONS as recurrent_step
from pages.truncation.sections import SECTIONS as truncation
from pages.ui.assets import COMPONENTS
from tests.pages.conftest import below
from tests.pages.test_scenes import PAGES as OPENED
from tests.pages.test_scenes import parts

SECTIONS = {
    "recurrent_step": recurrent_step,
    "perplexity": perplexity,
    "gradient_flow": gradient_flow,
    "truncation": truncation,
}
SMALL = {"max_tokens": 10_000, "hidden_size": 8, "batch_size": 4, "num_steps": 8, "cosine_until": 0}
ALL = {  # of every page: the hint of every section, or part that is no section
    page: HINTS.get(page, {}) | {name: section.hint for name, section in SECTIONS.get(page, {}).items()} for page in PAGES
}
PLACES = [(page, part) for page, parts in ALL.items() for part in parts]
MARK = "page-hint"
LONGEST = 110  # characters of each of the two: more is not read


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


def test_every_page_has_hints():
    assert {"", *PAGES} == set(OPENED)
    assert {*HINTS, *SECTIONS} == set(PAGES)
    assert len(PLACES) == sum(map(len, [*HINTS.values(), *SECTIONS.values()]))  # no part has the name of a section


@pytest.mark.parametrize(("page", "part"), PLACES)
def test_a_hint_is_two_short_plain_sentences(page, part):
    for text in ALL[page][part]:
        assert 10 < len(text) <= LONGEST
        assert re.fullmatch(r"[A-Zd][^<>&*`$\[\]\\\n]*\.", text)
        assert text.count("“") == text.count("”")


def test_no_two_hints_are_the_same():
    hints = [ALL[page][part] for page, part in PLACES]
    assert len({hint.do for hint in hints}) == len({hint.notice for hint in hints}) == len(hints)


@pytest.mark.parametrize("scene", SCENES.values(), ids=list(SCENES))
def test_the_section_of_a_scene_is_there(scene):
    assert scene.place.get("section") in {None, *SECTIONS.get(scene.page, {})}


@pytest.mark.parametrize(("page", "part"), PLACES)
def test_a_hint_is_shown_once_and_what_it_names_is_there(visit, page, part):
    visitor, hint = open_at(visit, page, part), ALL[page][part]
    (shown,) = (said for said in hints(visitor) if hint.do in said)
    assert f"<b>Try</b> {hint.do}" in shown
    assert f"<b>Notice</b> {hint.notice}" in shown
    said = list(words(visitor))
    for name in re.findall("“([^”]+)”", " ".join(hint)):
        assert any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", one) for one in said), name
