"""A link is a run, and a moment of it: who opens it gets the same curve."""

from urllib.parse import parse_qsl, urlsplit

import pytest
import segno
from streamlit.util import calc_hash

from core.figures.parts import words
from core.figures.parts.handout import ONLY_HERE, OWN_TEXT
from core.link import HIDEABLE
from core.query import FURTHEST
from core.training.history import RADIUS
from pages.ui.frame import HIDES
from pages.ui.handout import scene
from pages.ui.training_commands import go
from tests.pages.conftest import LIMIT
from tests.pages.test_training import SMALL, ran

AT = "http://192.0.2.7:8501/"  # an address of a network


def opened(visit, page_hash="", **query):
    """A visitor of a link, once its run rests."""
    visitor = visit(page_hash, **SMALL | query)
    assert visitor.stage.run.join(LIMIT)
    return visitor.run()


def judged(visitor):
    """The curve of the run: what it was judged at after how many updates, at how many tokens."""
    return {(point.update, point.tokens): point.nats for point in visitor.stage.watched.history.judged}


def test_a_link_trains_to_its_moment_and_rests_there(visit):
    visitor = opened(visit, update=60)
    assert visitor.stage.watched.step == 60
    assert visitor.stage.snapshot().state == "paused"
    assert visitor.notices == []
    assert visitor.scene("run_card")["past"]["words"][-1] == "now: update 60"


def test_the_moment_is_not_in_the_address_any_more(visit):
    visitor = visit(**SMALL, update=FURTHEST)
    assert visitor.stage.run.playing
    assert visitor.url == {name: str(value) for name, value in SMALL.items()}
    assert visitor.run().url == {name: str(value) for name, value in SMALL.items()}


def test_two_visitors_of_a_link_see_the_same_curve_bit_for_bit(visit):
    one, other = judged(opened(visit, update=150)), judged(opened(visit, update=200))
    both = one.keys() & other.keys()
    assert both - {(0, 0)}  # how many are judged depends on how busy the machine is
    assert {at: one[at] for at in both} == {at: other[at] for at in both}
    here, there = opened(visit, update=150), opened(visit, update=150)
    assert here.stage.params().flat.tobytes() == there.stage.params().flat.tobytes()
    assert judged(here)[150, 150 * 32] == judged(there)[150, 150 * 32]


def test_a_link_to_another_page_trains_as_well(visit):
    visitor = opened(visit, calc_hash("unrolled"), update=20, text="a window of the text")
    assert visitor.stage.watched.step == 20
    assert visitor.url["text"] == "a window of the text"


@pytest.mark.parametrize("moment", ["-1", "1.5", FURTHEST + 1, "9" * 5000, "<b>", ""])
def test_a_moment_that_a_link_cannot_ask_for_is_said(visit, moment):
    visitor = opened(visit, update=moment)
    assert visitor.stage.watched.step == 0
    assert len(visitor.notices) == 1
    assert "update" not in visitor.url


def test_update_0_is_the_run_before_it_is_trained(visit):
    visitor = opened(visit, update=0)
    assert (visitor.stage.watched.step, visitor.notices) == (0, [])


@pytest.mark.parametrize("query", [{"corpus": "own"}, {"max_tokens": 5, "num_steps": 1000}])
def test_a_run_that_is_not_the_one_of_the_link_waits(visit, query):
    visitor = opened(visit, update=50, **query)
    assert visitor.stage.watched.step == 0
    assert len(visitor.notices) == 1


# Handing it out


def asks(handed):
    """What the link asks for."""
    return dict(parse_qsl(urlsplit(handed["link"]).query))


def modules(code):
    """The modules of a QR code as they are drawn: the path fills runs of cells in a row."""
    size = code["size"]
    rows = [[0] * size for _ in range(size)]
    for run in filter(None, code["path"].split("M")):
        corner, long = run.split("h")[0], int(run.split("h")[1].split("v")[0])
        x, y = map(int, corner.split())
        rows[y][x : x + long] = [1] * long
    return rows


