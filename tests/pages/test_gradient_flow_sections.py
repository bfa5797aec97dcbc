"""The deeper views of the Gradient flow page: what is measured is what is shown, and nothing but a button touches the run."""

import json

import numpy as np
import pytest

from core.analysis.gradient_check import check_weight
from core.analysis.vanishing import fresh_network, measure, passages
from core.models.spectral_radius import spectral_radius
from pages.gradient_flow.sections import SECTIONS
from pages.gradient_flow.what_if import _apply, _move

PAGE = "pages/5_gradient_flow.py"
STATE = {"what_if": "what_if", "gradient_check": "weight"}  # what can be chosen in a section


@pytest.fixture
def page(visit):
    """A visitor who has turned to the page, the run small."""
    return opened(visit, max_tokens=20_000, hidden_size=16, batch_size=8, num_steps=8)


def opened(visit, **query):
    visitor = visit(**query)
    visitor.app.switch_page(PAGE)
    return visitor.run()


def go(page, section, **choices):
    """Turn to a section, with these choices made in it."""
    page.turn_to(section)
    if choices:
        page.wishes[STATE[section]].update(choices)
        page.run()
    return page


def numbers(page, key="what_if_numbers", part="rows"):
    return {name: values for name, *values in page.scene(key)[part]}


def factor(words):
    return float(words.removeprefix("× "))


@pytest.mark.parametrize("section", SECTIONS)
@pytest.mark.parametrize(
    "settings",
    [
        {"hidden_size": 1, "num_steps": 1, "batch_size": 1},
        {"corpus": "lag", "activation": "relu", "hidden_size": 4},
        {"unit": "word", "vocab_cap": 50, "embedding_size": 3, "hidden_size": 5, "activation": "sigmoid"},
    ],
    ids=["smallest", "two symbols", "words"],
)
def test_every_section_opens_on_any_network(visit, section, settings):
    page = opened(visit, **{"max_tokens": 4000, "batch_size": 4, "num_steps": 8, **settings})
    page.stage.run.step(2)
    go(page, section)


def test_a_text_of_one_step_has_no_past_and_says_so(page):
    page.app.selectbox(key="gradient_flow_text").set_value("type your own")
    page.run()
    page.app.text_input(key="gradient_flow_typed").set_value("ma")
    page.run()
    assert "longer text" in go(page, "jacobian").scene("jacobian_numbers")["sentence"]
    go(page, "gradient_check")
    assert "longer T" in go(page, "what_if", T=1).scene("what_if_numbers")["sentence"]


def test_a_slider_keeps_its_places_while_it_moves(visit):
    page = opened(visit, max_tokens=20_000, hidden_size=8, batch_size=4, num_steps=8, clip_norm=0.7)
    clip = page.bar("what_if")["clip"]
    assert clip["words"][clip["at"]] == "0.7"
    assert go(page, "what_if", clip=5.0).bar("what_if")["clip"]["words"] == clip["words"]


def test_what_if_scales_a_copy_and_leaves_the_run_alone(page):
    run = page.stage.run
    before = run.params().flat.copy()
    slow, fast = (numbers(go(page, "what_if", radius=radius)) for radius in (0.5, 2.0))
    for column in (0, 1):
        assert factor(slow["factor per step back"][column]) < factor(fast["factor per step back"][column])
    assert np.array_equal(run.params().flat, before)
    assert page.stage.watched.history.flags == []


def test_what_if_measures_the_live_network_on_held_out_text(page):
    page.stage.run.step(3)
    natural = spectral_radius(page.stage.run.params().W_hh)
    go(page, "what_if", T=40, radius=natural)
    text = passages(page.stage.watched.held_out.source, 40, 8)
    found = measure(page.stage.run.params(), text, activation="tanh")
    assert factor(numbers(page)["factor per step back"][1]) == pytest.approx(found.rate, rel=0.01)
    as_is, scaled = page.scene("what_if_chart")["figure"]["data"][1:]
    assert as_is["y"] == pytest.approx(scaled["y"], abs=1e-3)


def test_applying_is_a_button_of_its_own(page):
    go(page, "what_if", radius=2.0, clip=0.5)
    assert "2" in page.bar("what_if")["apply"]["words"]
    _apply(page.stage, page.wishes["what_if"])
    page.run()
    assert spectral_radius(page.stage.run.params().W_hh) == pytest.approx(2.0, rel=1e-4)
    assert page.stage.settings.clip_norm == 0.5
    assert {flag.name for flag in page.stage.watched.history.flags} == {"spectral_radius", "clip_norm"}
    assert "2.00 → 2" in page.bar("what_if")["apply"]["words"]


def test_clipping_by_norm_keeps_the_direction_and_by_value_does_not(page):
    gauges = numbers(go(page, "what_if", radius=2.0, clip=0.01), part="gauges")
    assert all(gauge["turned"] == "turned by 0°" for gauge in gauges["clipped by norm"])
    assert all(gauge["turned"] != "turned by 0°" for gauge in gauges["clipped by value"])
    off = numbers(go(page, "what_if", clip=0.0), part="gauges")
    assert {gauge["says"] for row in off.values() for gauge in row} == {"off"}


