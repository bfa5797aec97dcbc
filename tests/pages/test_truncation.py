"""The Truncation page: the chosen truncation is drawn, data are read as in training, the echo bound and the sweep train."""

import numpy as np
import pytest

from core.analysis.backward import backward_pass
from core.analysis.truncation import blocks, tbptt, window
from core.text.languages import echo_floor_with_reset
from core.training.experiments.sweep_worker import Budget
from pages.app.connection.connections import CLOSED, Connection
from pages.content.scenes import SCENES
from pages.truncation import cut, data, echo_bound, full_gradient, truncation_sweep
from tests.pages.app_session import LIMIT, SMALL, AppSession


@pytest.fixture
def page(visit) -> AppSession:
    return visit("truncation", **SMALL | {"max_tokens": 20_000})


def share_kept(page: AppSession) -> str:
    stops = page.data("kept_share")
    return stops["stops"][stops["chosen"]]["number"]


def test_the_triangle_loses_the_cells_of_the_scheme(page):
    for scheme, reach in (("blocks", blocks(15, 3)), ("window", window(15, 3)), ("tbptt", tbptt(15, 2, 3))):
        page.open_section("cut", tau=3, scheme=scheme, k1=2)
        triangle = page.data("triangle")
        assert triangle["reach"] == triangle["reaches"][cut.PLACES.index(3)] == reach.tolist()
        assert triangle["reaches"][-1] is None  # the whole window


