"""Properties of every section of every page; each is drawn once with the notation of each of the two sources."""

import html
import json
import re
from collections import defaultdict
from collections.abc import Iterator

import numpy as np
import pytest

from core.config.link import PAGE_PATHS
from pages.app.navigation.section_tabs import Section, params_of
from pages.app.navigation.url_state import text_param
from pages.app.panels.room_panel import press
from pages.content.guide import HINTS, SHORT_TITLES, Hint
from pages.content.lecture import saved
from pages.content.notation import FIRST_SOURCE, SECOND_SOURCE
from pages.content.scenes import SCENES
from tests.javascript.node import HERE, run
from tests.pages.app_session import SMALL, START
from tests.pages.views import SECTIONS, View, with_notation

pytestmark = pytest.mark.xdist_group("every_section")  # one process draws all sections
ONLY_IN = {
    FIRST_SOURCE: re.compile(r"[Wb]_\{?(xh|hh|hq|emb)(?![a-z])|b_\{?[hq]\b|num_steps"),
    SECOND_SOURCE: re.compile(r"(?<![A-Za-z])d?W[xh]\b|W_\{?([xh]\b|embed)|embed_W|time_size|wordvec_size"),
}
IDENTIFIERS = {  # keys whose values are the core's identifiers, not text
    "weight_map": ("matrix", "matrices"),
    "controls": ("name", "value", "options"),
    "tabs": ("name", "value", "options", "open"),
}


def strings(data: object, without: tuple[str, ...] = ()) -> Iterator[str]:
    """All texts in the data of a component."""
    if isinstance(data, str):
        yield data
    for key, value in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        if key not in without:
            yield from strings(value, without)


def written(view: View) -> Iterator[str]:
    """All texts of a view, except for the control of the notation itself."""
    for name, data in view.components:
        if name == "controls" and data["look"] == "names":
            continue
        if name == "explain":  # an entry ends with its names in both sources
            data = data | {"words": [[word, entry[:-1]] for word, entry in data["words"]]}
        yield from strings(data, IDENTIFIERS.get(name, ()))
    yield from (html.unescape(re.sub("<[^>]*>", "", body)) for body in view.html if "<style" not in body)
    yield from view.labels


def test_each_section_has_the_names_of_one_source(views):
    for mine, other in ((FIRST_SOURCE, SECOND_SOURCE), (SECOND_SOURCE, FIRST_SOURCE)):
        found = {page: 0 for page in PAGE_PATHS}
        for view in with_notation(views, mine):
            texts = [re.sub(r"\?\S+=\S+", "", text) for text in written(view)]  # without the queries of links
            assert [text for text in texts if ONLY_IN[other].search(text)] == [], view[:3]
            found[view.page] = found.get(view.page, 0) + sum(bool(ONLY_IN[mine].search(text)) for text in texts)
        assert all(found[page] for page in PAGE_PATHS if page != "perplexity")


def test_every_section_shows_its_hints(views):
    for view in with_notation(views, FIRST_SOURCE):
        expected = [*HINTS.get(view.page, {}).values(), *([SECTIONS[view.page][view.section].hint] if view.section else [])]
        hints = [html.unescape(re.sub("</?(span|summary|details).*?>", "", body)) for body in view.html if "page-hint" in body]
        for hint in expected:
            assert sum(hint.do in text and hint.notice in text and hint.sources(SHORT_TITLES) in text for text in hints) == 1


def test_numbers_of_the_sources_are_those_of_sections_and_figures():
    shown = [hint for hints in HINTS.values() for hint in hints.values()]
    shown += [section.hint for page in SECTIONS.values() for section in page.values()]
    assert len([hint for hint in shown if hint.first or hint.second]) > 25
    for hint in shown:
        for numbers, chapters in ((hint.first, "[48]"), (hint.second, "[567]")):
            assert re.fullmatch(rf"(((Fig\. )?{chapters}(\.\d)+)(, |$))*", numbers)


def test_a_fragment_that_is_drawn_again_leaves_no_element_without_a_place(views):
    assert [(view[:3], view.misplaced) for view in views if view.misplaced] == []


