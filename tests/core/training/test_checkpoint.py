import contextlib
import random
import tracemalloc

import numpy as np
import pytest
from safetensors.numpy import load as load_arrays, save as save_arrays

from core import __version__
from core.config.settings import Settings
from core.text.corpus import load_corpus
from core.training import snapshots
from core.training.checkpoint import checkpoint, conversion
from core.training.checkpoint.checkpoint import DAMAGED, FORMAT, KEPT, MOST_DOCUMENT, NOT_OURS, load, save
from core.training.checkpoint.conversion import from_checkpoint, to_checkpoint
from core.training.snapshots import longest_sample
from core.training.tbptt import Diverged
from tests.core.training.files import (
    changed,
    damaged,
    document_of,
    forged,
    joined,
    other_settings,
    read_metadata,
    split,
    with_document,
)
from tests.core.training.runs import TEXT, advance, monitored

TINY = Settings(corpus="lag", max_tokens=60, lag=2, hidden_size=2, batch_size=2, num_steps=3)
SPARE = 1_000_000  # bytes allowed in addition to three times the file's size


@pytest.fixture(scope="module")
def file():
    """A checkpoint file of a run after 12 updates, with one changed setting."""
    run = monitored(TINY)
    for update in run:
        if update.step == 5:
            run.change(truncation=2)
        if update.step == 12:
            return save(to_checkpoint(run))


def content(data):
    found = load(data)
    arrays = {name: (array.dtype.str, array.shape, array.tobytes()) for name, array in found.arrays.items()}
    return found.document, arrays


def opened(data):
    """The run in a file."""
    found = load(data)
    return from_checkpoint(found, load_corpus(found.begun_with, found.own_text))


def outcome(make, data):
    """The result of ``make``, or the message of its ``ValueError``."""
    try:
        return make(data)
    except ValueError as error:
        return str(error)


def refusal(data):
    """The message with which a file is refused; checks its length and final period."""
    message = outcome(opened, data)
    assert isinstance(message, str)
    assert 20 < len(message) < 400
    assert message.endswith(".")
    return message


