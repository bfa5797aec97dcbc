"""The Truncation page: the cut that is chosen is the cut that is drawn, the data are read as in training, the proof trains."""

import numpy as np
import pytest

from core.analysis.backward import go_back
from core.analysis.truncation import blocks, tbptt, window
from core.text.languages import echo_floor_with_reset
from pages.truncation import cut, data, proof, race, uncut
from pages.truncation.sections import SECTIONS
from pages.ui.presence import CLOSED, Seat

PAGE = "pages/6_truncation.py"
SMALL = {"max_tokens": 20_000, "hidden_size": 16, "batch_size": 8, "num_steps": 8}
LIMIT = 60.0


@pytest.fixture
def page(visit):
    """A visitor who has turned to the page, its run small."""
    visitor = visit(**SMALL)
    visitor.app.switch_page(PAGE)
    return visitor.run()


def go(page, section="cut", **choices):
    return page.turn_to(section, **choices)


def after(page):
    """Where the drawing has borders, and what happens there."""
    return [(b["after"], b["forward"], b["backward"]) for b in page.scene("network")["scene"]["backward"]["borders"]]


def kept(page):
    """The share kept, as it is said."""
    scene = page.scene("kept_share")
    return scene["stops"][scene["chosen"]]["number"]


# The cut, and what is dropped


@pytest.mark.parametrize("section", SECTIONS)
def test_every_section_opens(page, section):
    go(page, section)
    assert page.bar()["section"]["value"] == section


@pytest.mark.parametrize("mode", ["carry", "reset", "no cut"])
def test_the_borders_stand_where_the_cut_is(page, mode):
    for tau in cut.PLACES:
        go(page, tau=tau, mode=mode)
        T = len(page.scene("network")["scene"]["columns"])
        expected = [] if mode == "no cut" else list(range(tau or T, T, tau or T))
        assert after(page) == [(t, "reset" if mode == "reset" else "carried", "cut") for t in expected]


@pytest.mark.parametrize(("scheme", "reach"), [("blocks", blocks(15, 3)), ("window", window(15, 3)), ("tbptt", tbptt(15, 2, 3))])
def test_the_triangle_loses_the_cells_of_the_scheme(page, scheme, reach):
    go(page, tau=3, scheme=scheme, k1=2)
    scene = page.scene("triangle")
    assert scene["reach"] == scene["reaches"][cut.PLACES.index(3)] == reach.tolist()
    assert scene["reaches"][-1] is None  # the whole window