def test_a_chip_changes_the_radius_and_nothing_else(page):
    wish = go(page, "what_if", T=32, activation="relu", clip=0.5, radius=0.9).wishes["what_if"]
    before = dict(wish)
    assert page.bar("what_if")["chip"]["value"] == ""
    for chip, _ in page.bar("what_if")["chip"]["options"]:
        _move(wish, "chip", chip)
        assert page.run().bar("what_if")["chip"]["value"] == chip
        assert wish == before | {"radius": float(chip)}


def test_the_chips_are_where_the_textbook_s_network_vanishes_still_does_and_explodes(page):
    told = []
    for chip, _ in go(page, "what_if", T=64, activation="tanh").bar("what_if")["chip"]["options"]:
        go(page, "what_if", radius=float(chip))
        told.append(page.scene("what_if_chart")["figure"]["data"][0]["y"][32])  # log10 of the ratio to lag 0
    assert told == pytest.approx([-10.2, -0.41, 1.78], abs=0.7)
    assert fresh_network().hidden_size == 128


def broken(page, **weights):
    """The run with other weights, and all of it measured anew."""
    for name, value in weights.items():
        getattr(page.stage.watched.trainer.params, name)[...] = value
    return page.forget()


def test_a_network_that_cannot_be_scaled_leaves_the_fresh_one(page):
    go(broken(page, W_hh=0), "what_if")
    assert page.scene("what_if_numbers")["columns"] == ["fresh"]
    assert page.bar("what_if")["apply"]["words"] == ""
    assert any("no spectral radius" in sentence for sentence in page.notices)
    broken(page, flat=np.nan)
    for section in SECTIONS:
        go(page, section)


def test_a_network_too_large_for_its_eigenvalues_leaves_the_fresh_one(page, monkeypatch):
    monkeypatch.setattr("pages.gradient_flow.what_if.LARGEST", 8)
    monkeypatch.setattr("pages.gradient_flow.jacobian.LARGEST", 8)
    assert go(page, "what_if").scene("what_if_numbers")["columns"] == ["fresh"]
    go(page, "jacobian")


def test_a_network_without_any_gradient_is_shown(page):
    broken(page, W_hq=0)
    for section in SECTIONS:
        go(page, section)
    assert "zero" in go(page, "what_if").scene("what_if_numbers")["sentence"]


def test_the_picked_weight_is_checked(page):
    for name, choice in (("text", "machine"), ("network", "the network")):
        page.app.selectbox(key=f"gradient_flow_{name}").set_value(choice)
        page.run()
    go(page, "gradient_check", matrix="W_hq", index=(3, 5))
    assert page.scene("weight_map")["index"] == [3, 5]
    ids = page.stage.corpus.tokenizer.encode("machine")
    check = check_weight(page.stage.run.params(), ids[:-1, None], ids[1:, None], "W_hq", (3, 5))
    shown = numbers(page, "gradient_check_numbers")["backward"][0]
    assert float(shown.replace("−", "-")) == pytest.approx(check.analytic, rel=1e-6)


def test_a_weight_is_picked_until_another_is(page):
    first = go(page, "gradient_check").scene("weight_map")["index"]
    page.stage.run.step(5)
    assert page.run().scene("weight_map")["index"] == first
    assert go(page, "gradient_check", index=(99, 99)).scene("weight_map")["index"] == [15, 15]
    assert go(page, "gradient_check", matrix="W_emb", index=None).scene("weight_map")["matrix"] == "W_hh"


def test_the_history_keeps_the_moments_of_the_run(page):
    page.stage.run.step(12)
    rows = numbers(go(page, "history"), "lag_history_numbers")
    assert list(rows) == ["untrained", "10", "now, 12"]
    page.stage.start(page.stage.settings)
    assert len(numbers(page.run(), "lag_history_numbers")) == 1


def test_cost_is_measured_when_asked_for(page):
    go(page, "cost")
    page.press("Measure")
    lengths = page.scene("cost_time")["figure"]["data"][1]["x"]
    assert lengths[0] == 1
    assert lengths[-1] == 100
    memory = page.scene("cost_memory")["figure"]["data"][1]["y"]
    V, word = page.stage.corpus.tokenizer.size, 4
    assert memory[-1] == pytest.approx((8 * (101 * 16 + 100 * V) * word + 8 * 100 * 8) / 1e6, rel=1e-3)


def test_what_is_sent_while_the_run_trains_is_small(visit):
    page = opened(visit, max_tokens=20_000, batch_size=8, num_steps=8)
    sent = {
        "shares": ("shares_triangle", "shares_figure"),
        "what_if": ("what_if", "what_if_numbers", "what_if_chart"),
        "jacobian": ("jacobian_chart", "jacobian_numbers"),
        "gradient_check": ("weight_map", "gradient_check_numbers", "gradient_check_chart"),
        "history": ("lag_history", "lag_history_numbers"),
    }
    for section, keys in sent.items():
        go(page, section)
        assert sum(len(json.dumps(page.scene(key), separators=(",", ":"))) for key in keys) < 14_000
