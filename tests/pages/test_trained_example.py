"""While a run is untrained, pages about a network show one that the server trained with the same settings."""

from collections import OrderedDict

import pytest

from core.config.settings import Settings
from core.text.corpus import load_corpus
from pages.app.session import trained_example
from pages.app.session.trained_example import find_example, is_being_trained
from pages.content.lecture import TEXT_LIMITS, own_scene, saved
from pages.content.scenes import SCENES
from tests.core.training.waiting import until
from tests.pages.app_session import SMALL

UPDATES = 100
PAGES = ("perplexity", "gradient_flow", "truncation")


def wait_for_training() -> None:
    until(lambda: all(job.done for job in trained_example._jobs.values()))


@pytest.fixture
def examples(monkeypatch):
    """Let the server train example networks, up to update 100."""
    monkeypatch.setattr(trained_example, "MOST", 2)
    monkeypatch.setattr(trained_example, "UPDATES", UPDATES)
    monkeypatch.setattr(trained_example, "_jobs", OrderedDict())
    monkeypatch.setattr(trained_example, "_awaited", set())
    yield
    wait_for_training()


@pytest.fixture
def trainings(monkeypatch):
    """The settings of every network that the server trained."""
    settings, train = [], trained_example._trained
    monkeypatch.setattr(trained_example, "_trained", lambda *given: settings.append(given[0]) or train(*given))
    return settings


def shows_example_note(session):
    return any("Trained example" in body for body in session.html)


@pytest.mark.parametrize("page", PAGES)
def test_page_shows_the_trained_network_until_the_own_run_trains(visit, examples, monkeypatch, page):
    monkeypatch.setattr(trained_example, "MOST", 0)
    session = visit(page, **SMALL)
    assert session.stage.update == 0
    card = session.data("run_card")
    assert not shows_example_note(session)
    monkeypatch.setattr(trained_example, "MOST", 1)
    session.run()
    wait_for_training()
    session.run()
    assert shows_example_note(session)
    assert (session.stage.update, session.stage.run_update) == (UPDATES, 0)
    assert session.data("run_card") == card
    assert "update" not in session.url
    session.train(1)
    assert not shows_example_note(session)
    assert session.stage.update == session.stage.run_update == 1
    assert session.stage.params().flat.tobytes() == session.stage.run.params().flat.tobytes()


def test_numbers_are_those_of_a_run_trained_so_far(visit, examples):
    session = visit("perplexity", **SMALL)
    wait_for_training()
    session.run().open_section("counting")
    view, params, rows = session.stage.snapshot().view, session.stage.params(), session.data("models")
    session.train(UPDATES)
    assert session.stage.example is None
    now = session.stage.snapshot().view
    assert (view.point.nats, view.perplexity, view.sample) == (now.point.nats, now.perplexity, now.sample)
    assert params.flat.tobytes() == session.stage.params().flat.tobytes()
    assert rows == session.data("models")


def test_other_pages_scenes_and_the_past_show_the_own_run_but_an_own_scene_does_not(visit, examples):
    session = visit("perplexity", **SMALL)
    wait_for_training()
    assert session.run().stage.example
    session.stage.show_snapshot(0)
    assert session.run().stage.update == 0
    session.stage.show_present()
    session.switch_page("unrolled")
    assert session.stage.example is None
    built_in = next(key for key, scene in SCENES.items() if scene.page in PAGES and not scene.update)
    query, words = {name: str(value) for name, value in SMALL.items()}, dict.fromkeys(TEXT_LIMITS, "") | {"name": "own"}
    own = own_scene("perplexity", query, **words)
    session.stage.lecture.open_file(saved({own.key: own}))
    for key, shown in ((built_in, False), (*session.stage.lecture.scenes, True)):
        session.open_scene(key)
        assert session.stage.scene.key == key
        assert bool(session.stage.example) == shown


def test_many_visitors_share_one_training(visit, examples, trainings):
    sessions = [visit(page, **SMALL, temperature=temperature) for page in PAGES for temperature in (1.0, 0.5)]
    wait_for_training()
    found = {id(session.run().stage.example) for session in sessions}
    assert len(found) == len(trainings) == 1


def test_only_what_is_affordable_and_no_own_text_is_trained(examples, trainings, monkeypatch):
    settings = Settings(**SMALL)
    corpus = load_corpus(settings)
    own = settings.but(corpus="own")
    assert find_example(own, load_corpus(own, "abc" * 200)) is None
    monkeypatch.setattr(trained_example, "AFFORDABLE", 10**4)
    assert find_example(settings, corpus) is None
    wait_for_training()
    assert not trainings


def test_least_recently_used_networks_are_dropped_and_divergence_leaves_none(examples, trainings):
    corpus = load_corpus(Settings(**SMALL))
    several = [Settings(**SMALL, seed=seed) for seed in range(3)]
    for settings in several:
        assert find_example(settings, corpus) is None
        assert is_being_trained(settings)
        wait_for_training()
    assert [find_example(settings, corpus) is not None for settings in several[1:]] == [True, True]
    unstable = Settings(**SMALL, activation="relu", optimizer="sgd", clip_norm=0.0, learning_rate=1e6)
    find_example(unstable, corpus)
    wait_for_training()
    assert not is_being_trained(unstable)
    assert find_example(unstable, corpus) is None
    assert len(trainings) == 4


def test_one_that_nobody_waits_for_is_trained_only_while_no_reader_trains(examples, monkeypatch):
    """Otherwise the first reader of a new server, on a busy machine, waits for the default example."""
    settings, readers = Settings(**SMALL), iter([1, 1, 1, 0])
    corpus = load_corpus(settings)
    monkeypatch.setattr(trained_example, "how_many_train", lambda: next(readers, 0))
    find_example(settings, corpus, awaited=False)
    wait_for_training()
    assert next(readers, None) is None
    assert find_example(settings, corpus)


def test_one_that_nobody_waits_for_stops_no_other_and_goes_on_once_somebody_does(examples, monkeypatch):
    unasked, asked = Settings(**SMALL), Settings(**SMALL, seed=1)
    corpus = load_corpus(unasked)
    monkeypatch.setattr(trained_example, "how_many_train", lambda: 1)
    find_example(unasked, corpus, awaited=False)
    find_example(asked, corpus)
    until(lambda: find_example(asked, corpus))
    assert is_being_trained(unasked)
    find_example(unasked, corpus)
    until(lambda: find_example(unasked, corpus))


@pytest.mark.parametrize(("page", "network", "is_said"), [
    ("gradient_flow", "the network", True), ("gradient_flow", "the network, untrained", False),
    ("truncation", "the network, untrained", False),
])  # fmt: skip
def test_the_title_speaks_of_the_network_that_is_chosen(visit, examples, page, network, is_said):
    visit(page, **SMALL)
    wait_for_training()
    assert shows_example_note(visit(page, network=network, **SMALL)) == is_said
