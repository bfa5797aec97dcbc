import contextlib
import json
import random
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, strategies as st
from safetensors.numpy import load as load_arrays, save as save_arrays

from core import __version__
from core.config.settings import KNOBS, Settings
from core.text.corpus import load_corpus
from core.training import snapshots
from core.training.checkpoint import checkpoint, schema
from core.training.checkpoint.checkpoint import DAMAGED, KEPT, NOT_OURS, load, save
from core.training.checkpoint.conversion import from_checkpoint, to_checkpoint
from core.training.checkpoint.schema import FORMAT, LIVE, layout, number_of, pack_texts, texts_of, value_of
from core.training.snapshots import longest_sample
from core.training.tbptt import Diverged
from tests.core.any_settings import values
from tests.core.training.files import damaged, forged, joined, other_settings, read_metadata, split
from tests.core.training.runs import advance, monitored

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
    return found.settings, found.text_sha256, found.python, arrays


def outcome(make, data):
    """The result of ``make``, or the message of its ``ValueError``."""
    try:
        return make(data)
    except ValueError as error:
        return str(error)


def refusal(data):
    """The message with which a file is refused; checks its length and final period."""
    message = outcome(load, data)
    assert isinstance(message, str)
    assert 20 < len(message) < 400
    assert message.endswith(".")
    return message


