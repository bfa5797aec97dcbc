"""The scene bar leads from scene to scene: each opens like its link, shows its question, and records when it is done."""

import re

from core.config.link import LinkTarget
from core.config.settings import Settings
from core.training.run.live_run import SLOW_UPDATES
from core.training.run.scheduler import WAIT, scheduler
from pages.app.navigation.url_state import DeepLink, _restored, url_params
from pages.app.panels.commands import command
from pages.app.server.shared_cache import StillComputing
from pages.app.session.navigation_state import Navigation
from pages.content.scenes import CHAPTERS, SCENES
from pages.figures.parts.numbers import count
from pages.reasons.numbers import NUMBERS
from tests.pages.app_session import LIMIT, START, AppSession


def opened(visit, key: str) -> AppSession:
    """A session opened by the scene's link."""
    return visit(SCENES[key].page, **SCENES[key].query)


def test_the_start_page_lists_all_scenes_and_one_of_each_page_opens(visit):
    session = visit(START)
    chapters = session.data("scenes")["chapters"]
    assert [chapter["name"] for chapter in chapters] == list(CHAPTERS)
    assert [card["to"][0] for chapter in chapters for card in chapter["scenes"]] == list(SCENES)
    assert session.data("scenes")["begin"][0] == next(iter(SCENES))
    assert session.url == {}
    keys = ["", *SCENES, ""]
    for key, scene in {scene.page: (key, scene) for key, scene in SCENES.items()}.values():
        shown, at = session.open_scene(key).wait().scene_bar(), keys.index(key)
        stage = session.stage
        assert (stage.navigation.page, stage.settings, stage.update) == (scene.page, scene.settings, scene.update)
        assert (shown["question"], shown["previous"][0], shown["next"][0]) == (scene.question, keys[at - 1], keys[at + 1])
        assert session.notices == []
        assert url_params(session.stage).items() <= scene.query.items()
    assert session.open_scene("").stage.navigation.page == ""
    assert session.scene_bar() is None


def test_a_scene_is_opened_without_the_choices_of_the_one_before(visit):
    session = opened(visit, "branching")
    session.choices.update(section="writing", p=[1.0])
    session.run().train(5)
    session.open_scene("continuations")
    assert session.choices.open == "continuations"
    session.open_scene("branching")
    assert session.choices.open == "number"
    assert len(session.choices["p"]) > 1
    assert session.stage.ghosts == []
    assert session.stage.update == 0


def test_a_scene_is_done_when_the_run_has_reached_its_goal(visit):
    session = opened(visit, "price")
    assert not session.train(1).scene_bar()["done"]
    assert session.train(1500).run().scene_bar()["done"]
    session.open_scene("")
    cards = [card for chapter in session.data("scenes")["chapters"] for card in chapter["scenes"]]
    assert [card["to"][0] for card in cards if card["done"]] == ["price"]
    assert not session.open_scene("price").scene_bar()["done"]  # opened again
    session.open_scene("learning")  # its goal is to pass the n-gram lines, which this task does not have
    session.start(corpus="echo", max_tokens=3000, hidden_size=8).train(3)
    assert not session.stage.baselines
    assert not session.scene_bar()["done"]


def test_the_first_updates_are_slow_in_a_scene_and_when_a_key_asks_for_it(visit):
    for name, what, slow in (("lag", "play", True), ("branching", "play", False), ("branching", "talk", True)):
        session = opened(visit, name).stage
        command(session, what, None)
        assert session.run.slow_until == (SLOW_UPDATES if slow else 0)
        session.run.pause()


def test_a_scene_pauses_its_run_once_at_each_line_that_it_passes(visit):
    session = opened(visit, "learning")
    assert session.stage.settings.speed > 0
    for name in ("unigram", "bigram"):
        line = next(line.perplexity for line in session.stage.baselines if line.name == name)
        command(session.stage, "play", None)
        session.stage.run.slow_until, session.stage.run.speed = 0, 0.0
        assert session.stage.run.join(LIMIT)
        assert name in session.stage.snapshot().reason
        before, now = (point.perplexity for point in session.stage.monitored.history.judged[-2:])
        assert now < line <= before
        assert not session.run().scene_bar()["done"]
    command(session.stage, "play", None)
    assert session.run().stage.run.playing
    session.stage.run.pause()


def test_a_run_does_not_pause_at_the_lines_of_a_scene_that_is_closed(visit):
    session = opened(visit, "learning")
    session.open_scene("")
    session.run()
    run = session.stage.run
    run.play(until=300)
    assert run.join(LIMIT)
    assert run.source.step == 300


