"""Which value? On the Training page: what is asked is trained, it is found again, and the best one can become the run."""

import time

import pytest

from core.settings import KNOBS
from core.training.sweep import Sweep
from pages.training import sweep

SMALL = {"corpus": "lag", "max_tokens": 4000, "hidden_size": 8, "batch_size": 4, "num_steps": 8}
LIMIT = 60.0
OWN = "the cat sat on the mat. the dog sat on the log. " * 40


def chosen(page):
    return page.app.session_state[sweep.NAME]


def begin(page, values="", budget="100 k tokens each", **choices):
    chosen(page).update(choices, budget=budget)
    if values:
        chosen(page)["typed"][chosen(page)["knob"]] = values
    sweep.press(page.stage, chosen(page), "begin")
    return page.run()


def finished(page):
    assert page.stage.beside[sweep.NAME].join(LIMIT)
    return page.run()


@pytest.fixture
def page(visit):
    return visit(**SMALL)


def test_a_tab_that_is_loaded_again_finds_what_was_trained(page):
    begin(page, "0.003, 0.03")
    finished(page)
    del page.app.session_state[sweep.NAME]  # a new session has the stage of the old one, and no choices
    page.run()
    sweep.open_best(page.stage, page.stage.compared[sweep.NAME])
    assert page.stage.settings.learning_rate in (0.003, 0.03)


def test_nothing_trains_before_the_button_is_pressed(page):
    assert sweep.NAME not in page.stage.beside
    assert page.bar("sweep_bar")["knob"]["value"] == "learning_rate"
    assert page.widget("sweep_values_learning_rate").value == "0.0005, 0.002, 0.005, 0.02, 0.05"


def test_every_setting_but_views_is_offered_with_values_that_can_be_read(page):
    judged_by = {"validation_share"}  # what judges cannot be what is compared
    names = [name for name, knob in KNOBS.items() if knob.kind != "view" and name not in judged_by]
    assert [name for name, _ in page.bar("sweep_bar")["knob"]["options"]] == names
    for knob in names:
        chosen(page)["knob"] = knob
        page.run()
        assert len(sweep.read_values(knob, page.widget(f"sweep_values_{knob}").value)) > 1


def test_what_is_asked_is_trained_and_drawn_and_the_best_one_opened(page):
    begin(page, "0.003, 0.03", seeds=2)
    page.app.switch_page("pages/4_perplexity.py")
    page.run()
    page.app.switch_page("pages/3_training.py")  # it goes on while another page is read
    finished(page)
    source = page.stage.beside[sweep.NAME].source
    assert [(m.settings.learning_rate, m.settings.seed, m.ended) for m in source.members] == [
        (rate, seed, "finished") for rate in (0.003, 0.03) for seed in (0, 1)
    ]
    assert {trace["name"] for trace in page.scene("sweep_curves")["figure"]["data"]} >= {"0.003", "0.03", "0.03, seed 1"}
    assert len(page.scene("sweep_reached")["figure"]["data"][1]["x"]) == 4
    assert not sweep.is_open(page.stage)
    page.press("Open the best one as the run")
    assert sweep.is_open(page.stage)
    assert page.stage.run.join(LIMIT)
    best = min(source.members, key=lambda member: member.reached.nats)
    assert page.stage.watched.step == best.step
    assert page.stage.watched.history.judged[-1].nats == best.reached.nats


@pytest.mark.parametrize("values", ["0.1, many", "", ", ".join(f"0.0{i}" for i in range(1, 10)), "-1"])
def test_values_that_are_none_are_told_and_nothing_begins(page, values):
    chosen(page)["typed"]["learning_rate"] = values or " , "
    sweep.press(page.stage, chosen(page), "begin")
    page.run()
    assert page.notices
    assert sweep.NAME not in page.stage.beside


def test_stopped_it_keeps_what_was_reached_and_goes_on(page):
    begin(page, "0.003, 0.03", "10 M tokens each")
    run = page.stage.beside[sweep.NAME]
    while not all(member.step for member in run.source.members):
        time.sleep(0.05)
    sweep.press(page.stage, chosen(page), "stop")
    finished(page)
    assert 0 < run.snapshot().view.share < 1
    assert page.bar("sweep_bar")["go_on"]["words"] == "Go on"
    assert page.scene("sweep_curves")["figure"]["data"]
    best = min(run.source.members, key=lambda member: member.reached.nats)
    page.press("Open the best one as the run")
    assert page.stage.run.join(LIMIT)
    judged = page.stage.watched.history.judged[-1]
    assert (judged.update, judged.nats) == (best.reached.update, best.reached.nats)
    sweep.press(page.stage, chosen(page), "go_on")
    assert run.playing


def test_the_reader_s_own_text_is_swept_over(page):
    page.stage.start(page.stage.settings.but(corpus="own", max_tokens=0), OWN)
    finished(begin(page.run(), "4, 8", knob="hidden_size"))
    source = page.stage.beside[sweep.NAME].source
    assert isinstance(source, Sweep)
    assert all(member.ended == "finished" and member.reached.perplexity < 5 for member in source.members)