@pytest.mark.parametrize("page", SECTIONS)
@pytest.mark.parametrize("settings", [
    {"hidden_size": 1, "num_steps": 1, "batch_size": 1, "gain": 0.0}, {"corpus": "lag", "activation": "relu", "gain": 3.0},
    {"unit": "word", "vocab_cap": 50, "embedding_size": 3, "activation": "sigmoid"}, {"corpus": "own"},
    {"corpus": "echo", "validation_share": 0.0},
], ids=["smallest", "two symbols", "words", "own text", "task"])  # fmt: skip
def test_every_section_opens_on_any_network_and_text(visit, page, settings):
    """Even if the weights are not finite."""
    session = visit(page, **SMALL | {"max_tokens": 4000})
    session.start("<b>abc</b> defgh\n" * 300 if settings.get("corpus") == "own" else None, **settings).train(2)
    broken = [{"flat": np.nan}] if "embedding_size" in settings else []
    for weights in ({}, *broken):
        session.set_params(**weights)
        for section in SECTIONS[page]:
            assert list(session.open_section(section).components())


@pytest.mark.parametrize(("page", "query", "panel"), [
    ("unrolled", {}, "cell"), ("gradient_flow", {"section": "what_if"}, "gradient_flow"),
    ("gradient_flow", {"section": "jacobian"}, "jacobian"), ("truncation", {"section": "proof"}, "proof"),
])  # fmt: skip
def test_the_code_of_a_panel_is_sent_once_it_is_opened(visit, page, query, panel):
    session = visit(page, **SMALL, **query)
    assert not session.app.code
    session.app.session_state[f"source_{panel}"] = True
    assert all(block.value.startswith("def ") for block in session.run().app.code)
    assert session.app.code


@pytest.mark.slow
def test_components_read_all_they_are_sent_and_nothing_else(views, tmp_path, visit):
    """Each component's script draws its data, then, with a play head, the smaller network's data, then the first data again.

    Data without any new key are left out.
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

    for both in zip(with_notation(views, FIRST_SOURCE), with_notation(views, SECOND_SOURCE), strict=True):
        add(*both)
    listed = visit("gradient_flow", **SMALL)
    listed.app.session_state["source_gradient_flow"] = True
    lecturer = visit(START)
    lecturer.stage.lecture.open_file(saved(SCENES))
    for session in (visit("unrolled", scene="machine"), visit("truncation", scene="cut"), visit(), listed.run(), lecturer.run()):
        add(View("", "", "", list(session.components()), [], [], []))
    for key, begin in (("machine", "hands"), ("learning", "on"), ("lag", "on")):  # whose questions are of each kind
        hall, steps = visit(SCENES[key].page, **SCENES[key].query), []
        for what in (begin, *["on"] * 6):
            steps.append(hall.run().data("room"))
            press(hall.stage, hall.stage.hall.room.step, hall.stage.hall.room.number, what)
        given["room"].append(steps)
    path = tmp_path / "scenes.json"
    path.write_text(json.dumps(given), encoding="utf-8")
    run(str(HERE / "scenes.js"), str(path))


def key_paths(data: object, path: str = "") -> Iterator[str]:
    yield f"{path} {type(data).__name__}"
    for key, value in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        yield from key_paths(value, f"{path}[]" if isinstance(data, list) or key.isdigit() else f"{path}.{key}")


@pytest.mark.parametrize("name", ["pair", "section", "view", "picked", "hidden_size", "text"])
def test_a_parameter_of_two_sections_or_of_a_setting_is_refused_by_its_names(name):
    plain = Section("", print, Hint("", ""))
    sections = {"one": plain._replace(params={"pair": text_param()}), "two": plain._replace(params={name: text_param()})}
    with pytest.raises(ValueError, match=rf"Section two of page training .* {name}: .* has it"):
        params_of("training", sections, {"picked": text_param()}, others=["text"])


@pytest.mark.parametrize("page", ["", *PAGE_PATHS])
def test_a_parameter_that_a_page_does_not_have_is_named_and_leaves_the_address(visit, page):
    session = visit(page, **SMALL, hiden_size="<b>")
    assert ["hiden_size" in notice for notice in session.notices] == [True]
    assert "hiden_size" not in session.url