def test_a_scene_says_that_its_run_still_trains(visit, monkeypatch):
    scene = SCENES["continuations"]
    endless = scene._replace(update=1_000_000, settings=scene.settings.but(cosine_until=0))
    monkeypatch.setitem(SCENES, scene.key, endless)
    session = opened(visit, scene.key)
    session.stage.run.pause()
    assert session.stage.run.join(LIMIT)
    assert session.run().scene_bar()["trains"] == ""
    session.stage.run.play(until=endless.update)
    assert re.search(f"[0-9]+ .*{count(endless.update)}", session.run().scene_bar()["trains"])
    session.stage.run.pause()


def test_another_page_has_no_thread_and_the_scene_is_still_open_on_its_own(visit):
    session = opened(visit, "machine")
    assert session.url == SCENES["machine"].query | {"scene": "machine"}
    assert session.stage.settings == SCENES["machine"].settings
    assert session.switch_page("training").scene_bar() is None
    assert "scene" not in session.url
    assert session.switch_page("unrolled").scene_bar()["key"] == "machine"
    assert session.url["scene"] == "machine"


def test_a_page_stays_requested_until_another_one_than_now_is_opened():
    navigation = Navigation(Settings())
    navigation.open("training")
    navigation.go_to("truncation", {"tau": "2"}, anew=True)
    navigation.open("training")  # a rerun of the open page ends the script that switches
    assert (navigation.next_page, navigation.begins_anew) == ("truncation", True)
    navigation.open("truncation")
    assert (navigation.next_page, navigation.query) == (None, {"tau": "2"})
    navigation.go_to("truncation")
    assert navigation.next_page is None


def test_a_reason_whose_numbers_are_computed_again_stays_until_they_are_there(visit, monkeypatch):
    session = opened(visit, "cut")
    before = session.scene_bar()["why"]
    assert before

    def endless():
        while True:
            yield WAIT

    job = scheduler.start(endless())

    def still(_session):
        raise StillComputing(job)

    numbers = NUMBERS["cut"]
    monkeypatch.setitem(NUMBERS, "cut", still)
    assert session.run().scene_bar()["why"] == before
    monkeypatch.setitem(NUMBERS, "cut", lambda session: {name: "<9>" for name in numbers(session)})
    assert "<9>" in str(session.run().scene_bar()["why"])
    monkeypatch.setitem(NUMBERS, "cut", still)
    assert session.open_scene("machine").open_scene("cut").scene_bar()["why"] == []  # opened again: not those of another text


def test_a_press_that_was_sent_twice_opens_one_scene(visit):
    session = opened(visit, "machine")
    before = session.stage.scenes.opened
    for page, scene in (("", "machine"), ("truncation", "machine"), ("unrolled", "")):  # the tab was reloaded at this page
        assert _restored(session.stage, DeepLink(LinkTarget(session.stage.settings), page, {}, [])).scenes.key == scene
        session.stage.scenes.open("machine")
    session.open_scene("hello")
    session.stage.scenes.request("hello", before)
    run = session.stage.run
    assert session.run().stage.run is run


def test_a_scene_opened_by_its_address_is_the_same_whatever_came_before(visit):
    stage = visit("training").run().train(3).stage
    stage.move(learning_rate=0.5)
    stage.start(stage.settings.but(hidden_size=16))
    assert stage.ghosts
    for key in ("learning", "too_fast", "vanishing"):
        for _again in range(2):  # also if it is open already
            scene = SCENES[key]
            target = LinkTarget(scene.settings, update=scene.update, scene=key)
            _restored(stage, DeepLink(target, scene.page, dict(scene.place), [], names_run=True, by_key=True))
            assert (stage.ghosts, stage.settings, stage.scenes.key) == ([], scene.settings, key)
            assert stage.monitored.is_initial or scene.update
            stage.run.step()
            stage.run.join(LIMIT)
    update = stage.update
    scene = SCENES["vanishing"]
    target = LinkTarget(scene.settings, scene="vanishing")
    _restored(stage, DeepLink(target, scene.page, dict(scene.place), [], names_run=True))
    assert stage.update == update  # a reload of its page keeps its run


def test_an_address_without_a_page_opens_training_or_the_scene_that_it_names(visit):
    session = visit(START, hidden_size=16)
    assert session.stage.navigation.page == "training"
    assert session.stage.settings.hidden_size == 16
    assert session.url == {"hidden_size": "16"}
    session = visit(START, scene="cut")
    assert session.stage.navigation.page == "truncation"
    assert url_params(session.stage) == {name: text for name, text in SCENES["cut"].query.items() if name != "update"}


def test_the_address_of_an_opened_scene_is_its_link(visit):
    key, scene = next((key, scene) for key, scene in SCENES.items() if scene.update)
    session = visit(START).open_scene(key)
    assert session.url == session.wait().run().url == scene.query
    other = visit(scene.page, **session.url).wait()
    assert (other.stage.update, other.stage.scene) == (scene.update, scene)
    assert other.stage.params().flat.tobytes() == session.stage.params().flat.tobytes()
