"""The Training page: links, controls, the user's own text, and refused changes, which have no effect."""

import math
import threading

import pytest
import streamlit as st

from core.analysis.unseen import unseen_text
from core.config.limits import LIMITS
from core.config.link import to_query
from core.config.settings import DEFAULTS, Settings
from core.text.corpus import cleaned_text, load_corpus
from core.text.tokenizer import split
from core.text.upload import describe, read_upload
from core.training.curves import Point, thin
from core.training.run.monitored_run import MonitoredRun
from pages.app.navigation.auto_refresh import COMPUTING
from pages.app.navigation.section_tabs import open_section
from pages.app.panels import settings_controls as controls_module
from pages.app.panels.commands import command, remedy
from pages.app.server import shared_cache
from pages.content.lessons import LESSONS
from pages.content.scenes import SCENES
from pages.figures.parts import words
from pages.figures.parts.numbers import count, number
from pages.training import in_scene, own_text
from pages.training.own_text import FORM
from pages.training.presets import load
from tests.pages.app_session import HOSTILE, LIMIT, SMALL, AppSession, diverged_session, state_fingerprint, train_on_text

OWN = "the cat sat on the mat. " * 100
PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20


def test_a_link_to_a_lesson_opens_it(visit):
    lesson = LESSONS[-1]
    session = visit(**to_query(lesson.settings))
    assert session.stage.settings == lesson.settings
    assert session.url == to_query(lesson.settings)
    assert session.notices == []
    assert session.data("run_view")["readout"]["state"] == "untrained"
    assert session.controls("presets")["preset"]["value"] == lesson.name
    session.stage.move(learning_rate=0.0042)
    assert session.run().controls("presets")["preset"]["value"] == ""


def test_a_link_that_was_edited_by_hand_opens_with_a_notice_for_each_value(visit):
    query = {"no_such_setting": 1, "learning_rate": "nan", "hidden_size": 10**9, "seed": "9" * 5000, "carry_state": "perhaps"}
    query |= dict(zip(("corpus", "unit", "activation", "init", "optimizer"), HOSTILE, strict=True)) | dict.fromkeys(HOSTILE, "1")
    good = {name: value for name, value in SMALL.items() if name not in query}
    session = visit(**query, **good)
    assert len(session.notices) == len(query)
    assert all(len(sentence) < 200 for sentence in session.notices)
    assert session.stage.settings == Settings(**good)
    assert session.url == to_query(Settings(**good))  # the URL is corrected
    assert session.choose("hidden_size", 16).notices == []


def test_a_task_that_is_no_text_trains_without_n_grams_and_without_samples(training):
    session = training.choose("corpus", "echo").choose("lag", 2)
    assert session.notices == []
    assert (session.stage.settings.lag, session.stage.baselines) == (2, ())
    with pytest.raises(ValueError):
        session.data("models")
    session.train()
    assert session.data("run_view")["readout"]["state"] == "paused"
    assert session.chart()["data"]
    assert session.data("writing")["writing"]["now"] == ""


@pytest.mark.parametrize(("start", "name", "value", "accepted"), [
    ({"num_steps": 1000, "hidden_size": 4}, "hidden_size", 4096, 8),  # too much memory
    ({"batch_size": 128, "num_steps": 20, "hidden_size": 8}, "max_tokens", 1000, 10_000),  # too short a text
])  # fmt: skip
def test_what_cannot_be_trained_is_refused_beside_its_control(visit, start, name, value, accepted):
    session = visit(**start).train(2)
    before, url = state_fingerprint(session.stage), session.url
    session.choose(name, value)
    assert session.notices == []
    assert session.control(name)["error"]
    assert session.control(name)["says"] == words.value(name, start.get(name, getattr(DEFAULTS, name)))
    session.stage.start(session.stage.settings.but(**{name: value}))
    assert len(session.run().notices) == 1  # not changed by a control
    assert state_fingerprint(session.stage) == before
    assert session.url == url
    session.choose(name, accepted)
    assert not session.control(name)["error"]
    assert getattr(session.stage.settings, name) == accepted


