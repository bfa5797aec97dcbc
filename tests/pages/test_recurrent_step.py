"""The Recurrent step page: every section opens, and what is typed or chosen is what is computed with."""

import numpy as np
import pytest

from core.analysis.recurrent_step.matrices import StepMatrices
from core.analysis.recurrent_step.products import two_ways
from core.analysis.recurrent_step.why import never_seen

PAGE = "pages/recurrent_step/page.py"
SECTIONS = ("why", "order", "networks", "products", "shapes", "back")


@pytest.fixture
def page(visit):
    """A visitor who has turned to the page, its text small."""
    visitor = visit(max_tokens=10_000, hidden_size=8, batch_size=4, num_steps=8)
    visitor.app.switch_page(PAGE)
    return visitor.run()


def view(page):
    return page.app.session_state["recurrent_step"]


def go(page, section, **choices):
    view(page).update(section=section, **choices)
    return page.run()


@pytest.mark.parametrize("section", SECTIONS)
def test_every_section_opens(page, section):
    assert go(page, section).scene("sections")["chosen"] == section
    assert {name for name, _ in page.scene("sections")["sections"]} == set(SECTIONS)


def test_an_edited_cell_is_computed_with(page):
    go(page, "products")
    numbers = view(page)["matrices"]
    numbers["X"] = np.array(numbers["X"])
    numbers["X"][1, 0] = 7.5
    scene = go(page, "products").scene("products")
    ways = two_ways(StepMatrices(**numbers))
    assert scene["equations"][0][0]["parts"][0]["cells"][1][0][0] == "7.5"
    shown = [float(cell[2].replace("−", "-")) for cell in scene["equations"][1][-1]["parts"][0]["cells"][1]]
    assert shown == pytest.approx(ways.one[1], abs=6e-7)


def test_what_is_never_seen_is_measured_on_the_held_out_text(page):
    corpus = page.stage.corpus
    shown = go(page, "why").scene("never_seen")["figure"]["data"][0]["y"]
    wanted = never_seen(corpus.train, corpus.held_out, corpus.tokenizer.size)
    assert shown == pytest.approx([100 * share for share in wanted], abs=0.006)


@pytest.mark.parametrize("change", [{"validation_share": 0.0}, {"corpus": "lag"}, {"unit": "word", "vocab_cap": 50}])
def test_sections_open_on_any_text(page, change):
    page.stage.start(page.stage.settings.but(**change))
    assert not page.stage.problem
    for section in SECTIONS:
        go(page, section)


def test_sizes_begin_as_the_runs_own(page):
    scene = go(page, "shapes").scene("shapes")
    assert [slider["words"][slider["at"]] for slider in scene["sliders"]][::2] == ["4", "8"]


def test_both_networks_read_the_same_held_out_passage(page):
    page.stage.run.step(3)
    scene = go(page, "networks").scene("two_networks")
    text = page.stage.corpus.tokenizer.symbols(page.stage.watched.held_out.source.inputs)
    shown = [symbol for symbol in scene["before"] if symbol.isalnum()]
    assert set(shown) <= set(text)
    without, with_state = scene["sides"]
    assert float(with_state["perplexity"][0]) == pytest.approx(page.stage.run.snapshot().view.perplexity, rel=0.01)
    assert float(without["perplexity"][0]) < page.stage.corpus.tokenizer.size / 2
    assert "does not move" in "".join(text for text, _ in without["verdict"])


def test_the_network_without_a_state_is_trained_once(page):
    first = go(page, "networks").scene("two_networks")["sides"][0]["perplexity"]
    go(page, "shapes")
    assert go(page, "networks", draw=3).scene("two_networks")["sides"][0]["perplexity"] == first


def test_a_text_of_ones_own_is_kept_by_this_session_alone(page):
    page.stage.start(page.stage.settings.but(corpus="own"), "abcdefgh " * 400)
    assert not page.stage.problem
    for section in SECTIONS:
        go(page, section)
    assert set(page.app.session_state["kept"]) == {"never_seen", "mlp"}


def test_one_step_back_uses_the_numbers_of_the_two_products(page):
    products = go(page, "products", N=2, D=3, H=5).scene("products")
    numbers = view(page)["matrices"]
    scene = go(page, "back").scene("back")
    assert view(page)["matrices"] is numbers
    X_T, X = scene["equations"][4]["items"][0]["parts"][0]["cells"], products["equations"][0][0]["parts"][0]["cells"]
    assert [[cell[2] for cell in row] for row in zip(*X_T, strict=True)] == [[cell[2] for cell in row] for row in X]


def test_the_words_of_the_order_can_be_chosen(page):
    scene = go(page, "order", first=2, second=5).scene("order")
    assert [part["id"] for part in scene["equations"][1]["items"][0]["parts"]] == ["goodbye", "hello"]
