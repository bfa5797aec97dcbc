"""At the foot of every page stands what its words and symbols mean."""

import html
import re

import pytest
from streamlit.util import calc_hash

from core.glossary import GLOSSARY
from core.notation import FIRST, SECOND, named
from tests.pages.conftest import below
from tests.pages.test_scenes import PAGES

SMALL = {"max_tokens": 10_000, "hidden_size": 8, "batch_size": 4, "num_steps": 8, "cosine_until": 0}


def tables(visitor):
    """The rows of the glossary as a browser reads them; none where it is closed."""
    bodies = [node.proto.body for node in below(visitor.app._tree) if node.type == "html" and "page-glossary" in node.proto.body]
    rows = [row for body in bodies for row in re.findall("<tr>(.*?)</tr>", body)]
    return [[html.unescape(re.sub("<[^>]*>", "", one)) for one in re.findall("<t[dh][^>]*>(.*?)</t[dh]>", row)] for row in rows]


def symbols(word):
    """Those of both sources, as they are read: an index stands on the line."""
    printed = [named(word.symbol, notation) for notation in (FIRST, SECOND)]
    return " ".join(dict.fromkeys(symbol if symbol == "embed_W" else symbol.replace("_", "") for symbol in printed))


@pytest.mark.parametrize("page", PAGES)
def test_it_is_sent_once_it_is_opened(visit, page):
    visitor = visit("" if page == "training" else calc_hash(page), **SMALL)
    assert not tables(visitor)
    visitor.app.session_state["glossary"] = True
    head, *rows = tables(visitor.run())
    assert head == ["symbol", "word", "what it means", "中文", "日本語", "français", "Deutsch"]
    expected = [
        [symbols(word), word.english, word.means, word.chinese, word.japanese, word.french, word.german] for word in GLOSSARY
    ]
    assert rows == expected
