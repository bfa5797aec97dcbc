"""A file is opened as it was saved, or not at all: refused in a sentence, and in little memory whatever it claims."""

import contextlib
import json
import random
import tomllib
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save as save_arrays

from core.settings import Settings
from core.text.corpus import load_corpus
from core.training import checkpoint, checkpoint_layout, safe_file, sample
from core.training.checkpoint import KEPT, load, save
from core.training.checkpoint_layout import layout
from core.training.divergence import Diverged
from core.training.keep import kept
from core.training.older_files import FORMAT
from core.training.resume import resumed
from core.training.safe_file import DAMAGED, NOT_OURS
from core.training.tbptt import Trainer
from core.training.watched import Watched
from tests.core.training.files import damaged, forged, joined, split

TINY = Settings(corpus="lag", max_tokens=60, lag=2, hidden_size=2, batch_size=2, num_steps=3)
CORPUS = load_corpus(TINY)
MUTATIONS = 10_000
SPARE = 1_000_000  # bytes beside three times the file


@pytest.fixture(scope="module")
def file():
    """A run of some updates, with a flag, as a file."""
    run = Watched(Trainer(TINY, CORPUS), CORPUS)
    for update in run:
        if update.step == 5:
            run.change(truncation=2)
        if update.step == 12:
            return save(kept(run))


def content(data):
    found = load(data)
    arrays = {name: (array.dtype.str, array.shape, array.tobytes()) for name, array in found.arrays.items()}
    return found.settings, found.text_sha256, found.python, arrays


def outcome(make, data):
    """What comes of it: that, or the sentence that refuses it."""
    try:
        return make(data)
    except ValueError as error:
        return str(error)


def refusal(data):
    """The sentence that a file is refused with."""
    with pytest.raises(ValueError) as refused:
        load(data)
    said = str(refused.value)
    assert 20 < len(said) < 400
    assert said.endswith(".")
    return said


def peak(data):
    """The most memory that trying to load a file takes, in bytes beside the file itself."""
    tracemalloc.start()
    with contextlib.suppress(ValueError):
        load(data)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most


def test_a_damaged_file_is_refused_or_was_not_changed_where_it_matters(file):
    rng, whole, refused = random.Random(0), content(file), 0
    for turn in range(MUTATIONS):
        other = damaged(file, rng)
        if turn % 50 == 0:
            assert peak(other) < 3 * len(other) + SPARE
        found = outcome(content, other)
        assert found == whole or found.endswith(".")
        refused += found != whole
    assert refused > 0.9 * MUTATIONS


def header_with(file, **entries):
    header, body = split(file)
    return joined(header | entries, body)


LARGE = {"dtype": "F32", "shape": [2**20, 2**20], "data_offsets": [0, 2**42]}
LIES = {
    "nothing": lambda file: b"",
    "a few bytes": lambda file: b"\x01\x02\x03",
    "a text": lambda file: b"the cat sat on the mat. " * 100,
    "a picture": lambda file: b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 9,
    "a zip archive": lambda file: b"PK\x03\x04" + bytes(5000),
    "a pickle": lambda file: b"\x80\x04\x95" + b"cos\nsystem\n(S'true'\ntR." * 9,
    "a header of 2^63 bytes": lambda file: (2**63).to_bytes(8, "little") + file[8:],
    "a header of 4 GB": lambda file: (2**32).to_bytes(8, "little") + file[8:],
    "a header as long as the file": lambda file: (len(file) - 8).to_bytes(8, "little") + file[8:],
    "a long header": lambda file: joined(b"{" + b" " * 2**20, b""),
    "a deep header": lambda file: joined(b'{"a":' + b"[" * 16_000),
    "a header of many lists": lambda file: joined(b'{"a":[' + b"[]," * 5000 + b"[]]}"),
    "a header in another encoding": lambda file: joined('{"a": 1}'.encode("utf-16-le")),
    "a number of many digits": lambda file: joined(b'{"a":' + b"9" * 15_000 + b"}"),
    "no header": lambda file: joined(b"{}"),
    "words that are none": lambda file: joined({"__metadata__": {"kind": 3}}),
    "a list for words": lambda file: joined({"__metadata__": ["kind"]}),
    "an array of 4 TB": lambda file: header_with(file, more=LARGE),
    "a shape of 4 TB": lambda file: header_with(file, h=split(file)[0]["h"] | {"shape": [2**20, 2**20]}),
    "an array before the file": lambda file: header_with(file, h=split(file)[0]["h"] | {"data_offsets": [-8, 8]}),
    "two arrays in one place": lambda file: header_with(file, seconds=split(file)[0]["step"] | {"dtype": "F64"}),
    "200 dimensions": lambda file: header_with(file, seconds=split(file)[0]["seconds"] | {"shape": [1] * 200}),
    "another network's weights": lambda file: save_arrays({"weight": np.zeros((3, 3), np.float32)}, {"format": "pt"}),
    "half numbers": lambda file: header_with(file, h=split(file)[0]["h"] | {"dtype": "BF16", "shape": [8]}),
}