def test_the_weights_are_shown_at_the_start_and_now(visit):
    session = visit(**SMALL, learning_rate=0.1, init="identity", embedding_size=4)
    first, now = session.data("weights_W_hh")["figure"]["data"][:2]
    assert first["y"] == now["y"]
    drawn = session.train(5).data("weights_W_hh")["figure"]["data"]
    assert drawn[0]["y"] == first["y"]
    assert drawn[1]["y"] != first["y"]
    assert session.data("weights_W_emb")


@pytest.mark.parametrize("text", ["a", b"", PNG], ids=["pasted", "empty file", "no text"])
def test_a_refused_text_is_reported_once_beside_where_it_was_given(training, text):
    session = training.train()
    before = state_fingerprint(session.stage)
    upload(session, text).press("Train on this text") if isinstance(text, bytes) else train_on_text(session, text)
    assert state_fingerprint(session.stage) == before
    assert len(session.notices) == 1
    assert session.notices[0] in "".join(session.html_in("Bring your own text"))


def test_a_pasted_text_beyond_the_limit_is_cut_with_a_sentence(training):
    most = LIMITS.pasted_characters
    session = train_on_text(training, "the cat sat. " * (most // 13 + 1000))
    assert len(session.stage.own_text) == len(session.app.text_area(key="pasted").value) == most
    assert [f"{most:,}" in notice for notice in session.notices] == [True]
    assert train_on_text(session, "another text. " * 200).notices == []


def test_an_empty_file_is_said_to_be_empty(training):
    assert "empty" in upload(training, b"").press("Train on this text").notices[0]


def test_a_text_too_short_for_the_settings_is_trained_on_after_one_press(training):
    text = "床前明月光，疑是地上霜。" * 100 + "only a few letters. " * 5
    session = train_on_text(training.start(cleaning="letters", batch_size=64), text)
    assert session.notices[0].startswith("Cleaning")
    (button,) = (button for button in session.app.button if button.key == "remedy")
    button.click()
    session.run()
    assert session.notices == []
    assert session.stage.own_text == text
    session.stage.run.step(3)


def upload(session: AppSession, data: bytes) -> AppSession:
    session.app.file_uploader(key="uploaded").set_value(("some.txt", data, "text/plain"))
    return session.run()


def test_a_file_that_takes_long_to_read_is_read_beside_the_page(training, monkeypatch):
    go_on, read = threading.Event(), own_text.read_upload
    monkeypatch.setattr(own_text, "read_upload", lambda *given: go_on.wait(LIMIT) and read(*given))
    with monkeypatch.context() as served:
        served.setattr(shared_cache, "serving", True)
        served.setattr(shared_cache, "PATIENCE", 0.0)
        session = upload(training, b"the cat sat. " * 200)
        assert COMPUTING in " ".join(session.html_in("Bring your own text"))
        assert session.app.code == []
        assert session.press("Train on this text").is_loading
        job = session.stage.loading.job
    go_on.set()
    assert job.wait(LIMIT)
    assert session.run().app.code[0].value.startswith("the cat sat. ")
    assert session.stage.own_text == "the cat sat. " * 200


def select_encoding(session: AppSession, encoding: str) -> AppSession:
    (choice,) = (box for box in session.app.selectbox if box.label == "Encoding")
    choice.select(encoding)
    return session.run()


def test_an_uploaded_file_shows_how_it_is_read_and_changes_nothing_before_a_press(training):
    session, data = training.train(), "voilà, garçon: déjà vu à côté. ".encode("cp1252") * 100
    before = state_fingerprint(session.stage)
    upload(session, data)
    assert session.app.session_state[FORM].preview.result().message == describe(read_upload(data))
    assert session.app.code[0].value == data.decode("cp1252")[:160].strip()
    select_encoding(session, "utf-8")
    assert "700 places" in session.app.session_state[FORM].preview.result().message
    assert session.stage.own_text == ""
    assert state_fingerprint(session.stage) == before
    select_encoding(session, "").press("Train on this text")
    assert session.stage.own_text == data.decode("cp1252")
    train_on_text(session, "xyz " * 400)  # a text pasted later replaces the file
    assert session.stage.corpus.tokenizer.size == 4


def test_another_encoding_reads_the_same_file_again_and_leaves_the_settings(visit):
    data = "Это простой русский текст для проверки. ".encode("koi8_r") * 100
    session = upload(visit(**SMALL, unit="word", learning_rate=0.5), data).press("Train on this text")
    before = session.stage.settings
    for encoding, decoded in (("", "koi8_r"), ("cp1251", "cp1251"), ("", "koi8_r")):
        assert select_encoding(session, encoding).stage.own_text == data.decode(decoded)
    assert session.stage.settings == before


def test_a_second_press_before_the_page_is_drawn_again_starts_no_second_run(training, monkeypatch):
    pressed, button = {}, st.button
    monkeypatch.setattr(st, "button", lambda label, **given: pressed.update({label: given}) or button(label, **given))
    training.run()
    train = pressed["Train on this text"]
    monkeypatch.setattr(st, "session_state", {"pasted": OWN})
    before = training.stage.run
    train["on_click"](*train["args"])
    first = training.stage.run
    assert first is not before
    train["on_click"](*train["args"])
    assert training.stage.run is first


@pytest.mark.parametrize(
    ("begin", "wanted"),
    [
        (lambda training: train_on_text(training, OWN), {"corpus": "own"}),
        (lambda training: training.choose("hidden_size", 16), {"hidden_size": 16}),
    ],
    ids=["own text", "control"],
)
@pytest.mark.parametrize("then", ["waits", "starts another run"])
def test_a_run_that_takes_long_to_make_is_made_beside_the_page_which_can_be_left(training, request, begin, wanted, then):
    before, release = training.stage.monitored, request.getfixturevalue("slow_runs")
    begin(training)
    assert training.is_loading
    assert training.stage.monitored is before
    assert training.switch_page("unrolled").stage.navigation.page == "unrolled"
    assert training.is_loading
    training.switch_page("training")
    if then == "starts another run":
        training.stage.start(training.stage.settings.but(hidden_size=4))
        wanted = {"hidden_size": 4, "corpus": before.settings.corpus}
    job = training.stage.loading.job
    release()
    assert job.wait(LIMIT)
    assert not training.run().is_loading
    assert {name: getattr(training.stage.settings, name) for name in wanted} == wanted
    assert training.stage.loading is None


def places(node, at=()) -> dict[tuple[int, ...], str]:
    """The kind of every element below ``node``, by its place."""
    return {
        place: kind
        for i, child in getattr(node, "children", {}).items()
        for place, kind in {(*at, i): child.type, **places(child, (*at, i))}.items()
    }


@pytest.mark.parametrize("page", ["training", "unrolled"])
def test_while_a_run_is_made_every_element_stays_in_its_place(visit, request, page):
    session = visit(page, **SMALL)
    before, release = places(session.app.main), request.getfixturevalue("slow_runs")
    session.choose("hidden_size", 16)
    assert session.is_loading
    assert before.items() <= places(session.app.main).items()
    release()


def test_a_scene_of_the_open_page_opens_its_own_section_when_its_run_takes_long(visit, request):
    session = visit("truncation", **SMALL).open_section("data")
    release = request.getfixturevalue("slow_runs")
    session.open_scene("cut")
    job = session.stage.loading.job
    assert (session.is_loading, session.run().choices.open) == (True, "data")
    release()
    assert job.wait(LIMIT)
    assert not session.run().is_loading
    assert (session.stage.scenes.key, session.choices.open, session.choices["tau"]) == ("cut", "cut", 2)


@pytest.mark.parametrize("place", ["section", "page"])
def test_who_opens_another_place_while_a_scene_is_opened_stays_there(visit, request, place):
    session = visit("truncation", **SMALL).open_section("data")
    run, release = session.stage.monitored, request.getfixturevalue("slow_runs")
    session.open_scene("cut")
    job = session.stage.loading.job
    if place == "page":
        session.switch_page("perplexity")
    else:
        open_section(session.stage, "truncation", session.app.session_state, "proof")
    release()
    assert job.wait(LIMIT)
    session.run()
    opened = (session.stage.navigation.page, session.section)
    assert opened == (("perplexity", "surprise") if place == "page" else ("truncation", "proof"))
    assert (session.stage.monitored, session.stage.scene, session.is_loading) == (run, None, False)


def test_a_tab_that_was_pressed_as_a_scene_of_its_page_opened_is_open(visit, request):
    session = visit("truncation", **SMALL).open_section("data")
    release = request.getfixturevalue("slow_runs")
    session.open_scene("cut")
    job, states = session.stage.loading.job, session.app.session_state
    release()
    assert job.wait(LIMIT)
    session.stage.finish_loading()  # as within a script, which reruns the page: what was pressed meanwhile is handled before
    del states["truncation"]
    open_section(session.stage, "truncation", states, "proof")
    session.run()
    assert (session.stage.scenes.key, session.section, session.choices["tau"]) == ("cut", "proof", 2)


def test_what_is_chosen_while_a_run_is_made_is_not_lost(training, slow_runs, monkeypatch):
    training.stage.run.play()
    rates, play = [], MonitoredRun.play
    monkeypatch.setattr(MonitoredRun, "play", lambda run: rates.append(run.settings.learning_rate) or play(run))
    training.choose("hidden_size", 16).choose("batch_size", 8).choose("learning_rate", 0.02).choose("corpus", "time_machine")
    training.stage.change_view(notation="second")
    assert [training.control(name)["says"] for name in ("hidden_size", "batch_size")] == ["16", "8"]
    job = training.stage.loading.job
    slow_runs()
    assert job.wait(LIMIT)
    stage = training.run().stage
    stage.run.pause()
    assert stage.run.join(LIMIT)
    settings = stage.settings
    assert (settings.hidden_size, settings.batch_size, settings.learning_rate, settings.notation) == (16, 8, 0.02, "second")
    assert stage.pending.name == "time_machine"
    assert stage.monitored.step > 0
    assert rates == [0.02]  # moved before the first update


def test_the_first_page_of_a_visit_waits_for_its_text_and_can_be_left(visit, slow_runs):
    session = visit(**SMALL, unit="word")
    assert session.is_loading
    assert "session" not in session.app.session_state
    assert session.switch_page("truncation").is_loading
    slow_runs()
    session.switch_page("training")
    assert not session.is_loading
    assert session.stage.settings.unit == "word"


def test_a_setting_chosen_while_a_text_is_loaded_is_of_the_run_on_that_text(training, slow_runs):
    train_on_text(training, OWN).choose("hidden_size", 16)
    job = training.stage.loading.job
    slow_runs()
    assert job.wait(LIMIT)
    stage = training.run().stage
    assert (stage.own_text, stage.settings.corpus, stage.settings.hidden_size) == (OWN, "own", 16)


def test_a_line_is_passed_at_the_first_judgement_below_it_also_if_the_curve_lacks_it(visit):
    session = visit("training", **SCENES["learning"].query)
    (bound,) = (line.perplexity for line in session.stage.baselines if line.name == "unigram")
    judged = session.stage.monitored.history.judged
    judged += [Point(u, u, u / 100, math.log(bound) + (0.1 if u < 500 else -0.1)) for u in range(1, 1001)]
    assert judged[500] not in thin(judged, 200)
    notes = [note["text"] for note in session.run().chart()["layout"]["annotations"]]
    assert [note for note in notes if note.startswith("unigram: update 500,")]


def test_a_text_learnt_by_heart_is_compared_with_the_words_that_follow_it(visit, monkeypatch):
    session = visit("training", **SCENES["memorising"].query)
    stage, corpus = session.stage, session.stage.corpus
    text = cleaned_text(stage.settings.but(max_tokens=2 * stage.settings.max_tokens))
    words = list(split(text, "word"))[len(corpus.train) + 1 :]
    assert len(words) == stage.settings.max_tokens
    monkeypatch.setattr(in_scene, "cleaned_text", pytest.fail)
    for updates in (0, 20):
        shown = session.train(updates).data("run_view")["readout"]
        judged = unseen_text(stage.params(), corpus.tokenizer, words, activation=stage.settings.activation)
        assert count(len(words)) in shown["as_if"]
        assert shown["kinds"] == number(judged.perplexity)


def test_the_commands_of_the_bar(training):
    stage = training.stage
    command(stage, "run_to", 25)
    assert stage.run.join(LIMIT)
    assert stage.monitored.step == 25
    command(stage, "step", None)
    assert stage.monitored.step == 26
    command(stage, "across", "seconds")
    command(stage, "speed", 2.5)
    assert training.run().data("transport")["across"] == "seconds"
    assert (stage.monitored.step, stage.run.speed) == (26, 2.5)
    command(stage, "reset", None)
    assert training.run().stage.monitored.step == 0
    assert len(stage.ghosts) == 1


@pytest.mark.parametrize("what", ["halve_rate", "clip"])
def test_a_diverged_run_stops_at_a_finite_state_and_a_remedy_lets_it_go_on(visit, what):
    session = diverged_session(visit)
    stage, readout = session.stage, session.data("run_view")["readout"]
    assert readout["state"] == session.data("run_card")["state"] == "diverged"
    assert "update 2" in readout["notice"]
    assert len(readout["remedies"]) == 2
    assert len(stage.monitored.history.judged) > 1
    stage.move(learning_rate=2e-3)
    remedy(stage, what)
    assert stage.run.playing
    stage.run.pause()
    assert stage.run.join(LIMIT)
    session.train(30)
    assert stage.run.snapshot().state == "paused"
    assert stage.settings.learning_rate == (1e-3 if what == "halve_rate" else 2e-3)
    assert stage.settings.clip_norm == (1.0 if what == "clip" else 0.0)
    assert session.data("run_view")["readout"]["remedies"] == []
    assert stage.monitored.step > 30


def test_an_overfitting_run_is_taken_back_to_its_lowest_held_out_moment(visit):
    page = visit("training", cleaning="letters", batch_size=4, num_steps=16, cosine_until=0)
    prose = load_corpus(Settings())
    page.stage.start_own_text(prose.tokenizer.decode(prose.train.inputs[20_000:21_200]))
    page.train(700)
    readout = page.data("run_view")["readout"]
    assert [what for what, _ in readout["remedies"]] == ["decay", "back"]
    remedy(page.stage, "decay")
    assert page.stage.run.settings.weight_decay > 0
    remedy(page.stage, "back")
    judged = page.stage.ghosts[-1].points
    lowest = min(judged, key=lambda point: point.nats)
    assert page.stage.monitored.step == pytest.approx(lowest.update, rel=0.15)
    assert not page.stage.run.playing
    assert page.run().data("run_view")["readout"]["notice"] == ""


def test_a_slider_position_means_the_value_that_was_drawn_when_its_range_has_changed(visit, monkeypatch):
    drawn, bar = {}, controls_module.controls

    def record(*rows, **given):
        drawn[given["key"]] = rows, given
        bar(*rows, **given)

    monkeypatch.setattr(controls_module, "controls", record)
    session = visit(**SMALL)
    (rows, given) = drawn["live_knobs"]
    (tau,) = [control for row in rows for control in row if control.name == "truncation"]
    session.choose("num_steps", 2)  # fewer positions than were drawn: both changes came in one message
    given["on_move"]("truncation", tau.values[-2], True)
    session.run()
    assert session.stage.settings.num_steps == 2
    assert session.stage.settings.truncation in (None, tau.values[-2])


def test_a_knob_is_shown_where_it_acts(visit, monkeypatch):
    drawn, bar = {}, controls_module.controls

    def record(*rows, **given):
        drawn[given["key"]] = [control.name for row in rows for control in row]
        bar(*rows, **given)

    monkeypatch.setattr(controls_module, "controls", record)
    session = visit(**SMALL)
    assert "momentum" not in drawn["live_knobs"]
    session.choose("optimizer", "sgd")
    session.run()
    assert "momentum" in drawn["live_knobs"]


def test_the_preset_of_a_book_stops_after_its_last_printed_epoch_and_can_go_on(visit):
    session = visit()
    load(session.stage, "Deep Learning from Scratch 2, section 5.5")
    session.run()
    assert any("the last one that the book prints" in body for body in session.html)
    monitored = session.stage.monitored
    last = 100 * monitored.trainer.updates_per_epoch
    monitored.trainer.step = last - 2
    command(session.stage, "play", None)
    session.wait()
    assert monitored.step == last
    command(session.stage, "play", None)
    assert session.stage.run.playing
