"""The Gradient flow page shows the numbers of the backward pass, and only a button changes the run."""

import numpy as np
import pytest

from core.analysis import vanishing
from core.analysis.displayed_text import read_window
from core.analysis.gradient_check import check_weight
from core.analysis.gradient_flow import gradient_flow
from core.analysis.vanishing import measure, passages
from core.models.initialisation import spectral_radius
from core.models.rnn import backward, forward
from core.training.experiments.cliff import descend, starts_that_arrive
from core.training.run.scheduler import Job, scheduler, steps_of
from pages.app.server.shared_cache import StillComputing
from pages.content.scenes import SCENES
from pages.figures.parts.numbers import number
from pages.gradient_flow import what_if
from pages.gradient_flow.cliff import choose_start, move
from pages.gradient_flow.what_if import _apply, _move
from tests.pages.app_session import SMALL, AppSession


@pytest.fixture
def page(visit) -> AppSession:
    return visit("gradient_flow", **SMALL | {"hidden_size": 16})


def test_table_and_triangle_have_the_norms_of_the_backward_pass_of_the_run(page):
    page.train(20)
    reading = read_window(page.stage.corpus.held_out, 15)
    trace = forward(page.stage.run.params().copy(np.float64), reading.tokens[:, None])
    g = backward(trace, reading.targets[:, None])
    sizes = [step["sizes"][2] for step in page.data("backward_numbers")["numbers"]["steps"]]
    assert [float(size) for size in sizes] == pytest.approx(15 * np.linalg.norm(g.dh[1:, 0], axis=1), rel=0.0051)
    below = page.data("triangle")["drawing"]["below"]["words"]
    assert [float(one) for one, _ in below] == pytest.approx(gradient_flow(g).of_sum, rel=0.0051)


def test_the_window_stays_while_the_network_trains_and_another_text_is_drawn(page):
    before = page.data("network")
    after = page.train(5).data("network")
    assert before["text"] == after["text"]
    assert before["drawing"]["backward"] != after["drawing"]["backward"]
    for text, length in (("a long window", 40), ("machine", 6)):
        assert len(page.select("gradient_flow_text", text).data("triangle")["drawing"]["inputs"]) == length


def test_every_run_sends_the_text_to_a_browser_that_has_not_drawn_the_first_one(visit):
    page = visit("gradient_flow", text="machine").run()
    for text in ("machine", "a long window"):
        sent = page.select("gradient_flow_text", text).run().widget("gradient_flow_text").proto
        assert (sent.set_value, sent.raw_value) == (True, text)


def go(page: AppSession, section: str, **choices: object) -> AppSession:
    """Open a section, with these choices made in it."""
    state = page.open_section(section).choices
    (state.get("weight", {}) if section == "gradient_check" else state).update(choices)
    return page.run()


def numbers(page: AppSession, key: str = "what_if_numbers", part: str = "rows") -> dict:
    return {name: values for name, *values in page.data(key)[part]}


def factor(words: str) -> float:
    return float(words.removeprefix("× "))


def test_what_if_scales_a_copy_and_leaves_the_run_alone(page):
    run = page.stage.run
    before = run.params().flat.copy()
    slow, fast = (numbers(go(page, "what_if", radius=radius)) for radius in (0.5, 2.0))
    for column in (0, 1):
        assert factor(slow["factor per step back"][column]) < factor(fast["factor per step back"][column])
    assert np.array_equal(run.params().flat, before)
    assert page.stage.monitored.history.flags == []
    go(page, "what_if", clip=0.5)
    _move(page.choices, "chip", "2.0")
    page.run()
    assert page.controls("what_if")["chip"]["value"] == "2.0"
    assert "2" in page.controls("what_if")["apply"]["words"]
    _apply(page.stage, page.choices)
    page.run()
    assert spectral_radius(run.params().W_hh) == pytest.approx(2.0, rel=1e-4)
    assert page.stage.settings.clip_norm == 0.5
    assert {flag.name for flag in page.stage.monitored.history.flags} == {"spectral_radius", "clip_norm"}


def test_what_if_measures_the_live_network_on_held_out_text(page):
    page.stage.run.step(3)
    natural = spectral_radius(page.stage.run.params().W_hh)
    go(page, "what_if", T=40, radius=natural)
    text = passages(page.stage.monitored.held_out.source, 40, 8)
    found = measure(page.stage.run.params(), text, activation="tanh")
    assert factor(numbers(page)["factor per step back"][1]) == pytest.approx(found.rate, rel=0.01)
    as_is, scaled = page.data("what_if_chart")["figure"]["data"][1:]
    assert as_is["y"] == pytest.approx(scaled["y"], abs=1e-3)


def test_a_network_that_cannot_be_scaled_leaves_the_fresh_one(page, monkeypatch):
    go(page.set_params(W_hh=0), "what_if")
    assert page.data("what_if_numbers")["columns"] == ["fresh"]
    assert page.controls("what_if")["apply"]["words"] == ""
    assert any("no spectral radius" in sentence for sentence in page.notices)
    monkeypatch.setattr("pages.gradient_flow.what_if.LARGEST", 8)
    monkeypatch.setattr("pages.gradient_flow.jacobian.LARGEST", 8)
    page.start(seed=1)
    assert go(page, "what_if").data("what_if_numbers")["columns"] == ["fresh"]
    go(page, "jacobian")


