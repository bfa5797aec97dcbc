"""A run is saved, opened in another session, and continues there; any other file changes nothing."""

import io
import zipfile

import numpy as np
import pytest

from core.config.settings import Settings
from core.training.checkpoint.checkpoint import load
from core.training.script.script import SCRIPT_FILE, TEXT_FILE
from pages.app.session.session import Session
from pages.training.run_files import OFFERS, checkpoint_file, script_file
from tests.core.training.files import changed, forged
from tests.core.training.script.scripts import both_printed
from tests.pages.app_session import LIMIT, SMALL, AppSession, state_fingerprint, train_on_text

TEXT = "the cat sat on the mat. " * 100


def upload(session: AppSession, data: bytes) -> AppSession:
    (uploader,) = (one for one in session.app.file_uploader if one.key.startswith("run_file"))
    uploader.set_value(("run.safetensors", data, "application/octet-stream"))
    return session.run().press("Open this run")


@pytest.fixture
def session(training) -> AppSession:
    """The Training page after 24 updates; the learning rate was changed after 12."""
    training.stage.run.step(12)
    training.stage.move(learning_rate=0.01)
    return training.train(12)


def visible_parts(session: AppSession) -> tuple:
    """The visible parts of the run: curve, card, perplexity, generated text."""
    traces = [trace for trace in session.chart()["data"] if "earlier run" not in str(trace.get("name"))]
    card = session.data("run_card")
    return traces, card["number"], card["title"], session.data("run_view")["readout"]["number"], session.data("writing")


def test_a_run_is_opened_in_another_session_and_goes_on_bit_for_bit(session, visit):
    name, data = checkpoint_file(session.stage)
    assert name == "run-update-24.safetensors"
    assert load(data).document["step"] == 24
    session.run()
    other = upload(visit(corpus="lag", **SMALL).train(), data)
    assert visible_parts(other) == visible_parts(session)
    assert other.stage.settings == session.stage.settings
    assert other.url == session.url
    assert other.notices == []
    session.train(20), other.train(20)
    np.testing.assert_array_equal(other.stage.monitored.trainer.params.flat, session.stage.monitored.trainer.params.flat)
    assert visible_parts(other)[1] == visible_parts(session)[1]


def test_the_run_that_was_there_becomes_a_ghost_and_the_opened_one_is_paused(stage, visit):
    other = visit(across="epochs", speed=3.0, **SMALL | {"hidden_size": 16}).train(5)
    old = other.stage.run
    old.play()
    upload(other, checkpoint_file(stage)[1])
    assert old.join(LIMIT)
    assert not other.stage.run.playing
    assert other.data("run_card")["title"] == "Paused"
    assert [ghost.settings.hidden_size for ghost in other.stage.ghosts] == [16]
    assert other.stage.settings.hidden_size == SMALL["hidden_size"]
    assert (other.stage.settings.across, other.stage.run.speed) == ("epochs", 3.0)  # view settings belong to the session


@pytest.mark.parametrize("offer", OFFERS, ids=lambda offer: offer.button)
def test_a_button_makes_a_file_which_can_then_be_downloaded(session, offer):
    assert session.app.get("download_button") == []
    (open_button,) = (button for button in session.app.button if button.label == "Open this run")
    assert open_button.disabled
    session.press(offer.button)
    (button,) = session.app.get("download_button")
    assert offer.make(session.stage)[0] in button.proto.label
    assert session.stage.monitored.step == 24
    assert session.notices == []


def test_a_checkpoint_made_while_it_trains_is_of_the_update_in_its_name(session):
    session.stage.run.play()
    for _ in range(5):
        name, data = checkpoint_file(session.stage)
        assert name == f"run-update-{load(data).document['step']}.safetensors"


def test_the_script_repeats_a_run_that_was_changed_by_hand(tmp_path):
    stage = Session(Settings(dtype="float64", **SMALL), [])
    stage.run.step(5)
    stage.move(learning_rate=0.01, clip_norm=0.1)
    stage.run.step(20)
    stage.undo()  # undoes the clip norm and all updates with it
    stage.run.step(20)
    stage.show_snapshot(10)
    stage.move(truncation=3)
    stage.run.step(15)
    with zipfile.ZipFile(io.BytesIO(script_file(stage)[1])) as packed:
        script, text = (packed.read(name).decode("utf-8") for name in (SCRIPT_FILE, TEXT_FILE))
    stage.monitored.evaluate()
    perplexities = [point.perplexity for point in stage.monitored.history.training.points]
    theirs, judged = both_printed(script, text, tmp_path)
    np.testing.assert_allclose(theirs, perplexities, rtol=1e-8)
    assert judged == pytest.approx(stage.monitored.view().perplexity, rel=1e-8)  # the large number


def test_a_network_that_has_overflowed_is_not_saved(session):
    session.stage.monitored.trainer.params.W_hh[...] = np.inf
    session.press("Make a checkpoint")
    assert session.app.get("download_button") == []
    assert len(session.notices) == 1
    assert "overflowed" in session.notices[0]


def test_while_looking_back_the_present_run_is_saved(session):
    session.stage.show_snapshot(10)
    data = checkpoint_file(session.stage)[1]
    assert load(data).document["step"] == 24
    other = upload(session.run(), data)
    assert other.stage.past is None
    assert other.stage.snapshot().view.point.update == 24
    other.stage.show_snapshot(10)
    assert 0 < other.run().stage.snapshot().view.point.update < 24


def test_an_own_text_is_saved_with_its_run(stage, visit):
    stage.start(stage.settings.but(corpus="own"), TEXT)
    stage.run.step(5)
    other = upload(visit(**SMALL), checkpoint_file(stage)[1])
    assert other.stage.own_text == TEXT
    assert other.stage.settings.corpus == "own"
    other.choose("hidden_size", 16)
    assert other.stage.settings.corpus == "own"


def test_an_own_text_of_the_session_stays_where_another_run_is_opened(stage, training):
    other = upload(train_on_text(training, TEXT), checkpoint_file(stage)[1])
    assert other.stage.settings.corpus == "python_manual"
    other.choose("corpus", "own")
    assert (other.stage.settings.corpus, other.stage.own_text) == ("own", TEXT)


def test_a_file_that_cannot_be_opened_is_reported_beside_it_and_changes_nothing(session):
    _, data = checkpoint_file(session.stage)
    before, view = state_fingerprint(session.stage), session.stage.view
    markup = changed(changed(data, "0" * 64, "text_sha256"), "<b>3.99</b>", "python")
    for bad in (b"", TEXT.encode(), data[: len(data) // 2], forged(data, {"format": "2"}), markup):
        upload(session.run(), bad)
        assert state_fingerprint(session.stage) == before
        assert session.stage.view == view
        assert len(session.notices) == 1
        (expander,) = (block for block in session.app.expander if block.label == "Open a checkpoint")
        assert expander.proto.expanded
        assert "page-notice" in "".join(session.html_in("Open a checkpoint"))
    session.train(1)
    assert session.stage.monitored.step == 25
    upload(session, data)  # and then a valid file
    assert session.notices == []
    assert session.stage.monitored.step == 24
