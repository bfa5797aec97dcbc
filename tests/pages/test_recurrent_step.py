"""The Recurrent step page computes with typed and chosen numbers, on any text."""

import threading
from collections.abc import Iterable, Iterator
from itertools import islice

import numpy as np
import pytest

from core.analysis.one_step_matrices import StepBack, StepMatrices, two_ways
from core.analysis.recurrent_step import never_seen
from core.training.experiments.bit_descent import BIT_UPDATES
from core.training.experiments.bit_tasks import echo, network, perplexity
from pages.app.server import shared_cache
from pages.figures.parts.numbers import number
from pages.recurrent_step import back, bit_network, matrices, networks
from tests.pages.app_session import HOSTILE, LIMIT, SMALL, AppSession
from tests.pages.figures.drawings import exact, value, words


@pytest.fixture
def page(visit) -> AppSession:
    return visit("recurrent_step", **SMALL)


def test_an_edited_cell_is_computed_with(page):
    page.open_section("products")
    numbers = page.choices["matrices"]
    numbers["X"] = np.array(numbers["X"])
    numbers["X"][1, 0] = 7.5
    scene = page.open_section("products").data("products")
    ways = two_ways(StepMatrices(**numbers))
    assert scene["equations"][0][0]["parts"][0]["cells"][1][0][0] == "7.5"
    shown = [float(cell[2].replace("−", "-")) for cell in scene["equations"][1][-1]["parts"][0]["cells"][1]]
    assert shown == pytest.approx(ways.one_product[1], abs=6e-7)


def test_what_is_never_seen_is_measured_on_the_held_out_text(page):
    corpus = page.stage.corpus
    shown = page.open_section("why").data("never_seen")["figure"]["data"][0]["y"]
    wanted = never_seen(corpus.train, corpus.held_out, corpus.tokenizer.size)
    assert shown == pytest.approx([100 * share for share in wanted], abs=0.006)


def test_both_networks_read_the_same_held_out_passage(page):
    scene = page.train(3).open_section("networks").data("two_networks")
    without, with_state = scene["sides"]
    assert float(with_state["perplexity"][0]) == pytest.approx(page.stage.run.snapshot().view.perplexity, rel=0.01)
    assert float(without["perplexity"][0]) < page.stage.corpus.tokenizer.size / 2
    page.open_section("shapes")
    again = page.open_section("networks", draw=3).data("two_networks")["sides"][0]
    assert again["perplexity"] == without["perplexity"]  # it was trained only once


def test_one_step_back_uses_the_numbers_of_the_two_products(page):
    products = page.open_section("products", N=2, D=3, H=5).data("products")
    numbers = page.choices["matrices"]
    back = page.open_section("back").data("back")
    assert page.choices["matrices"] is numbers
    X_T, X = back["equations"][5]["items"][0]["parts"][0]["cells"], products["equations"][0][0]["parts"][0]["cells"]
    assert [[cell[2] for cell in row] for row in zip(*X_T, strict=True)] == [[cell[2] for cell in row] for row in X]


def exact_of(matrix: dict) -> list[list[float]]:
    return [[float(cell[2].replace("−", "-")) for cell in row] for row in matrix["parts"][0]["cells"]]


def test_a_pasted_matrix_sets_the_sizes_and_is_computed_with_in_both_sections(page):
    page.open_section("products")
    before = page.choices["matrices"]["H"]
    matrices.paste(page.stage, page.choices, "X", "tensor([[ 1.0000, -2.5000,  0.2500]])")
    assert [page.choices[name] for name in "NDH"] == [1, 3, 4]
    scene = page.run().data("products")
    assert exact_of(scene["equations"][0][0]) == [[1, -2.5, 0.25]]
    assert [page.url[name] for name in "ND"] == ["1", "3"]
    np.testing.assert_array_equal(page.choices["matrices"]["H"], before[:1])
    assert exact_of(page.open_section("back").data("back")["equations"][5]["items"][0]) == [[1], [-2.5], [0.25]]
    assert exact_of(page.open_section("products").data("products")["equations"][0][0]) == [[1, -2.5, 0.25]]
    page.choices.update(draw=1)
    assert exact_of(page.run().data("products")["equations"][0][0]) != [[1, -2.5, 0.25]]  # new numbers were asked for


