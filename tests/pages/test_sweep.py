"""A sweep over the values of a setting: they are trained and restored, and the best one can become the run."""

import pytest

from pages.training import sweep
from tests.core.training.waiting import until
from tests.pages.app_session import LIMIT, AppSession

OWN = "the cat sat on the mat. the dog sat on the log. " * 40


def chosen(page: AppSession) -> dict:
    return page.app.session_state[sweep.CHOSEN]


def begin(page: AppSession, values: str, budget: str = "100 k tokens each", **choices: object) -> AppSession:
    chosen(page).update(choices, budget=budget)
    chosen(page)["typed"][chosen(page)["knob"]] = values
    sweep.press(page.stage, chosen(page), "begin")
    return page.run()


def finished(page: AppSession) -> AppSession:
    assert page.stage.experiments[sweep.NAME].join(LIMIT)
    return page.run()


@pytest.fixture
def page(visit) -> AppSession:
    return visit(corpus="lag", max_tokens=4000, hidden_size=8, batch_size=16, num_steps=16)


def test_all_values_are_trained_and_drawn_and_the_best_becomes_the_run(page):
    begin(page, "0.003, 0.03", seeds=2)
    page.switch_page("perplexity").switch_page("training")  # it continues while another page is open
    finished(page)
    source = page.stage.experiments[sweep.NAME].source
    ended = [(member.settings.learning_rate, member.settings.seed, member.ended) for member in source.members]
    assert ended == [(rate, seed, "finished") for rate in (0.003, 0.03) for seed in (0, 1)]
    assert {trace["name"] for trace in page.data("sweep_curves")["figure"]["data"]} >= {"0.003", "0.03", "0.03, seed 1"}
    assert len(page.data("sweep_reached")["figure"]["data"][1]["x"]) == 4
    del page.app.session_state[sweep.CHOSEN]  # a reloaded tab has the session, but no choices
    page.run()
    assert not sweep.is_open(page.stage)
    page.press("Open the best one as the run")
    assert sweep.is_open(page.stage)
    assert page.stage.run.join(LIMIT)
    best = min(source.members, key=lambda member: member.reached.nats)
    assert page.stage.monitored.step == best.step
    assert page.stage.monitored.history.judged[-1].nats == best.reached.nats


def test_invalid_values_are_reported_and_nothing_begins(page):
    for values in ("0.1, many", " , ", ", ".join(f"0.0{i}" for i in range(1, 10)), "-1"):
        assert begin(page, values).notices, values
        assert sweep.NAME not in page.stage.experiments


def test_a_stopped_sweep_has_what_was_reached_and_can_go_on(page):
    begin(page, "0.003, 0.03", "10 M tokens each")
    run = page.stage.experiments[sweep.NAME]
    until(lambda: all(member.step for member in run.source.members))
    sweep.press(page.stage, chosen(page), "stop")
    finished(page)
    assert 0 < run.snapshot().view.share < 1
    assert page.controls("sweep_bar")["go_on"]["words"] == "Go on"
    assert page.data("sweep_curves")["figure"]["data"]
    best = min(run.source.members, key=lambda member: member.reached.nats)
    page.press("Open the best one as the run")
    assert page.stage.run.join(LIMIT)
    judged = page.stage.monitored.history.judged[-1]
    assert (judged.update, judged.nats) == (best.reached.update, best.reached.nats)
    sweep.press(page.stage, chosen(page), "go_on")
    assert run.playing


def test_the_own_text_is_swept_over(page):
    page.start(OWN, corpus="own", max_tokens=0)
    finished(begin(page, "4, 8", knob="hidden_size"))
    members = page.stage.experiments[sweep.NAME].source.members
    assert members
    assert all(member.ended == "finished" and member.reached.perplexity < 5 for member in members)


def test_a_sweep_that_stops_while_its_page_is_drawn_is_shown_as_stopped_in_all_of_it(page, monkeypatch):
    begin(page, "0.003, 0.03", budget=list(sweep.BUDGETS)[-1])
    draw = sweep.values

    def stop_and_draw(*given: object) -> None:
        """Stop the sweep after its bar was drawn and before its charts are drawn."""
        page.stage.experiments[sweep.NAME].pause()
        page.stage.experiments[sweep.NAME].join(LIMIT)
        draw(*given)

    monkeypatch.setattr(sweep, "values", stop_and_draw)
    page.run()
    assert "stop" not in page.controls("sweep_bar")
    assert page.controls("sweep_bar")["go_on"]["words"]


def test_a_link_holds_what_is_compared(visit):
    asked = {"knob": "hidden_size", "seeds": "3", "budget": "100 k tokens each", "values": "8, 16"}
    page = visit("training", corpus="lag", **asked)
    assert (page.notices, page.url) == ([], {"corpus": "lag"} | asked)
    assert (chosen(page)["knob"], chosen(page)["seeds"], chosen(page)["typed"]) == ("hidden_size", 3, {"hidden_size": "8, 16"})
    chosen(page).update(seeds=1, knob="learning_rate", budget="1 M tokens each")
    assert page.run().url == {"corpus": "lag"}
    assert not visit("training", corpus="lag", seeds="9").url.keys() & asked.keys()