@pytest.mark.parametrize("lie", LIES.values(), ids=LIES)
def test_what_is_no_run_is_refused_in_little_memory(file, lie):
    other = lie(file)
    assert refusal(other) in (NOT_OURS, DAMAGED)
    assert peak(other) < 3 * len(other) + SPARE


def test_a_whole_file_is_read_in_little_memory(file):
    large = TINY.but(hidden_size=300, optimizer="adam")
    for data in (file, save(kept(Watched(Trainer(large, CORPUS), CORPUS)))):
        assert peak(data) < 3 * len(data) + SPARE
    assert len(data) > 2 * SPARE


def settings_of(file, **fields):
    return {"settings": json.dumps(json.loads(split(file)[0]["__metadata__"]["settings"]) | fields)}


SETTINGS = {
    "larger": {"hidden_size": 4096},
    "a window of a thousand steps": {"num_steps": 1000, "batch_size": 1024},
    "more sequences": {"batch_size": 3},
    "an embedding": {"embedding_size": 3},
    "double precision": {"dtype": "float64"},
    "another optimiser": {"optimizer": "sgd"},
    "one that remembers less": {"optimizer": "adagrad"},
    "one that there is not": {"optimizer": "rmsprop"},
    "out of range": {"hidden_size": 10**9},
    "negative": {"batch_size": -1},
    "a word for a number": {"num_steps": "3"},
    "a list": {"hidden_size": [2]},
    "nothing": {"hidden_size": None},
    "not a number": {"learning_rate": float("nan")},
    "infinite": {"learning_rate": float("inf")},
    "one too many": {"backdoor": 1},
    "how it is looked at": {"temperature": 1.0},
    "the reader's text, which is not there": {"corpus": "own"},
}


@pytest.mark.parametrize("fields", SETTINGS.values(), ids=SETTINGS)
def test_settings_that_do_not_fit_are_refused_before_anything_is_made(file, fields):
    other = forged(file, settings_of(file, **fields))
    refusal(other)
    assert peak(other) < 3 * len(other) + SPARE


@pytest.mark.parametrize("said", ["", "{}", "[]", "null", "{", "[" * 5000, json.dumps(dict.fromkeys(KEPT))])
def test_settings_that_are_none_are_refused(file, said):
    refusal(forged(file, {"settings": said}))


def test_a_run_that_would_not_fit_into_memory_is_refused(file):
    """Even with arrays to match: the windows of such a run are what is large."""
    fields, there, larger = {"num_steps": 1000, "batch_size": 1024, "hidden_size": 128}, load(file).arrays, {}
    moments = len(there["moments.step"])
    for name, part in layout(load(file).settings.but(**fields), 2).items():
        shape = tuple(moments if length == "moments" else length for length in part.shape)
        if not any(isinstance(length, str) for length in shape) and (name not in there or there[name].shape != shape):
            larger[name.replace(".", "__")] = np.zeros(shape, part.dtype)
    assert "memory" in refusal(forged(file, settings_of(file, **fields), **larger))


def test_more_than_can_be_seen_is_refused(file, monkeypatch):
    there = load(file).arrays
    for module, name, most in (
        (checkpoint_layout, "MOST_SEEN", there["training.updates"].size),
        (checkpoint, "MOST_MOMENTS", there["moments.step"].size),
    ):
        monkeypatch.setattr(module, name, most)
        load(file)
        monkeypatch.setattr(module, name, most - 1)
        refusal(file)
        monkeypatch.undo()