@pytest.mark.parametrize(("name", "text"), [
    ("X", "hello"), ("X", "[[100]]"), ("W_hh", "[[1, 2]]"), ("b", "[[1], [2]]"), ("dh_next", "[[1]]"), ("X", str([[0] * 7])), *(
        ("X", text) for text in HOSTILE if text != HOSTILE[-1]
    ),
])  # fmt: skip
def test_what_cannot_be_pasted_changes_nothing_and_is_said(page, name, text):
    page.open_section("back")
    before = {key: value for key, value in page.choices.items() if key != "refused"}
    page.app.session_state["own_numbers_back_name"], page.app.session_state["own_numbers_back_text"] = name, text
    page.app.session_state["own_numbers_back"] = True
    page.run().press("Take these numbers")
    assert len(page.notices) == 1
    assert {key: value for key, value in page.choices.items() if key != "refused"} == before


@pytest.mark.parametrize(("name", "text", "says"), [
    ("X", "-120.5 1", "−120.5 is none"), ("W_hh", "1 2 3", "This is 1 × 3"), ("b", "1 2; 3 4", "This has 2 rows"),
])  # fmt: skip
def test_a_refusal_is_the_same_in_both_notations_and_has_a_minus_sign(page, name, text, says):
    page.open_section("back")
    with pytest.raises(ValueError, match=says) as refused:
        matrices.paste(page.stage, page.choices, name, text)
    assert "W_hh" not in str(refused.value)
    assert "b_h" not in str(refused.value)


def test_cells_of_one_step_back_are_edited_where_they_are_given(page):
    page.open_section("back", N=2, D=3, H=4)
    b = page.data("back")
    back.change(page.stage, page.choices, step_of(page), "x.T", (2, 1), "0.25")
    assert page.choices["matrices"]["X"][1, 2] == 0.25
    back.change(page.stage, page.choices, step_of(page), "b_h", (1, 3), "−3")
    assert page.choices["matrices"]["b"][0, 3] == -3
    dh_next = exact_of(page.run().data("back")["equations"][1]["items"][0])
    assert dh_next != exact_of(b["equations"][1]["items"][0])  # it comes from the loss
    back.change(page.stage, page.choices, step_of(page), "dh_next", (0, 0), "2")
    back.change(page.stage, page.choices, step_of(page), "W_hh.T", (0, 1), "5")
    after = page.run().data("back")
    assert exact_of(after["equations"][1]["items"][0])[0][0] == 2
    assert exact_of(after["equations"][1]["items"][0])[1] == dh_next[1]  # it stays what it was
    back.change(page.stage, page.choices, step_of(page), "W_hh.T", (0, 0), "many")
    assert page.run().data("back")["notice"]


def step_of(page: AppSession) -> StepBack:
    return back.step_back(page.stage, page.choices, matrices.matrices(page.stage, page.choices))


def test_hidden_results_are_in_no_other_drawing(page):
    page.open_section("back")
    assert {"graph", "slope"} <= {node.key for node in page.nodes("bidi_component")}
    assert page.open_section("back", results="hidden").data("back")["hidden"]
    assert page.url["results"] == "hidden"
    assert not {"graph", "slope"} & {node.key for node in page.nodes("bidi_component")}
    assert page.open_section("products").data("products")["hidden"]


def test_the_cells_read_the_held_out_text_with_the_network_as_it_is(page):
    before = page.open_section("products").data("cells")
    after = page.train(3).data("cells")
    assert before["grids"] != after["grids"]
    assert [box["lines"] for box in before["boxes"][::3]] == [box["lines"] for box in after["boxes"][::3]]


