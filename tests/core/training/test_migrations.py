"""Runs that earlier versions saved (``saved_runs/README.txt``) are opened, and go on as they did there."""

import json
from pathlib import Path

import pytest

from core.text.corpus import load_corpus
from core.training.checkpoint.checkpoint import DAMAGED, KEPT, load, save
from core.training.checkpoint.conversion import from_checkpoint, to_checkpoint
from core.training.checkpoint.schema import FORMAT, LATER, LIVE
from tests.core.training.files import forged, other_settings, words
from tests.core.training.saved_runs.write import content

FILES = sorted((Path(__file__).parent / "saved_runs").glob("*.safetensors"))
FORMAT_1 = FILES[0].read_bytes()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_run_saved_by_an_earlier_version_goes_on_as_it_did_there(path):
    then, checkpoint = json.loads(path.with_suffix(".json").read_text(encoding="utf-8")), load(path.read_bytes())
    run = from_checkpoint(checkpoint, load_corpus(checkpoint.begun_with, checkpoint.own_text))
    history, later = run.history, LATER.get(words(path.read_bytes())["format"], {})
    assert {name: getattr(run.settings, name) for name in KEPT} == {name: (then["settings"] | later)[name] for name in KEPT}
    now = content(run)
    judged, as_judged = (said.pop("judged") for said in (now, then))
    assert [update for update, _ in judged] == [update for update, _ in as_judged]
    assert [nats for _, nats in judged] == pytest.approx([nats for _, nats in as_judged], rel=1e-6)
    assert now == {name: then[name] for name in now}
    before = run.settings.moved(**{flag.name: flag.old for flag in history.flags})
    for moment in history.moments.kept:
        assert moment.settings == (run.settings if moment.update > history.flags[0].point.update else before)
    assert load(save(to_checkpoint(run))).settings == run.settings
    assert [next(run).loss for _ in range(10)] == pytest.approx(then["next_nats"], rel=1e-5)


def test_every_format_has_a_saved_run_and_settings_that_came_later_are_live_and_off():
    assert {words(path.read_bytes())["format"] for path in FILES} == {str(version + 1) for version in range(FORMAT)}
    assert LATER
    for later in LATER.values():
        assert set(later) <= set(LIVE)
        assert not any(later.values())


def test_a_file_without_a_setting_of_its_format_or_with_a_later_one_is_refused():
    later = [other_settings(FORMAT_1, **field) for field in ({"weight_decay": 0.1}, {"cosine_until": 5}, {"unknown": 1})]
    for said in (*later, {"format": str(FORMAT)}):
        with pytest.raises(ValueError, match=DAMAGED[:20]):
            load(forged(FORMAT_1, said))
