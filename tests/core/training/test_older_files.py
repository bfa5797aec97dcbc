"""A file that was saved before there were weight decay and a schedule is opened, and goes on as it did then."""

import json
from itertools import islice

import numpy as np
import pytest

from core.settings import Settings
from core.text.corpus import load_corpus
from core.training.checkpoint import load, save
from core.training.checkpoint_layout import LIVE
from core.training.keep import kept
from core.training.older_files import LATER, since
from core.training.resume import resumed
from core.training.safe_file import DAMAGED
from core.training.tbptt import Trainer
from core.training.watched import Watched
from tests.core.training.files import forged, split

OFF = {"cosine_until": 0, "weight_decay": 0.0}
TINY = Settings(corpus="lag", max_tokens=60, lag=2, hidden_size=2, batch_size=2, num_steps=3, **OFF)
CORPUS = load_corpus(TINY)


@pytest.fixture(scope="module")
def run():
    run = Watched(Trainer(TINY, CORPUS), CORPUS)
    for knob in ({"truncation": 2}, {"learning_rate": 0.25}, {"carry_state": False}):
        list(islice(run, 4))
        run.change(**knob)
    return run


def older(file, **settings):
    """The same file in format 1."""
    there = load(file)
    said = json.loads(split(file)[0]["__metadata__"]["settings"])
    words = {"format": "1", "settings": json.dumps({name: said[name] for name in said if name not in OFF} | settings)}
    known = [name not in OFF for name in LIVE]
    return forged(file, words, moments__knobs=np.ascontiguousarray(there.arrays["moments.knobs"][:, known]))


def test_it_goes_on_as_it_did_then(run):
    file = save(kept(run))
    one, other = (resumed(load(data), CORPUS) for data in (file, older(file)))
    assert one.settings == other.settings
    assert [moment.settings for moment in one.history.moments.kept] == [moment.settings for moment in other.history.moments.kept]
    assert [next(one).loss for _ in range(9)] == [next(other).loss for _ in range(9)]
    np.testing.assert_array_equal(one.trainer.params.flat, other.trainer.params.flat)
    assert other.settings.learning_rate == 0.25
    assert load(save(kept(other))).settings == other.settings


def test_what_came_later_is_a_live_knob_and_off():
    for version, later in LATER.items():
        assert set(later) <= set(LIVE)
        assert not any(later.values())
        assert since(version) == later


@pytest.mark.parametrize("settings", [{"weight_decay": 0.1}, {"cosine_until": 5}, {"backdoor": 1}])
def test_a_setting_that_its_format_did_not_have_is_refused(run, settings):
    with pytest.raises(ValueError, match=DAMAGED[:20]):
        load(older(save(kept(run)), **settings))


def test_a_file_of_now_needs_all_settings(run):
    with pytest.raises(ValueError):
        load(forged(older(save(kept(run))), {"format": "2"}))