def test_a_link_opens_the_chosen_sizes_and_tokens(page, visit):
    page.open_section("networks", pair=(1, 3), draw=2)
    before = page.data("two_networks")["before"]
    page.open_section("shapes", sizes={"N": 4, "D": 16, "H": 32, "V": 100, "T": 50})
    other = visit("recurrent_step", **page.url)
    assert [slider["words"][slider["at"]] for slider in other.data("shapes")["sliders"]] == ["4", "16", "32", "100", "50"]
    scene = other.open_section("networks").data("two_networks")
    assert (scene["pair"], scene["before"]) == ([1, 3], before)
    scene = other.open_section("networks", pair=(3, 40)).data("two_networks")
    assert scene["pair"] == []  # this passage is shorter
    assert scene["before"] == scene["after"]
    assert {words for side in scene["sides"] for *_, words in side["predictions"]} == {"–"}  # no answer before a swap


def test_a_network_that_trains_once_does_not_hold_up_the_page(visit, monkeypatch):
    go_on = threading.Event()

    def when_released(trainer: Iterable, updates: int) -> Iterator:
        while not go_on.is_set():
            yield
        yield from islice(trainer, updates)

    page = visit("recurrent_step", section="shapes", **SMALL, seed=71)  # its run is made before: that is shown, too
    monkeypatch.setattr(shared_cache, "serving", True)
    monkeypatch.setattr(shared_cache, "PATIENCE", 0.0)
    monkeypatch.setattr(networks, "islice", when_released)
    page.open_section("networks")
    assert "two_networks" not in dict(page.components())
    assert "this once" in " ".join(page.html)
    assert "two_networks" not in dict(page.open_section("shapes").components())  # the page can be left
    assert "shapes" in dict(page.components())
    go_on.set()
    monkeypatch.setattr(shared_cache, "PATIENCE", LIMIT)
    page.open_section("networks")
    assert "two_networks" in dict(page.components())
    assert "this once" not in " ".join(page.html)


def shown(page: AppSession) -> tuple[list[str], str]:
    """The numbers and the sentences beside the network that the reader builds."""
    (panel,) = page.data("bit_result")["cards"]
    return [number for _words, number in panel["rows"]], " ".join(map(words, panel["sentences"]))


def weights_of(page: AppSession) -> tuple[float, ...]:
    return bit_network.weights_of(page.choices)


@pytest.mark.parametrize("notation", ["first", "second"])
def test_a_typed_weight_is_judged_over_all_strings(visit, notation):
    page = visit("recurrent_step", section="memory", notation=notation, **SMALL)
    names = [part["id"] for item in page.data("bit_weights")["equations"][0] for part in item["parts"]]
    assert len(set(names)) == len(names) == 5  # an edit comes back with a name, also where both biases are b
    bit_network.edit(page.choices, "W_hh", 0, 0, "−2,5")
    page.run()
    assert exact(page.data("bit_weights")["equations"][0][1]["parts"][0]) == [[-2.5]]
    weights = weights_of(page)
    assert shown(page)[0][0] == number(perplexity(network(np.array(weights)), echo(0)))
    assert weights_of(visit("recurrent_step", **page.url)) == weights


def test_a_weight_out_of_range_is_refused_and_the_others_stay(page):
    before = weights_of(page.open_section("memory"))
    for text in ("10.1", "nan", "<b>1</b>", ""):
        bit_network.edit(page.choices, "W_xh", 0, 0, text)
        assert "between −10 and 10" in page.run().data("bit_weights")["notice"]
    bit_network.edit(page.choices, "W_xq", 0, 0, "1")
    bit_network.edit(page.choices, "W_xh", 2, 0, "1")
    assert weights_of(page.run()) == before
    assert not page.data("bit_weights")["notice"]