def test_a_newer_version_is_named(file):
    assert "newer" in refusal(forged(file, {"format": str(FORMAT + 1)}))
    assert refusal(forged(file, {"format": "0"})) == refusal(forged(file, {"format": "²"})) == DAMAGED


def test_a_file_says_what_made_it_and_how(file):
    said = split(file)[0]["__metadata__"]
    assert said["version"] == tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text())["project"]["version"]
    assert set(json.loads(said["settings"])) == set(KEPT)
    assert "params.W_hh" in split(file)[0]


def test_a_file_that_is_too_large_is_refused(file, monkeypatch):
    run = load(file)
    monkeypatch.setattr(safe_file, "LARGEST", len(file) - 1)
    assert "MB" in refusal(file)
    with pytest.raises(ValueError, match="MB"):
        save(run)


ARRAYS = {
    "none of it": lambda array: None,
    "one row more": lambda array: np.concatenate([array, array[:1]]) if array.ndim else np.stack([array, array]),
    "one dimension more": lambda array: array[None],
    "other numbers": lambda array: np.zeros(array.shape, np.uint64),
}


@pytest.mark.parametrize("change", ARRAYS.values(), ids=ARRAYS)
def test_every_array_has_to_be_what_the_settings_ask_for(file, change):
    for name, array in load(file).arrays.items():
        if array.size:
            refusal(forged(file, **{name: change(array)}))
    refusal(forged(file, backdoor=np.zeros(3)))


ALLOWED = {"judged.nats", "flags.values", "last", "moments.last", "moments.knobs"}  # what was not known is no number there


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
def test_what_has_to_be_finite_is(file, number):
    arrays = {name: array for name, array in load(file).arrays.items() if array.dtype.kind == "f" and array.size}
    assert len(arrays) > 20
    for name, array in arrays.items():
        other = array.copy()
        other.reshape(-1)[0] = number
        if name not in ALLOWED:
            refusal(forged(file, **{name: other}))


CONTRADICTIONS = {
    "step": 11,
    "position": -1,
    "seconds": -1.0,
    "optimizer.v_sum": -1.0,
    "optimizer.t": 3,
    "judged.updates": 13,
    "judged.nats": -1.0,
    "training.updates": 99,
    "training.nats": -1.0,
    "epochs.updates": 99,
    "moves": 1,
    "moments.step": 1,
    "moments.optimizer.t": 7,
    "vocabulary.ends": -3,
}


@pytest.mark.parametrize("name", CONTRADICTIONS)
def test_numbers_that_cannot_be_those_of_one_run_are_refused(file, name):
    array = load(file).arrays[name].copy()
    array.reshape(-1)[-1 if name.endswith("updates") else 0] = CONTRADICTIONS[name]
    refusal(forged(file, **{name: array}))


def opened(data):
    found = load(data)
    return resumed(found, load_corpus(found.begun_with, found.own_text))


ODD = (0, 1, -1, 2, 255, 2**31, 2**53, 2**62, 0.5, 1e-300, 1e30, 1e300, np.nan, np.inf)


def test_a_careful_lie_is_refused_or_is_a_run(file, monkeypatch):
    """Any number may be another one, and the sum be right: nothing but a sentence or a run that can be looked at comes of it."""
    monkeypatch.setattr(sample, "LENGTH", {"char": 3})
    rng, runs = random.Random(1), 0
    arrays = [name for name, array in load(file).arrays.items() if array.size]
    for _ in range(200):
        name = rng.choice(arrays)
        array = load(file).arrays[name].copy()
        with np.errstate(all="ignore"):
            array.reshape(-1)[rng.randrange(array.size)] = np.array(rng.choice(ODD)).astype(array.dtype)
        run = outcome(opened, forged(file, **{name: array}))
        if isinstance(run, str):
            assert run.endswith(".")
            continue
        runs += 1
        with contextlib.suppress(Diverged):
            next(run)
        run.look(), run.ghost(), run.undo()
    assert 20 < runs < 180
