"""Whose names the weights have: one setting, and every page and section is written with those of one source alone."""

import html
import re

import pytest
from streamlit.util import calc_hash

from core.notation import FIRST, SECOND
from tests.pages.conftest import below
from tests.pages.test_glossary import SMALL, tables
from tests.pages.test_scenes import PAGES, parts, sections

ONLY_IN = {
    FIRST: re.compile(r"[Wb]_\{?(xh|hh|hq|emb)(?![a-z])|b_\{?[hq]\b|num_steps|embed_size"),
    SECOND: re.compile(r"(?<![A-Za-z])d?W[xh]\b|W_\{?([xh]\b|embed)|embed_W|time_size|wordvec_size"),
}


TOLD_BACK = {  # keys of what is named as the core names it
    "weight_map": ("matrix", "matrices"),
    "controls": ("name", "value", "options"),
}


def strings(data, without=()):
    """All that a component is given as text."""
    if isinstance(data, str):
        yield data
    for key, value in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        if key not in without:
            yield from strings(value, without)


def written(visitor):
    """All words on the page, but for the switch itself and the code that is shown as code."""
    for name, data in parts(visitor):
        if name == "controls" and data["look"] == "names":
            continue
        yield from strings(data, TOLD_BACK.get(name, ()))
        if name == "weight_map":
            yield from (words for _, words in data["matrices"])
        if name == "controls":
            yield from (words for row in data["rows"] for one in row for _, words in one.get("options", ()))
    for node in below(visitor.app._tree):
        if node.type == "html" and "<style>" not in node.proto.body:
            yield html.unescape(re.sub("<[^>]*>", "", node.proto.body))
        for what in ("label", "help"):
            yield getattr(getattr(node, "proto", None), what, "") or ""


@pytest.mark.parametrize(("mine", "other"), [(FIRST, SECOND), (SECOND, FIRST)])
@pytest.mark.parametrize("page", PAGES)
def test_a_page_has_the_names_of_one_source(visit, page, mine, other):
    here = SMALL | {"embedding_size": 4, "notation": mine}
    visitor = visit(calc_hash(page), **here)
    seen = list(written(visitor))
    for section in sections(visitor):
        seen += written(visit(calc_hash(page), section=section, **here))
    assert [text for text in seen if ONLY_IN[other].search(text)] == []
    assert any(ONLY_IN[mine].search(text) for text in seen) or page == "perplexity"


def test_it_is_in_the_link_and_moves_nothing(visit):
    visitor = visit(calc_hash("gradient_flow"), **SMALL)
    run = visitor.stage.run
    visitor.stage.look_at(notation=SECOND)
    visitor.run()
    assert visitor.url["notation"] == SECOND
    assert visitor.stage.run is run
    assert visit(calc_hash("unrolled"), **visitor.url).stage.settings.notation == SECOND


def test_a_number_typed_into_a_cell_reaches_its_matrix_by_either_name(visit):
    visitor = visit(calc_hash("recurrent_step"), section="products", notation=SECOND, **SMALL)
    ids = [part["id"] for item in visitor.scene("products")["equations"][0] if isinstance(item, dict) for part in item["parts"]]
    assert {"Wx", "Wh"} <= set(ids)


def test_the_glossary_has_the_names_of_both(visit):
    visitor = visit(**SMALL, notation=SECOND)
    visitor.app.session_state["glossary"] = True
    symbols = [row[0] for row in tables(visitor.run())]
    assert {"Wx Wxh", "Wh Whh", "W Whq", "b bh", "b bq"} <= set(symbols)