def check_memory(data, spare=SPARE):
    """Assert that loading, successful or not, allocates little memory compared with the file's size."""
    tracemalloc.start()
    with contextlib.suppress(ValueError):
        load(data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 3 * len(data) + spare


def test_a_damaged_file_is_refused_or_has_the_content_that_was_saved(file):
    rng, whole, refused = random.Random(0), content(file), 0
    for i in range(2000):
        other = damaged(file, rng)
        if i % 50 == 0:
            check_memory(other)
        found = outcome(content, other)
        assert found == whole or found.endswith(".")
        refused += found != whole
    assert refused > 1800


def header_with(file, name, **fields):
    """The file with changed header fields of one array, which need not exist."""
    header, body = split(file)
    return joined(header | {name: header.get(name, {}) | fields}, body)


NOT_RUNS = {
    "nothing": lambda file: b"",
    "a text": lambda file: b"the cat sat on the mat. " * 100,
    "a pickle": lambda file: b"\x80\x04\x95" + b"cos\nsystem\n(S'true'\ntR." * 9,
    "a header of 2^63 bytes": lambda file: (2**63).to_bytes(8, "little") + file[8:],
    "a header as long as the file": lambda file: (len(file) - 8).to_bytes(8, "little") + file[8:],
    "a deep header": lambda file: joined(b'{"a":' + b"[" * 16_000),
    "a long header of many lists": lambda file: joined(b'{"a":[' + b"[]," * 200_000 + b"[]]}"),
    "a header in another encoding": lambda file: joined('{"a": 1}'.encode("utf-16-le")),
    "a number of many digits": lambda file: joined(b'{"a":' + b"9" * 15_000 + b"}"),
    "no header": lambda file: joined(b"{}"),
    "metadata that is no text": lambda file: joined({"__metadata__": {"kind": 3}}),
    "an array of 4 TB": lambda file: header_with(file, "more", dtype="F32", shape=[2**20, 2**20], data_offsets=[0, 2**42]),
    "a shape of 4 TB": lambda file: header_with(file, "h", shape=[2**20, 2**20]),
    "an array before the file": lambda file: header_with(file, "h", data_offsets=[-8, 8]),
    "two arrays in one place": lambda file: header_with(file, "optimizer.v", **split(file)[0]["optimizer.m"]),
    "200 dimensions": lambda file: header_with(file, "optimizer.t", shape=[1] * 200),
    "another network's weights": lambda file: save_arrays({"weight": np.zeros((3, 3), np.float32)}, {"format": "pt"}),
    "half precision": lambda file: header_with(file, "h", dtype="BF16", shape=[8]),
}


@pytest.mark.parametrize("make", NOT_RUNS.values(), ids=NOT_RUNS)
def test_a_file_that_is_no_run_is_refused_in_little_memory(file, make):
    other = make(file)
    assert refusal(other) in (NOT_OURS, DAMAGED)
    check_memory(other)


def test_a_whole_file_is_read_in_little_memory(file):
    large = save(to_checkpoint(monitored(TINY.but(hidden_size=300, optimizer="adam"))))
    assert len(large) > 2 * SPARE > len(file)
    check_memory(large)


@pytest.mark.parametrize(("name", "value"), [
    *(("hidden_size", size) for size in (4096, 10**9, [2], None)), ("num_steps", 10**6), ("num_steps", "3"),
    ("batch_size", 3), ("batch_size", -1), ("embedding_size", 3), ("dtype", "float64"),
    *(("optimizer", other) for other in ("sgd", "adagrad", "rmsprop")), ("learning_rate", np.nan), ("learning_rate", np.inf),
    ("unknown", 1), ("temperature", 1.0), ("corpus", "own"),  # temperature is a view setting; the file has no own text
])  # fmt: skip
def test_settings_that_do_not_fit_the_arrays_are_refused(file, name, value):
    other = other_settings(file, **{name: value})
    refusal(other)
    check_memory(other)


@pytest.mark.parametrize("stored", ["", {}, [], None, "{", dict.fromkeys(KEPT)], ids=str)
def test_settings_that_are_no_settings_are_refused(file, stored):
    refusal(changed(file, stored, "settings"))


HOSTILE = {
    "nothing": b"",
    "no JSON": b"{",
    "a list": b"[]",
    "deep": b"[" * MOST_DOCUMENT,
    "many lists": b"[" + b"[]," * (MOST_DOCUMENT // 3 - 2) + b"[]]",
    "a number of many digits": b"9" * MOST_DOCUMENT,
    "no UTF-8": b'{"\xff": 1}',
    "too long": b'{"a": "' + b"a" * MOST_DOCUMENT + b'"}',
}


@pytest.mark.parametrize("document", HOSTILE.values(), ids=HOSTILE)
def test_a_document_that_is_none_is_refused_in_limited_memory(file, document):
    other = with_document(file, document)
    assert refusal(other) == DAMAGED
    check_memory(other, SPARE + 25 * MOST_DOCUMENT)


def test_a_run_that_would_not_fit_into_memory_is_refused(file):
    """Even if the arrays match: the windows of such a run need the memory."""
    other = other_settings(save(to_checkpoint(monitored(TINY.but(hidden_size=128, batch_size=10)))), num_steps=1000)
    assert "memory" not in refusal(other)
    arrays = load_arrays(other)
    wider = {
        name.replace(".", "__"): np.zeros((*array.shape[:-2], 1024, 128), np.float32)
        for name, array in arrays.items()
        if name in ("h", "moments.h")
    }
    assert "memory" in refusal(forged(other_settings(other, batch_size=1024), **wider))


@pytest.mark.parametrize(("limit", "part"), [("MOST_POINTS", "training"), ("MOST_FLAGS", "flags"), ("MOST_MOMENTS", "moments")])
def test_a_longer_curve_more_flags_or_moments_than_a_run_has_are_refused(file, monkeypatch, limit, part):
    most = len(document_of(file)[part])
    monkeypatch.setattr(conversion, limit, most + (limit == "MOST_POINTS"))
    run = opened(file)
    monkeypatch.setattr(conversion, limit, most - 1)
    refusal(file)
    if limit == "MOST_FLAGS":
        with pytest.raises(ValueError, match=str(most - 1)):
            to_checkpoint(run)


def test_a_file_that_is_too_large_is_refused(file, monkeypatch):
    run = load(file)
    monkeypatch.setattr(checkpoint, "LARGEST_FILE", len(file) - 1)
    assert "MB" in refusal(file)
    with pytest.raises(ValueError, match="MB"):
        save(run)


def test_a_file_of_another_format_is_refused_as_one_of_another_version(file):
    assert read_metadata(file)["version"] == __version__ != ""
    other = str(int(FORMAT) + 1)
    assert "version" in refusal(forged(file, {"format": other}))
    assert refusal(forged(file, {"format": "²"})) == refusal(forged(file, {"format": other}))


CHANGES = {
    "missing": lambda array: None,
    "one row more": lambda array: np.concatenate([array, array[:1]]) if array.ndim else np.stack([array, array]),
    "one dimension more": lambda array: array[None],
    "another dtype": lambda array: np.zeros(array.shape, np.uint64),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_an_array_of_another_shape_or_type_is_refused(file, change):
    arrays = {name: array for name, array in load(file).arrays.items() if array.size}
    assert len(arrays) > 12
    for name, array in arrays.items():
        refusal(forged(file, **{name: change(array)}))
    assert "\u202e" not in refusal(forged(file, **{"\u202e": np.zeros(3)}))


def with_number(file, name, place, number):
    """The file with another number at this index of an array, and a matching digest."""
    array = load_arrays(file)[name].copy()
    with np.errstate(all="ignore"):
        array.reshape(-1)[place] = np.array(number).astype(array.dtype)
    return forged(file, **{name: array})


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_not_finite_are_refused(file, number):
    names = [name for name, array in load(file).arrays.items() if array.dtype.kind == "f" and array.size]
    assert len(names) > 10
    for name in names:
        refusal(with_number(file, name, 0, number))
    for place in (("seconds",), ("last", 1), ("training", 1, 2), ("epochs", 0, 1), ("smooth", 0), ("epochs_filling", 0)):
        refusal(changed(file, number, *place))


@pytest.mark.parametrize(("name", "number"), [("optimizer.v", -1.0), ("optimizer.t", 3), ("moments.optimizer.t", 7)])
def test_numbers_of_the_optimiser_that_no_run_has_are_refused(file, name, number):
    refusal(with_number(file, name, 0, number))


@pytest.mark.parametrize(("value", "place"), [
    (11, ("step",)), ("12", ("steps",)), (10**400, ("step",)), (True, ("last",)), (-1.0, ("seconds",)), (None, ("seconds",)),
    (13, ("judged", -1, 0)), (1, ("judged", 0, 0)), (-1.0, ("judged", 0, 2)), (99, ("training", -1, 0)),
    (1.5, ("training", 0, 0)),
    (-1.0, ("training", 0, 2)), ([1], ("training", 0)), ({}, ("training",)), (99, ("epochs", -1, 0)), ([], ("judged",)),
    ([0.0], ("smooth",)), ([0, 1], ("moves",)), ([-1], ("moves",)), ([[]], ("flags",)), (-1, ("flags", 0, 0)),
    ("weight", ("flags", 0, 2)), ([], ("flags", 0, 2)), ("x", ("flags", 0, 3)), ("corpus", ("flags", 0, 2)),
    (1, ("moments", 0, "step")), (0, ("moments", 1, "step")), ({}, ("moments", 0)), ([], ("moments",)), (3, ("moments", 0)),
    ({"learning_rate": -1.0}, ("moments", 0, "knobs")), ({"hidden_size": 3}, ("moments", 1, "knobs")),
    ([1, 2], ("moments", 1, "last")),
    ("x", ("moments", 1, "knobs")), (None, ("text_sha256",)),
])  # fmt: skip
def test_a_document_that_contradicts_itself_is_refused(file, value, place):
    if place == ("steps",):
        document = document_of(file)
        del document["step"]
        refusal(with_document(file, document))
    else:
        refusal(changed(file, value, *place))


def test_a_sample_longer_than_any_of_its_network_is_written_anew(file):
    other = changed(file, "0" * 10**5, "moments", 0, "sample")
    samples, again = ([moment.sample for moment in opened(data).history.moments.kept] for data in (file, other))
    assert again == samples
    assert 0 < len(samples[0]) <= longest_sample(load_corpus(TINY).tokenizer)


@pytest.mark.parametrize("radius", [-1.0, np.nan, np.inf])
def test_a_flag_of_no_spectral_radius_is_refused(radius):
    run = advance(monitored(TINY), 3)
    run.scale_to_radius(2.0)
    data = save(to_checkpoint(run))
    assert opened(data).history.flags[0].new == 2.0
    assert "flags" in refusal(changed(data, radius, "flags", 0, 4))


def places(value, *place):
    """The places of all numbers in a document."""
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(inner, *place, key)
    elif isinstance(value, int | float):
        yield place


def test_a_file_with_any_number_changed_is_refused_or_is_a_run_that_trains(file, monkeypatch):
    """The digest matches: the result is a message, or a run that can be drawn and trained."""
    monkeypatch.setattr(snapshots, "LENGTH", {"char": 3})
    rng, runs = random.Random(1), 0
    numbers = (0, 1, -1, 2, 255, 2**31, 2**53, 2**62, 0.5, 1e-300, 1e30, 1e300, np.nan, np.inf, None, "1", [])
    arrays = [(name, array) for name, array in load(file).arrays.items() if array.size]
    in_document = list(places(document_of(file)))
    for i in range(240):
        if i % 2:
            name, array = rng.choice(arrays)
            other = with_number(file, name, rng.randrange(array.size), rng.choice(numbers[:-3]))
        else:
            other = changed(file, rng.choice(numbers), *rng.choice(in_document))
        run = outcome(opened, other)
        if isinstance(run, str):
            assert run.endswith(".")
        else:
            runs += 1
            with contextlib.suppress(Diverged):
                next(run)
            run.view(), run.ghost(), run.undo()
    assert 24 < runs < 216


@pytest.mark.parametrize("part", [b"\xff", "é".encode()[:1]])
def test_bytes_that_are_no_text_are_refused(part):
    data = save(to_checkpoint(monitored(), TEXT))
    assert "text" in refusal(forged(data, text=np.frombuffer(part, np.uint8)))