def test_the_share_kept_is_that_of_the_sizes_in_the_triangle(page):
    go(page, tau=3)
    u = uncut.uncut(page.stage, page.wishes["chosen"]).forward
    norms = go_back(page.stage.run.params(), u.tokens, u.targets).flow().norms
    t, k = np.mgrid[:15, :15]
    share = (norms * (t // 3 == k // 3)).sum() / norms.sum()
    assert kept(page) == f"{100 * share:.0f} %"


def test_nothing_is_dropped_without_a_cut_and_with_the_state_reset(page):
    for mode in ("no cut", "reset"):
        go(page, tau=3, mode=mode)
        assert kept(page) == "100 %"
        assert page.scene("triangle")["reach"] is None
    assert page.scene("triangle")["scene"]["shades"][14][0] == -1  # an exact zero


def test_with_the_state_reset_the_losses_are_those_of_separate_windows(page):
    go(page, tau=5, mode="carry")
    carried = [column["loss"] for column in page.scene("network")["scene"]["columns"]]
    go(page, tau=5, mode="reset")
    reset = [column["loss"] for column in page.scene("network")["scene"]["columns"]]
    assert carried[:5] == reset[:5]


def test_the_live_run_leaves_a_point_at_every_look(page):
    assert [sample.update for sample in page.wishes["samples"]] == [0]
    page.stage.run.step(3)
    page.run()
    assert [sample.update for sample in page.wishes["samples"]] == [0, 3]
    page.run()
    assert len(page.wishes["samples"]) == 2
    assert page.scene("over_training")["figure"]["data"]


def test_a_state_too_large_for_its_cells_is_drawn_without_them(page, monkeypatch):
    monkeypatch.setattr(uncut, "LARGEST", 8)
    page.forget().run()
    assert after(page)
    with pytest.raises(ValueError):
        page.scene("triangle")


# The data


def test_the_second_source_s_rows_begin_at_0_and_500(page):
    go(page, "data")
    scene = page.scene("mini_batches")["scene"]
    assert [words for _, words in scene["starts"]] == ["row 1: 0", "row 2: 500"]
    assert scene["frames"][0]["where"].endswith("of 50")
    assert scene["frames"][1]["blocks"][1]["cells"] == [str(place) for place in range(510, 520)]
    assert any("0" in frame["blocks"][1]["cells"] for frame in scene["frames"])  # the second row returns to the head


@pytest.mark.parametrize("text", ["example", "live"])
def test_all_sizes_are_drawn_or_a_sentence_says_why_not(page, text):
    go(page, "data")
    for order in data.ORDERS:
        for T, N in ((1, 1), (35, 32), (13, 3)):
            page.wishes["data"].update(text=text, order=order, T=T, N=N, length=1001)
            page.run()
            assert bool(page.notices) == (T * N > 1000)
            if not page.notices:
                assert page.scene("mini_batches")["scene"]["frames"]


def test_the_live_text_is_shown_by_its_tokens(page):
    go(page, "data")
    data.move(page.stage, page.wishes["data"], "text", "live")
    page.run()
    corpus = page.stage.corpus
    first = page.scene("mini_batches")["scene"]["frames"][0]["blocks"][0]["cells"]
    shown = corpus.tokenizer.symbols(corpus.train.inputs[:10])
    assert [a == b or b in " \n" for a, b in zip(first, shown, strict=True)] == [True] * 10


def test_both_orders_are_trained_and_their_curves_drawn(page):
    go(page, "data")
    run = page.stage.beside[data.NAME]
    run.step(30)
    page.run()
    curves = {curve["name"]: curve for curve in page.scene("order")["figure"]["data"]}
    assert all(len(curves[name]["x"]) > 2 for name in ("in order", "shuffled"))
    data.move(page.stage, page.wishes["data"], "race", "live")
    page.run()
    assert page.stage.beside[data.NAME] is not run
    assert page.stage.beside[data.NAME].source.trainer.settings.num_steps == 5


# The proof


def test_the_proof_starts_with_the_bound_and_measures_as_it_trains(page):
    go(page, "proof")
    bound, *_, present = page.scene("proof")["figure"]["data"]
    assert bound["y"] == pytest.approx([echo_floor_with_reset(4, tau) for tau in range(1, 21)], abs=1e-5)
    run = page.stage.beside[proof.NAME]
    proof.move(page.stage, page.wishes, "tau", 20)
    run.step(60)
    page.run()
    present = page.scene("proof")["figure"]["data"][-1]
    assert present["x"] == [20]
    assert present["y"] == pytest.approx([run.source.measured[20].perplexity], abs=1e-4)
    assert page.scene("echo_task")["borders"][0]["name"] == "h = 0"


def test_another_k_is_another_task_at_the_same_tau(page):
    go(page, "proof")
    proof.move(page.stage, page.wishes, "tau", 3)
    proof.move(page.stage, page.wishes, "k", "6")
    page.run()
    source = page.stage.beside[proof.NAME].source
    assert (source.corpus.name, source.length) == ("echo-6 task", 3)
    assert page.scene("proof_words_1")["cards"][0]["sentences"]  # k larger than the window: a sentence


def test_other_weights_leave_the_measured_dots_where_they_are(page):
    go(page, "proof")
    source = page.stage.beside[proof.NAME].source
    source.measured = {20: source.measured[5]._replace(num_steps=20, nats=0.2, tokens=10, finished=True)}
    proof.press(page.stage, page.wishes, "seed")
    page.run()
    (earlier,) = [curve for curve in page.scene("proof")["figure"]["data"] if curve["name"] == "earlier"]
    assert earlier["x"] == [20]
    assert page.stage.beside[proof.NAME].source.trainer.settings.seed == 1


def test_the_proof_pauses_with_the_tab_and_goes_on_with_it(page):
    go(page, "proof")
    proof.play(page.stage)
    run, seat = page.stage.beside[proof.NAME], Seat()
    seat.look_at(page.stage)
    seat.leave()
    assert run.join(LIMIT)
    assert run.snapshot().reason == CLOSED
    Seat().look_at(page.stage)
    assert run.playing


@pytest.mark.parametrize("section", SECTIONS)
def test_a_network_that_is_no_longer_finite_is_drawn_all_the_same(page, section):
    page.stage.watched.trainer.params.flat[:] = np.nan
    page.forget()
    for mode in ("carry", "reset", "no cut"):
        go(page, section, mode=mode)


def test_a_text_too_short_for_the_race_is_told(visit):
    visitor = visit(max_tokens=60, hidden_size=8, batch_size=8, num_steps=5, validation_share=0.2)
    visitor.app.switch_page(PAGE)
    visitor.run()
    go(visitor, "data")
    data.move(visitor.stage, visitor.wishes["data"], "race", "live")
    visitor.run()
    assert visitor.notices or visitor.stage.beside[data.NAME].source.step == 0


# The race


@pytest.mark.parametrize(("task", "highest"), [("lag", 2.0), ("echo", 2.0), ("text", None)])
def test_before_a_race_its_charts_reach_as_far_as_its_task_and_something_is_drawn(page, task, highest):
    go(page, "race", task=task, k=4)
    highest = highest or page.stage.corpus.tokenizer.size
    for chart in ("curves", "reached"):
        figure = page.scene(f"truncation_race_{chart}")["figure"]
        high = figure["layout"]["yaxis"]["range"][1]
        assert highest < (10**high if "log" in figure["layout"]["yaxis"]["title"]["text"] else high) < 1.3 * highest
        assert task == "text" or any(trace["y"] for trace in figure["data"])
    assert page.scene("truncation_race_curves")["figure"]["layout"]["annotations"]


@pytest.mark.parametrize(("task", "start"), [*((task, "identity") for task in race.TASKS), ("echo", "fixed")])
def test_every_race_is_trained_with_the_cut_alone_different(page, task, start, monkeypatch):
    monkeypatch.setattr(race, "BUDGET", race.Budget(tokens=2000))
    go(page, "race", task=task, k=4, blocks=False, start=start)
    race.press(page.stage, page.wishes, "begin")
    run = page.stage.beside[race.NAME]
    assert run.join(LIMIT)
    page.run()
    assert {member.ended for member in run.source.members} == {"finished"}
    assert len({member.settings.but(truncation=None) for member in run.source.members}) == 1
    assert {member.frozen for member in run.source.members} == {("W_hh",) if start == "fixed" else ()}
    theory = [trace for trace in page.scene("truncation_race_reached")["figure"]["data"] if trace["name"] == "theory"]
    assert len(theory) == (0 if task == "text" else len(run.source.members))