@pytest.mark.parametrize("units", [1, 2])
@pytest.mark.parametrize("goal", bit_network.GOALS)
def test_the_solution_of_every_task_is_as_good_as_is_said(page, goal, units):
    page.open_section("memory", goal=goal, units=units)
    unsolved = shown(page)
    assert "Solved" not in unsolved[1]
    for name in ("hint", "solve"):
        bit_network.press(page.choices, name)
    numbers, sentences = shown(page.run())
    assert len(sentences) > len(unsolved[1]) + 20
    assert ("Solved" in sentences) == (value(numbers[0]) <= 1.02 * value(numbers[1]))
    assert ("Solved" in sentences) == page.data("bit_bar")["rows"][0][0]["label"].endswith("✓")
    if len(numbers) > 2:
        assert numbers[0] == numbers[2]  # the best found
        assert "Solved" not in sentences
    assert ("One unit cannot" in sentences) == (units == 1 and goal[-1] in "123" and goal != "lag-1")


def test_gradient_descent_starts_at_the_readers_weights_and_its_path_is_shown(page, visit):
    page.open_section("memory")
    assert "weights" not in page.url  # those of the start
    bit_network.edit(page.choices, "W_hh", 0, 0, "0.5")
    start = weights_of(page)
    bit_network.press(page.choices, "descend")
    end = weights_of(page.run())
    assert value(shown(page)[0][0]) < 1.02
    page.choices["at"] = 0
    assert weights_of(page.run()) == start
    page.choices["at"] = BIT_UPDATES
    assert weights_of(page.run()) == end
    assert weights_of(visit("recurrent_step", **page.url)) == end
    bit_network.edit(page.choices, "W_hh", 0, 0, "0")
    assert "bit_descent" not in dict(page.run().components())  # these weights are not on the path
    bit_network.press(page.choices, "begin")
    assert weights_of(page.run()) == bit_network.FIRST_WEIGHTS[1]


def test_a_hint_says_why_the_weight_that_is_set_holds_or_does_not(page):
    page.open_section("memory", goal="hold")
    bit_network.press(page.choices, "hint")
    assert "comes nearer to 0" not in shown(page.run())[1]  # token 0 moves the state
    for name in ("W_xh", "b_h"):
        bit_network.edit(page.choices, name, 0, 0, "0")
    bit_network.edit(page.choices, "W_hh", 0, 0, "0.9")
    assert "W_hh = 0.90, from −1 to 1, it comes nearer to 0" in shown(page.run())[1]
    bit_network.edit(page.choices, "W_hh", 0, 0, "2")
    assert "above 1, it stays at h = 0.96" in shown(page.run())[1]


def test_what_is_broken_can_be_mended(page):
    page.open_section("memory", goal="echo-1", units=2)
    bit_network.press(page.choices, "solve")
    solved = weights_of(page.run())
    bit_network.press(page.choices, "break")
    _numbers, explained = shown(page)
    numbers, sentences = shown(page.run())
    assert value(numbers[0]) > 1.9
    assert "is 0 now, not" in sentences
    said = "W_hq reads unit 2"  # of the solution, which this is no longer
    assert (said in explained, said in sentences) == (True, False)
    assert sum(a != b for a, b in zip(solved, weights_of(page), strict=True)) == 1
    bit_network.press(page.choices, "break")
    assert weights_of(page.run()) == solved
    assert "is 0 now" not in shown(page)[1]


def test_another_task_keeps_the_weights_and_other_units_or_forgetting_begin_anew(page):
    page.open_section("memory")
    bit_network.edit(page.choices, "W_hh", 0, 0, "0.7")
    weights = weights_of(page)
    assert weights_of(page.open_section("memory", goal="hold")) == weights
    assert weights_of(page.open_section("memory", goal="forget")) == bit_network.HOLDS
    assert len(weights_of(page.open_section("memory", units=2))) == 16