def test_the_link_opens_what_is_open_and_its_code_says_the_same(visit):
    visitor = ran(visit(calc_hash("unrolled"), text="a window of the text", **SMALL), 40)
    handed = scene(visitor.stage, AT + "unrolled", "3 back")
    assert handed["link"].startswith(AT + "unrolled?")
    assert asks(handed) == visitor.url | {"step": "3 back", "update": "40"}
    assert handed["notes"] == []
    assert modules(handed["code"]) == [list(row) for row in segno.make(handed["link"], micro=False, error="l").matrix]
    there = opened(visit, calc_hash("unrolled"), **asks(handed))
    assert there.stage.params().flat.tobytes() == visitor.stage.params().flat.tobytes()


def test_who_looks_back_hands_out_that_moment(visit):
    visitor = ran(visit(**SMALL), 60)
    go(visitor.stage, 9)
    moment = visitor.run().stage.update
    handed = scene(visitor.stage, AT)
    assert asks(handed)["update"] == str(moment)
    there = opened(visit, **asks(handed))
    assert there.stage.params().flat.tobytes() == visitor.stage.params().flat.tobytes()


def test_an_untrained_run_of_the_defaults_has_the_bare_address(visit):
    assert scene(visit().stage, AT)["link"] == AT


@pytest.mark.parametrize(("updates", "told"), [(0, 0), (5, 1)])
def test_a_knob_that_was_moved_on_the_way_is_told(visit, updates, told):
    visitor = ran(visit(**SMALL), updates) if updates else visit(**SMALL)
    visitor.choose("learning_rate", 0.01)
    ran(visitor, 5)
    handed = scene(visitor.stage, AT)
    assert len(handed["notes"]) == told
    assert all(words.name("learning_rate") in note for note in handed["notes"])
    assert asks(handed)["learning_rate"] == "0.01"
    go(visitor.stage, 0)
    assert scene(visitor.run().stage, AT)["notes"] == []


def test_a_radius_that_was_set_is_told(visit):
    visitor = visit(**SMALL)
    visitor.stage.scale_to_radius(0.5)
    (note,) = scene(visitor.run().stage, AT)["notes"]
    assert words.name(RADIUS) in note


def test_the_reader_s_own_text_is_not_in_the_link_and_that_is_said(visit):
    visitor = visit(**SMALL)
    visitor.stage.start(visitor.stage.settings.but(corpus="own"), "a secret text, " * 200)
    handed = scene(ran(visitor).stage, AT)
    assert handed["notes"] == [OWN_TEXT]
    assert "secret" not in handed["link"]
    assert "update" not in asks(handed)


def test_an_address_that_only_this_machine_has_is_told(visit):
    assert scene(visit(**SMALL).stage, "http://localhost:8501/")["notes"] == [ONLY_HERE]


def test_a_run_that_has_come_further_than_a_link_goes_is_told(visit, monkeypatch):
    for module in ("pages.ui.handout", "core.figures.parts.handout"):
        monkeypatch.setattr(f"{module}.FURTHEST", 10)
    handed = scene(ran(visit(**SMALL), 12).stage, AT)
    assert asks(handed)["update"] == "10"
    assert len(handed["notes"]) == 1


def test_a_play_head_that_is_none_is_not_handed_on(visit):
    assert "step" not in asks(scene(visit(**SMALL).stage, AT, "<b>"))


# Hiding


def styles(visitor):
    return [
        node.proto.body
        for node in visitor._html()
        if node.proto.body.startswith("<style>") and "display: none" in node.proto.body
    ]


def test_what_is_hidden_stays_hidden_and_in_the_address_on_every_page(visit):
    visitor = visit(hide="knobs, sidebar", **SMALL)
    for page in ("1_recurrent_step", "4_perplexity", "3_training"):
        visitor.app.switch_page(f"pages/{page}.py")
        assert visitor.run().url["hide"] == "sidebar,knobs"
        assert any(HIDES["knobs"] in style for style in styles(visitor))
    assert asks(scene(visitor.stage, AT))["hide"] == "sidebar,knobs"


def test_what_cannot_be_hidden_is_said(visit):
    visitor = visit(hide="everything,<b>", **SMALL)
    assert len(visitor.notices) == 1
    assert "hide" not in visitor.url


def test_everything_that_can_be_hidden_is_somewhere():
    assert tuple(HIDES) == HIDEABLE
