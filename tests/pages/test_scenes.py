"""A key that a page sends and no script reads, or that a script reads and no page sends, is a mistake in one of the two."""

import json
from collections import defaultdict

import pytest
from streamlit.util import calc_hash

from core.scenes.lecture_file import saved
from core.scenes.thread import SCENES
from pages.ui.lecture import open_file
from tests.javascript.test_javascript import HERE, run
from tests.pages.conftest import START, below

PAGES = ("", "training", "unrolled", "recurrent_step", "perplexity", "gradient_flow", "truncation")


def parts(visitor):
    """Every browser component on the page: its name, and what it was given."""
    for node in below(visitor.app._tree):
        if node.type == "bidi_component":
            yield node.proto.component_name, json.loads(node.proto.bytes.split(b"\n")[1])


def sections(visitor):
    """The addresses of a page's sections; none where it has none."""
    bars = [row for name, data in parts(visitor) if name == "controls" for row in data["rows"]]
    return [name for row in bars for control in row if control["name"] == "section" for name, _ in control["options"]]


def of_each(visitor):
    """What each kind of component is given, in the order of the page."""
    shown = defaultdict(list)
    for name, data in parts(visitor):
        shown[name].append(data)
    return shown


@pytest.fixture
def scenes(visit):
    """What every component of every page and section is given, one thing after another: {component: [[data, ...]]}.

    After what follows a play head comes what the same page shows of a smaller network that reads a shorter text.
    """
    given = defaultdict(list)

    def look(*visitors):
        first, *later = map(of_each, visitors)
        for name, shown in first.items():
            for i, data in enumerate(shown):
                then = [one[name][i] for one in later if "link" in data and len(one[name]) > i]
                given[name].append([data, *then, data])
        return visitors[0]

    for page in PAGES:
        here = {"max_tokens": 10_000, "hidden_size": 8, "batch_size": 4, "num_steps": 8}
        smaller = here | {"hidden_size": 4, "batch_size": 2, "num_steps": 4, "text": "type your own", "typed": "mach"}
        first = look(*(visit(calc_hash(page), **one) for one in (here, smaller)))
        for section in sections(first)[1:]:
            look(*(visit(calc_hash(page), section=section, **one) for one in (here, smaller)))
    look(visit(calc_hash("unrolled"), scene="machine"))
    lecturer = visit(START)
    open_file(lecturer.stage, saved(SCENES))
    look(lecturer.run())
    return given


def test_what_is_sent_is_read_and_what_is_read_is_sent(scenes, tmp_path):
    path = tmp_path / "scenes.json"
    path.write_text(json.dumps(scenes), encoding="utf-8")
    run(str(HERE / "scenes.js"), str(path))