def check_memory(data):
    """Assert that loading, successful or not, allocates little memory compared with the file's size."""
    tracemalloc.start()
    with contextlib.suppress(ValueError):
        load(data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 3 * len(data) + SPARE


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
    "two arrays in one place": lambda file: header_with(file, "seconds", **split(file)[0]["step"] | {"dtype": "F64"}),
    "200 dimensions": lambda file: header_with(file, "seconds", shape=[1] * 200),
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
    other = forged(file, other_settings(file, **{name: value}))
    refusal(other)
    check_memory(other)


@pytest.mark.parametrize("stored", ["", "{}", "[]", "null", "{", "[" * 5000, json.dumps(dict.fromkeys(KEPT))])
def test_settings_that_are_no_settings_are_refused(file, stored):
    refusal(forged(file, {"settings": stored}))


def test_a_run_that_would_not_fit_into_memory_is_refused(file):
    """Even if the arrays match: the windows of such a run need the memory."""
    fields, arrays, larger = {"num_steps": 1000, "batch_size": 1024, "hidden_size": 128}, load(file).arrays, {}
    moments = len(arrays["moments.step"])
    for name, part in layout(load(file).settings.but(**fields), 2).items():
        shape = tuple(moments if length == "moments" else length for length in part.shape)
        if not any(isinstance(length, str) for length in shape) and (name not in arrays or arrays[name].shape != shape):
            larger[name.replace(".", "__")] = np.zeros(shape, part.dtype)
    assert "memory" in refusal(forged(file, other_settings(file, **fields), **larger))


@pytest.mark.parametrize(("module", "limit", "array"), [
    (schema, "MOST_SEEN", "training.updates"), (schema, "MOST_FLAGS", "flags.updates"),
    (checkpoint, "MOST_MOMENTS", "moments.step"),
])  # fmt: skip
def test_a_longer_curve_more_flags_or_moments_than_a_run_has_are_refused(file, monkeypatch, module, limit, array):
    most = load(file).arrays[array].size
    monkeypatch.setattr(module, limit, most)
    load(file)
    monkeypatch.setattr(module, limit, most - 1)
    assert (str(most - 1) in refusal(file)) == (limit == "MOST_FLAGS")


def test_a_file_that_is_too_large_is_refused(file, monkeypatch):
    run = load(file)
    monkeypatch.setattr(checkpoint, "LARGEST", len(file) - 1)
    assert "MB" in refusal(file)
    with pytest.raises(ValueError, match="MB"):
        save(run)


def test_a_newer_format_is_refused_as_newer_and_an_impossible_one_as_damaged(file):
    assert read_metadata(file)["version"] == __version__ != ""
    assert "newer" in refusal(forged(file, {"format": str(FORMAT + 1)}))
    assert refusal(forged(file, {"format": "0"})) == refusal(forged(file, {"format": "²"})) == DAMAGED


CHANGES = {
    "missing": lambda array: None,
    "one row more": lambda array: np.concatenate([array, array[:1]]) if array.ndim else np.stack([array, array]),
    "one dimension more": lambda array: array[None],
    "another dtype": lambda array: np.zeros(array.shape, np.uint64),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_an_array_of_another_shape_or_type_is_refused(file, change):
    arrays = {name: array for name, array in load(file).arrays.items() if array.size}
    assert len(arrays) > 30
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
    unknown = {"judged.nats", "flags.values", "last", "moments.last", "moments.knobs"}  # here nan may stand for None
    names = [name for name, array in load(file).arrays.items() if array.dtype.kind == "f" and array.size]
    assert len(names) > 20
    for name in set(names) - unknown:
        refusal(with_number(file, name, 0, number))


@pytest.mark.parametrize(("name", "number"), [
    ("step", 11), ("position", -1), ("seconds", -1.0), ("optimizer.v_sum", -1.0), ("optimizer.t", 3), ("judged.updates", 13),
    ("judged.nats", -1.0), ("training.updates", 99), ("training.nats", -1.0), ("epochs.updates", 99), ("moves", 1),
    ("moments.step", 1), ("moments.optimizer.t", 7), ("vocabulary.ends", -3),
])  # fmt: skip
def test_numbers_that_contradict_each_other_are_refused(file, name, number):
    refusal(with_number(file, name, -1 if name.endswith("updates") else 0, number))


def test_a_sample_longer_than_any_of_its_network_is_written_anew(file):
    corpus, longer = load_corpus(TINY), pack_texts("moments.samples", ["0" * 10**5] * len(load(file).arrays["moments.step"]))
    other = forged(file, **{name.replace(".", "__"): array for name, array in longer.items()})
    samples, again = (
        [moment.sample for moment in from_checkpoint(load(data), corpus).history.moments.kept] for data in (file, other)
    )
    assert again == samples
    assert 0 < len(samples[0]) <= longest_sample(corpus.tokenizer)


@pytest.mark.parametrize("radius", [-1.0, np.nan, np.inf])
def test_a_flag_of_no_spectral_radius_is_refused(radius):
    run = advance(monitored(TINY), 3)
    run.scale_to_radius(2.0)
    found = load(with_number(save(to_checkpoint(run)), "flags.values", 1, radius))
    with pytest.raises(ValueError, match=r"flags.*\.$"):
        from_checkpoint(found, run.corpus)


def test_a_file_with_any_number_changed_is_refused_or_is_a_run_that_trains(file, monkeypatch):
    """The digest matches: the result is a message, or a run that can be drawn and trained."""

    def opened(data):
        found = load(data)
        return from_checkpoint(found, load_corpus(found.begun_with, found.own_text))

    monkeypatch.setattr(snapshots, "LENGTH", {"char": 3})
    rng, runs = random.Random(1), 0
    numbers = (0, 1, -1, 2, 255, 2**31, 2**53, 2**62, 0.5, 1e-300, 1e30, 1e300, np.nan, np.inf)
    arrays = [(name, array) for name, array in load(file).arrays.items() if array.size]
    for _ in range(120):
        name, array = rng.choice(arrays)
        run = outcome(opened, with_number(file, name, rng.randrange(array.size), rng.choice(numbers)))
        if isinstance(run, str):
            assert run.endswith(".")
        else:
            runs += 1
            with contextlib.suppress(Diverged):
                next(run)
            run.view(), run.ghost(), run.undo()
    assert 12 < runs < 108


@given(st.lists(st.text(st.characters(exclude_categories=()), max_size=20), max_size=8))  # including lone surrogates
def test_texts_come_back(texts):
    arrays = pack_texts("name", texts)
    assert texts_of("name", arrays) == texts
    assert {name: array.dtype for name, array in arrays.items()} == {"name": np.uint8, "name.ends": np.int64}


def test_bytes_that_are_no_text_are_refused():
    arrays = pack_texts("name", ["é"]) | {"name.ends": np.array([1, 2])}
    with pytest.raises(ValueError):
        texts_of("name", arrays)


@given(st.sampled_from(LIVE).flatmap(lambda name: st.tuples(st.just(name), values(name))))
def test_the_value_of_a_live_knob_comes_back(named):
    name, value = named
    assert value_of(name, number_of(value)) == value
    assert type(value_of(name, number_of(value))) in (type(value), KNOBS[name].type)


@pytest.mark.parametrize(("name", "number"), [
    ("truncation", 2.5), ("truncation", 0.0), ("truncation", 1e300), ("carry_state", 0.5), ("carry_state", np.nan),
    ("learning_rate", np.nan), ("learning_rate", np.inf), ("learning_rate", -1.0), ("clip_norm", -np.inf),
    ("cosine_until", 2.5), ("cosine_until", -1.0), ("weight_decay", -0.1), ("weight_decay", np.nan),
])  # fmt: skip
def test_a_number_that_is_no_value_is_refused(name, number):
    with pytest.raises(ValueError):
        value_of(name, number)