def test_the_share_kept_is_that_of_the_norms_in_the_triangle(page):
    page.open_section("cut", tau=3)
    u = full_gradient.full_gradient(page.stage, page.choices["chosen"]).forward
    norms = backward_pass(page.stage.run.params(), u.tokens, u.targets).flow().norms
    t, k = np.mgrid[:15, :15]
    share = (norms * (t // 3 == k // 3)).sum() / norms.sum()
    assert share_kept(page) == f"{100 * share:.0f} %"
    for mode in ("no cut", "reset"):
        page.open_section("cut", mode=mode)
        assert share_kept(page) == "100 %"
        assert page.data("triangle")["reach"] is None
    assert page.data("triangle")["drawing"]["shades"][14][0] == -1  # exactly zero


def test_the_live_run_leaves_a_sample_at_every_update_that_was_drawn(page):
    for updates, expected in ((0, [0]), (3, [0, 3]), (0, [0, 3])):
        page.stage.run.step(updates)
        page.run()
        assert [sample.update for sample in page.choices["samples"]] == expected
    assert page.data("over_training")["figure"]["data"]


def test_a_state_too_large_for_its_cells_is_drawn_without_them(page, monkeypatch):
    monkeypatch.setattr(full_gradient, "LARGEST", 4)
    page.clear_results().run()
    assert page.data("network")["drawing"]["backward"]["borders"]
    with pytest.raises(ValueError):
        page.data("triangle")


@pytest.mark.parametrize("text", ["example", "live"])
def test_mini_batches_of_all_sizes_are_drawn_or_refused(page, text):
    page.open_section("data")
    for order in data.ORDERS:
        for T, N in ((1, 1), (35, 32), (13, 3)):
            page.choices.update(text=text, order=order, T=T, N=N, length=1001)
            page.run()
            assert bool(page.notices) == (T * N > 1000)
            if not page.notices:
                assert page.data("mini_batches")["drawing"]["frames"]


def test_both_orders_are_trained_and_their_curves_drawn(page):
    page.open_section("data")
    run = page.stage.experiments[data.NAME]
    run.step(30)
    page.run()
    curves = {curve["name"]: curve for curve in page.data("order")["figure"]["data"]}
    assert all(len(curves[name]["x"]) > 2 for name in ("in order", "shuffled"))
    data.move(page.stage, page.choices, "race", "live")
    page.run()
    assert page.stage.experiments[data.NAME] is not run
    assert page.stage.experiments[data.NAME].source.trainer.settings.num_steps == 5


def test_a_text_too_short_for_both_orders_is_reported(visit):
    page = visit("truncation", max_tokens=30, hidden_size=8, batch_size=8, num_steps=1, validation_share=0.2)
    page.open_section("data")
    data.move(page.stage, page.choices, "race", "live")
    assert page.run().notices


@pytest.fixture
def short_proof(monkeypatch):
    """Three networks that read few tokens."""
    monkeypatch.setattr(echo_bound, "LENGTHS", (3, 4, 20))
    monkeypatch.setattr(echo_bound, "BUDGET", Budget(tokens=3000))


def test_the_echo_bound_begins_with_the_bound_and_is_measured_as_it_trains(page, short_proof):
    page.open_section("proof")
    assert "bound" not in [curve["name"] for curve in page.data("proof")["figure"]["data"]]  # hidden until it is measured
    run = page.stage.experiments[echo_bound.NAME]
    echo_bound.move(page.stage, page.choices, "tau", 20)
    echo_bound.play(page.stage)
    assert run.join(LIMIT)
    bound, *_, measured, present = page.run().data("proof")["figure"]["data"]
    assert bound["y"] == pytest.approx([echo_floor_with_reset(4, tau) for tau in range(1, 21)], abs=1e-5)
    assert measured["x"] == [3, 4, 20]
    assert (present["x"], present["y"]) == ([20], pytest.approx([measured["y"][2]], abs=1e-4))
    echo_bound.move(page.stage, page.choices, "tau", 3)
    echo_bound.press(page.stage, page.choices, "seed")
    *_, earlier, _, _, _ = page.run().data("proof")["figure"]["data"]
    assert (earlier["x"], earlier["y"]) == (measured["x"], measured["y"])
    assert {member.settings.seed for member in page.stage.experiments[echo_bound.NAME].source.members} == {1}
    echo_bound.move(page.stage, page.choices, "k", "6")
    page.run()
    assert {member.settings.lag for member in page.stage.experiments[echo_bound.NAME].source.members} == {6}
    assert page.data("proof_words_1")["cards"][0]["sentences"]  # k is larger than the window


def test_in_its_scene_the_dots_come_before_the_line_and_then_the_state_is_carried(visit, monkeypatch):
    monkeypatch.setattr(echo_bound, "IN_SCENE", (4, 5))
    scene = SCENES["reach"]
    page = visit(scene.page, **scene.query)
    run = page.stage.experiments[echo_bound.NAME]
    run.step()

    def names() -> list[str]:
        return [curve["name"] for curve in page.run().data("proof")["figure"]["data"] if curve["x"]]

    assert names() == ["still learning"]
    assert page.data("echo_task")["borders"][0]["name"]
    echo_bound.play(page.stage)
    assert run.join(LIMIT)
    assert names() == ["bound", "measured"]
    echo_bound.move(page.stage, page.choices, "handed", "carried")
    run = page.stage.experiments[echo_bound.NAME]
    assert all(member.settings.carry_state for member in run.source.members)
    assert run.join(LIMIT)
    assert names() == ["bound", "earlier", "measured"]
    by_itself, solved = (dot.perplexity for dot in echo_bound.measured(run))
    assert solved < 1.1 < 1.5 < by_itself  # the gradient has to reach the answer, whatever the state carries
    assert all(column["known"] for column in page.data("echo_task")["columns"][page.choices["k"] :])
    earlier = page.choices["earlier"]
    echo_bound.move(page.stage, page.choices, "handed", "reset")
    assert (
        page.choices["earlier"] == earlier
    )  # the line is a bound where the state is reset: dots of the carried one are not kept


def test_the_networks_of_the_scene_are_not_those_of_the_page(visit, monkeypatch):
    monkeypatch.setattr(echo_bound, "IN_SCENE", (4, 5))
    scene = SCENES["reach"]
    page = visit(scene.page, **scene.query)
    page.choices["window"] = 5
    page.stage.scenes.close()
    page.run()
    assert [member.settings.num_steps for member in page.stage.experiments[echo_bound.NAME].source.members] == list(
        echo_bound.LENGTHS
    )
    page.choices["window"] = 7
    page.stage.scenes.open("reach")
    assert page.run().data("echo_task")["label"]


def test_held_out_perplexity_reaches_the_bound_and_is_not_below_it(page, monkeypatch):
    monkeypatch.setattr(echo_bound, "LENGTHS", (4, 8))
    monkeypatch.setattr(echo_bound, "BUDGET", Budget(tokens=150_000))
    page.open_section("proof")
    echo_bound.play(page.stage)
    run = page.stage.experiments[echo_bound.NAME]
    assert run.join(LIMIT)
    for dot, bound in zip(echo_bound.measured(run), (2.0, 2**0.5), strict=True):
        assert dot.finished
        assert -0.002 < dot.perplexity / bound - 1 < 0.025


def test_the_echo_bound_pauses_when_the_tab_is_closed_and_goes_on_when_it_is_back(page):
    page.open_section("proof")
    echo_bound.play(page.stage)
    run, connection = page.stage.experiments[echo_bound.NAME], Connection()
    connection.attach(page.stage)
    connection.detach()
    assert run.join(LIMIT)
    assert run.snapshot().reason == CLOSED
    Connection().attach(page.stage)
    assert run.playing


@pytest.mark.parametrize(("task", "start"), [*((task, "identity") for task in truncation_sweep.TASKS), ("echo", "fixed")])
def test_all_members_of_a_race_train_to_its_end_beside_what_theory_says(page, task, start, monkeypatch):
    monkeypatch.setattr(truncation_sweep, "BUDGET", Budget(tokens=2000))
    page.open_section("race", task=task, k=4, blocks=False, start=start)
    truncation_sweep.press(page.stage, page.choices, "begin")
    run = page.stage.experiments[truncation_sweep.NAME]
    assert run.join(LIMIT)
    page.run()
    assert {member.ended for member in run.source.members} == {"finished"}
    assert {member.frozen for member in run.source.members} == {("W_hh",) if start == "fixed" else ()}
    theory = [trace for trace in page.data("truncation_race_reached")["figure"]["data"] if trace["name"] == "theory"]
    assert len(theory) == (0 if task == "text" else len(run.source.members))
