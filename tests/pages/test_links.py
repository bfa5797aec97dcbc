"""A link is a run, and a moment of it: who opens it gets the same curve."""

import pytest
from streamlit.util import calc_hash

from core.query import FURTHEST
from tests.pages.conftest import LIMIT
from tests.pages.test_training import SMALL


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
    assert len(both) > 30
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
