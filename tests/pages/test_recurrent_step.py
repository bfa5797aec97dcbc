"""The Recurrent step page: every section opens, and what is typed or chosen is what is computed with."""

import numpy as np
import pytest
from streamlit.util import calc_hash

from core.analysis.recurrent_step.matrices import StepMatrices
from core.analysis.recurrent_step.products import two_ways
from core.analysis.recurrent_step.why import never_seen
from pages.recurrent_step.sections import SECTIONS
from pages.recurrent_step.shapes import own_sizes
from tests.pages.conftest import below

PAGE = "pages/1_recurrent_step.py"


@pytest.fixture
def page(visit):
    """A visitor who has turned to the page, its text small."""
    visitor = visit(max_tokens=10_000, hidden_size=8, batch_size=4, num_steps=8)
    visitor.app.switch_page(PAGE)
    return visitor.run()


@pytest.mark.parametrize("section", SECTIONS)
def test_every_section_opens(page, section):
    assert page.turn_to(section).bar()["section"]["value"] == section


def test_an_edited_cell_is_computed_with(page):
    page.turn_to("products")
    numbers = page.wishes["matrices"]
    numbers["X"] = np.array(numbers["X"])
    numbers["X"][1, 0] = 7.5
    scene = page.turn_to("products").scene("products")
    ways = two_ways(StepMatrices(**numbers))
    assert scene["equations"][0][0]["parts"][0]["cells"][1][0][0] == "7.5"
    shown = [float(cell[2].replace("−", "-")) for cell in scene["equations"][1][-1]["parts"][0]["cells"][1]]
    assert shown == pytest.approx(ways.one[1], abs=6e-7)


def test_what_is_never_seen_is_measured_on_the_held_out_text(page):
    corpus = page.stage.corpus
    shown = page.turn_to("why").scene("never_seen")["figure"]["data"][0]["y"]
    wanted = never_seen(corpus.train, corpus.held_out, corpus.tokenizer.size)
    assert shown == pytest.approx([100 * share for share in wanted], abs=0.006)


@pytest.mark.parametrize("change", [{"validation_share": 0.0}, {"corpus": "lag"}, {"unit": "word", "vocab_cap": 50}])
def test_sections_open_on_any_text(page, change):
    page.stage.start(page.stage.settings.but(**change))
    assert not page.stage.problem
    for section in SECTIONS:
        page.turn_to(section)


def test_sizes_begin_as_the_runs_own(page):
    scene = page.turn_to("shapes").scene("shapes")
    assert [slider["words"][slider["at"]] for slider in scene["sliders"]][::2] == ["4", "8", "8"]


def test_both_networks_read_the_same_held_out_passage(page):
    page.stage.run.step(3)
    scene = page.turn_to("networks").scene("two_networks")
    text = page.stage.corpus.tokenizer.symbols(page.stage.watched.held_out.source.inputs)
    shown = [symbol for symbol in scene["before"] if symbol.isalnum()]
    assert set(shown) <= set(text)
    without, with_state = scene["sides"]
    assert float(with_state["perplexity"][0]) == pytest.approx(page.stage.run.snapshot().view.perplexity, rel=0.01)
    assert float(without["perplexity"][0]) < page.stage.corpus.tokenizer.size / 2
    assert "does not move" in "".join(text for text, _ in without["verdict"])


def test_the_network_without_a_state_is_trained_once(page):
    first = page.turn_to("networks").scene("two_networks")["sides"][0]["perplexity"]
    page.turn_to("shapes")
    assert page.turn_to("networks", draw=3).scene("two_networks")["sides"][0]["perplexity"] == first


def test_sections_open_on_a_text_of_ones_own(page):
    page.stage.start(page.stage.settings.but(corpus="own"), "abcdefgh " * 400)
    assert not page.stage.problem
    for section in SECTIONS:
        page.turn_to(section)


def test_one_step_back_uses_the_numbers_of_the_two_products(page):
    products = page.turn_to("products", N=2, D=3, H=5).scene("products")
    numbers = page.wishes["matrices"]
    scene = page.turn_to("back").scene("back")
    assert page.wishes["matrices"] is numbers
    X_T, X = scene["equations"][5]["items"][0]["parts"][0]["cells"], products["equations"][0][0]["parts"][0]["cells"]
    assert [[cell[2] for cell in row] for row in zip(*X_T, strict=True)] == [[cell[2] for cell in row] for row in X]


def test_the_words_of_the_order_can_be_chosen(page):
    scene = page.turn_to("order", first=2, second=5).scene("order")
    assert [part["id"] for part in scene["equations"][1]["items"][0]["parts"]] == ["goodbye", "hello"]


@pytest.mark.parametrize("activation", ["relu", "sigmoid"])
def test_the_activation_of_the_run_is_named_everywhere(page, activation):
    page.stage.start(page.stage.settings.but(activation=activation))
    for section in SECTIONS:
        page.turn_to(section)
        parts = [node.proto for node in below(page.app._tree) if node.type == "bidi_component"]
        shown = "".join(part.bytes.decode() for part in parts if part.component_name not in ("run_card", "explain"))
        assert "φ" not in shown, section
        assert "tanh" not in shown, section


def test_three_cells_read_the_held_out_text_with_the_network_as_it_is(page):
    before = page.turn_to("products").scene("cells")
    page.stage.run.step(3)
    after = page.run().scene("cells")
    assert before["grids"] != after["grids"]
    assert [box["lines"] for box in before["boxes"][::3]] == [box["lines"] for box in after["boxes"][::3]]


def test_more_steps_need_no_more_parameters(page):
    def learnt():
        return page.scene("shapes_words")["cards"][1]["rows"][-1]

    name, before = page.turn_to("shapes") and learnt()
    assert name == "T = 8: learnt"
    sizes = own_sizes(page.stage) | {"T": 500}
    name, after = page.turn_to("shapes", sizes=sizes) and learnt()
    assert (name, after) == ("T = 500: learnt", before)
    assert page.scene("shapes")["lines"][-1][0]["copies"] == 500


def test_a_link_opens_the_sizes_and_the_two_tokens_that_were_chosen(page, visit):
    page.turn_to("networks", pair=(1, 3), draw=2)
    page.turn_to("shapes", sizes={"N": 4, "D": 16, "H": 32, "V": 100, "T": 50})
    guest = visit(calc_hash("recurrent_step"), **page.url)
    assert [slider["words"][slider["at"]] for slider in guest.scene("shapes")["sliders"]] == ["4", "16", "32", "100", "50"]
    assert guest.turn_to("networks").scene("two_networks")["pair"] == [1, 3]
    assert guest.scene("two_networks")["before"] == page.turn_to("networks").scene("two_networks")["before"]


@pytest.mark.parametrize("asked", [{"sizes": "4-16"}, {"sizes": "0-0-1-2-1"}, {"pair": "3-1"}, {"draw": "-1"}, {"pair": "x"}])
def test_what_an_address_cannot_mean_is_said(visit, asked):
    guest = visit(calc_hash("recurrent_step"), section="shapes", max_tokens=10_000, hidden_size=8, **asked)
    assert any("which is not there" in notice for notice in guest.notices)


def test_two_tokens_that_another_passage_does_not_have_are_not_exchanged(page):
    scene = page.turn_to("networks", pair=(3, 40)).scene("two_networks")
    assert scene["pair"][1] < len(scene["before"]) - 1
