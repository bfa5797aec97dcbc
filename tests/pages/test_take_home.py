"""Take it home: a run is saved, opened in another session, and goes on there; a file that is none changes nothing."""

import csv
import io
import zipfile

import numpy as np
import pytest

from core.figures.parts.numbers import number
from core.training.checkpoint import load
from core.training.metrics import COLUMNS
from core.training.script.archive import SCRIPT_FILE
from core.training.script.text import FILE
from pages.training.take_home import OFFERS, checkpoint_file, metrics_file, script_file
from tests.core.training.files import forged
from tests.core.training.script.scripts import printed
from tests.pages.conftest import below
from tests.pages.test_training import SMALL, bring, everything, ran

TEXT = "the cat sat on the mat. " * 100


def upload(visitor, data):
    """Choose a file and open it."""
    (uploader,) = (one for one in visitor.app.file_uploader if one.key.startswith("run_file"))
    uploader.set_value(("run.safetensors", data, "application/octet-stream"))
    return visitor.run().press("Open this run")


def trained(visit, updates=12, **query):
    visitor = ran(visit(**SMALL | query), updates)
    visitor.stage.move(learning_rate=0.01)
    return ran(visitor, updates)


def shown(visitor):
    """What the page shows of the run: the curve, the card, the number, what it writes."""
    figure = visitor.scene("run_view")["figure"]["figure"]
    traces = [trace for trace in figure["data"] if "earlier run" not in str(trace.get("name"))]
    card = visitor.scene("run_card")
    return traces, card["number"], card["title"], visitor.scene("run_view")["readout"]["number"], visitor.scene("writing")


def test_a_run_is_opened_in_another_session_and_goes_on_bit_for_bit(visit):
    home = trained(visit)
    name, data = checkpoint_file(home.run().stage)
    assert name == "run-update-24.safetensors"
    assert load(data).step == 24
    home.run()
    there = upload(ran(visit(corpus="lag", **SMALL), 3), data)
    assert shown(there) == shown(home)
    assert there.stage.settings == home.stage.settings
    assert there.url == home.url
    assert there.notices == []
    ran(home, 20), ran(there, 20)
    np.testing.assert_array_equal(there.stage.watched.trainer.params.flat, home.stage.watched.trainer.params.flat)
    assert shown(there)[1] == shown(home)[1]


def test_the_run_that_was_there_stays_as_a_ghost_and_the_opened_one_waits(visit):
    _, data = checkpoint_file(trained(visit).stage)
    there = ran(visit(**SMALL | {"hidden_size": 16}), 5)
    old = there.stage.run
    old.play()
    upload(there, data)
    assert old.join(60.0)
    assert not there.stage.run.playing
    assert there.scene("run_card")["title"] == "Paused"
    assert [ghost.settings.hidden_size for ghost in there.stage.ghosts] == [16]
    assert there.stage.settings.hidden_size == SMALL["hidden_size"]


@pytest.mark.parametrize("offer", OFFERS, ids=lambda offer: offer.button)
def test_a_button_makes_a_file_and_then_there_is_one_that_downloads_it(visit, offer):
    visitor = trained(visit)
    assert visitor.app.get("download_button") == []
    visitor.press(offer.button)
    (button,) = visitor.app.get("download_button")
    assert offer.make(visitor.stage)[0] in button.proto.label
    assert visitor.stage.watched.step == 24
    assert visitor.notices == []


def test_the_table_has_the_curves_and_the_script_its_text(visit):
    visitor = trained(visit)
    name, table = metrics_file(visitor.stage)
    rows = list(csv.DictReader(io.StringIO(table.decode())))
    assert name.endswith(".csv")
    assert tuple(rows[0]) == COLUMNS
    judged = [float(row["perplexity"]) for row in rows if row["kind"] == "held-out text"]
    assert number(judged[-1]) == visitor.scene("run_card")["number"]
    with zipfile.ZipFile(io.BytesIO(script_file(visitor.stage)[1])) as packed:
        assert set(packed.namelist()) == {SCRIPT_FILE, FILE}
        compile(packed.read(SCRIPT_FILE), SCRIPT_FILE, "exec")