def test_the_chosen_weight_is_checked(page):
    for name, choice in (("text", "machine"), ("network", "the network")):
        page.select(f"gradient_flow_{name}", choice)
    go(page, "gradient_check", matrix="W_hq", index=(3, 5))
    assert page.data("weight_map")["index"] == [3, 5]
    ids = page.stage.corpus.tokenizer.encode("machine")
    check = check_weight(page.stage.run.params(), ids[:-1, None], ids[1:, None], "W_hq", (3, 5))
    shown = numbers(page, "gradient_check_numbers")["backward"][0]
    assert float(shown.replace("−", "-")) == pytest.approx(check.analytic, rel=1e-6)
    assert page.train(5).data("weight_map")["index"] == [3, 5]
    assert go(page, "gradient_check", matrix="W_hh", index=(99, 99)).data("weight_map")["index"] == [15, 15]
    assert go(page, "gradient_check", matrix="W_emb", index=None).data("weight_map")["matrix"] == "W_hh"


def test_the_cliff_shows_both_descents_from_the_chosen_start(page):
    go(page, "cliff", bias=0.2, W=1.25, length=10, max_norm=0.5)
    for i, descent in enumerate((descend(0.2, 1.25, 10), descend(0.2, 1.25, 10, 0.5))):
        assert float(numbers(page, "cliff_numbers")["its norm"][i]) == pytest.approx(descent.norms[:-1].max(), rel=0.006)
    choose_start(page.choices, 0.262, 9.0)
    page.run()
    assert page.data("cliff_map")["figure"]["figure"]["data"][-1]["x"] == [0.25]
    assert page.data("cliff_starts")["figure"]["data"][-1]["x"] == [0.25]
    assert (page.url["bias"], page.url["W"]) == ("0.25", "2.0")
    page.stage.run.step(3)  # the section does not depend on the run
    assert page.run().data("cliff_map")["figure"]["figure"]["data"][-1]["x"] == [0.25]


def test_the_map_of_starts_follows_a_released_slider_and_the_switch_at_once(page):
    go(page, "cliff")

    def drawn() -> list:
        return page.run().data("cliff_starts")["figure"]["data"][0]["z"]

    first = drawn()
    move(page.choices, "length", 50, False)
    assert drawn() == first
    move(page.choices, "length", 50, True)
    assert drawn() != first
    move(page.choices, "length", 20, True)
    move(page.choices, "after", "500", True)
    free, clipped = (arrived(starts_that_arrive(20, norm))[500] for norm in (0.0, 1.0))
    assert drawn() == (free.astype(int) + 2 * clipped).tolist()


def arrived(steps) -> dict:
    """The result of a generator."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


def test_the_history_has_the_moments_of_the_run(page):
    page.stage.run.step(12)
    rows = numbers(go(page, "history"), "lag_history_numbers")
    assert list(rows) == ["untrained", "10", "now, 12"]
    page.stage.start(page.stage.settings)
    assert len(numbers(page.run(), "lag_history_numbers")) == 1


def test_cost_is_measured_on_request(page):
    go(page, "cost").press("Measure")
    lengths = page.data("cost_time")["figure"]["data"][1]["x"]
    assert (lengths[0], lengths[-1]) == (1, 100)
    memory = page.data("cost_memory")["figure"]["data"][1]["y"]
    assert memory[-1] > memory[0] > 0


def test_in_its_scene_every_radius_stays_on_one_axis_with_the_range_over_seeds(visit, monkeypatch):
    monkeypatch.setattr(what_if, "SEEDS", 2)
    scene = SCENES["vanishing"]
    page = visit(scene.page, **scene.query).wait().run()
    axes, names = [], []
    for radius in what_if.CHIPS.values():
        page.choices["radius"] = radius
        figure = page.run().wait().run().data("what_if_chart")["figure"]
        axes.append(figure["layout"]["yaxis"]["range"])
        names.append(len(figure["data"]))
        low, high = what_if.rates_of_seeds(radius, vanishing.FRESH_T, "tanh")
        assert low <= what_if.fresh_experiment(radius, vanishing.FRESH_T, "tanh").rate <= high
        assert any(number(low) in note["text"] and number(high) in note["text"] for note in figure["layout"]["annotations"])
    assert names == [1, 2, 3]
    assert axes[0] == axes[1] == axes[2]


def test_while_the_network_is_computed_the_tabs_are_there(page, monkeypatch):
    def computing(*_args, **_kwargs):
        raise StillComputing(Job(steps_of(dict), "pages", scheduler))

    with monkeypatch.context() as slow:
        slow.setattr("pages.app.panels.text_model_picker.cached_for_network", computing)
        assert (page.run().section, "triangle" in dict(page.components())) == ("what_if", False)
        assert page.open_section("history").section == "history"
    assert "triangle" in dict(page.run().components())