def test_the_script_does_what_the_run_did_by_hand_too(visit, tmp_path):
    visitor = ran(visit(dtype="float64", **SMALL), 5)
    visitor.stage.move(learning_rate=0.01, clip_norm=0.1)
    ran(visitor, 20)
    visitor.stage.undo()  # the clip norm, and all that was learnt with it
    ran(visitor, 20)
    visitor.stage.look_back(10)
    visitor.stage.move(truncation=3)
    ran(visitor, 15)
    with zipfile.ZipFile(io.BytesIO(script_file(visitor.stage)[1])) as packed:
        script, text = (packed.read(name).decode("utf-8") for name in (SCRIPT_FILE, FILE))
    perplexities = [point.perplexity for point in visitor.stage.watched.history.training.points]
    np.testing.assert_allclose(printed(script, text, tmp_path), perplexities, rtol=1e-6)
    assert "rates = {6: 0.01}" in script
    assert "taus = {" in script


def test_a_network_that_has_overflowed_is_not_saved_but_says_so(visit):
    visitor = trained(visit)
    visitor.stage.watched.trainer.params.W_hh[...] = np.inf
    visitor.press("Make a checkpoint")
    assert visitor.app.get("download_button") == []
    assert len(visitor.notices) == 1
    assert "overflowed" in visitor.notices[0]


def test_what_is_saved_is_the_run_of_now_where_somebody_looks_back(visit):
    visitor = trained(visit)
    visitor.stage.look_back(10)
    assert load(checkpoint_file(visitor.stage)[1]).step == 24
    there = upload(visitor.run(), checkpoint_file(visitor.stage)[1])
    assert there.stage.past is None
    assert there.stage.snapshot().view.point.update == 24
    there.stage.look_back(10)
    assert 0 < there.run().stage.snapshot().view.point.update < 24


def test_an_own_text_comes_along(visit):
    visitor = ran(bring(visit(**SMALL), TEXT), 5)
    assert ["Your own text is in it" in offer.says(visitor.stage) for offer in OFFERS] == [True, True, False]
    there = upload(visit(**SMALL), checkpoint_file(visitor.stage)[1])
    assert there.stage.own_text == TEXT
    assert there.stage.settings.corpus == "own"
    there.choose("hidden_size", 16)
    assert there.stage.settings.corpus == "own"


def test_a_text_that_was_brought_stays_where_another_run_is_opened(visit):
    _, data = checkpoint_file(trained(visit).stage)
    there = upload(bring(visit(**SMALL), TEXT), data)
    assert there.stage.settings.corpus == "python_manual"
    there.choose("corpus", "own")
    assert (there.stage.settings.corpus, there.stage.own_text) == ("own", TEXT)


BAD = {
    "empty": lambda data: b"",
    "no run": lambda data: b"the cat sat on the mat. " * 100,
    "cut off": lambda data: data[: len(data) // 2],
    "damaged": lambda data: data[:-9] + b"\xff" + data[-8:],
    "newer": lambda data: forged(data, {"format": "3"}),
    "another manual": lambda data: forged(data, {"text_sha256": "0" * 64, "python": "<b>3.99</b>"}),
    "a sample that is no text": lambda data: forged(data, moments__samples=load(data).arrays["moments.samples"] | 128),
}


@pytest.mark.parametrize("harm", BAD.values(), ids=BAD)
def test_a_file_that_cannot_be_opened_is_a_sentence_beside_it_and_changes_nothing(visit, harm):
    visitor = trained(visit)
    _, data = checkpoint_file(visitor.stage)
    before, looked_at = everything(visitor.stage), visitor.stage.view
    upload(visitor.run(), harm(data))
    assert everything(visitor.stage) == before
    assert visitor.stage.view == looked_at
    assert len(visitor.notices) == 1
    expander = next(block for block in visitor.app.expander if block.label == "Open a checkpoint")
    assert expander.proto.expanded
    assert any("page-notice" in node.proto.body for node in below(expander) if node.type == "html")
    ran(visitor, 1)
    assert visitor.stage.watched.step == 25
    upload(visitor, data)  # and then another file
    assert visitor.notices == []
    assert visitor.stage.watched.step == 24


def test_nothing_can_be_opened_where_no_file_lies(visit):
    (button,) = (one for one in trained(visit).app.button if one.label == "Open this run")
    assert button.disabled


def test_how_a_run_is_looked_at_stays_the_reader_s(visit):
    _, data = checkpoint_file(trained(visit, across="seconds").stage)
    there = upload(visit(across="epochs", speed=3.0, **SMALL), data)
    assert (there.stage.settings.across, there.stage.run.speed) == ("epochs", 3.0)
