import ast
import io
import itertools
import math
import sys
import zipfile
from functools import lru_cache

import numpy as np
import pytest
from hypothesis import given, strategies as st

from core.config.language import ENGLISH, languages, use_language
from core.config.settings import KNOBS, Settings
from core.models.initialisation import INITIALISATIONS
from core.models.loss import perplexity_of
from core.text.corpus import cleaned_text, load_corpus
from core.training import history
from core.training.checkpoint.conversion import LIVE, from_checkpoint, to_checkpoint
from core.training.curves import Point
from core.training.held_out import HeldOut
from core.training.history import RADIUS, Flag
from core.training.run.monitored_trainer import MonitoredTrainer
from core.training.script.script import FIRST, TEMPLATE, TEXT_FILE, archive, script
from core.training.tbptt import Trainer
from tests.core.any_settings import any_settings, values
from tests.core.training.script.scripts import ODD, SMALL, TEXT, both_printed, code_of, printed

UPDATES, FEW = 50, 5
RATES = {"sgd": 0.5, "adagrad": 0.05, "adam": 0.01}


def every(**choices):
    """All combinations of these values of settings."""
    return [dict(zip(choices, chosen, strict=True)) for chosen in itertools.product(*choices.values())]


def perplexities(settings, folder, text=TEXT, updates=UPDATES):
    """The perplexities that the script prints, and those of training; also check the script's form."""
    corpus = load_corpus(settings, text)
    read = cleaned_text(settings, text) if settings.corpus == "own" else ""
    trainer = Trainer(settings, corpus)
    ours = [next(trainer).perplexity for _ in range(updates)]
    judged = perplexity_of(HeldOut(settings, corpus).judge(trainer.params, settings))
    theirs, theirs_judged = both_printed(script(settings, corpus, updates), read, folder)
    return [*theirs, theirs_judged], [*ours, judged]


TRAINED = [
    *every(optimizer=RATES, embedding_size=[0, 5], carry_state=[True, False]),
    *every(optimizer=["sgd"], activation=["tanh", "relu", "sigmoid"], truncation=[None, 1, 3, 7, 9], clip_norm=[0.0, 0.05]),
    *every(optimizer=RATES, cosine_until=[0, 30, 1000], weight_decay=[0.0, 0.2]),
    {"optimizer": "sgd", "activation": "tanh", "momentum": 0.8},
    {"max_tokens": 150},
    {"validation_share": 0.0},
    {"validation_share": 0.37, "unit": "word"},
]


@pytest.mark.parametrize("fields", TRAINED, ids=lambda fields: "-".join(map(str, fields.values())))
def test_a_script_prints_the_perplexities_of_the_run(fields, tmp_path):
    rate = 0.1 if "activation" in fields else RATES[fields.get("optimizer", "adam")]
    theirs, ours = perplexities(SMALL.but(learning_rate=rate, **fields), tmp_path)
    np.testing.assert_allclose(theirs, ours, rtol=1e-8)
    assert theirs[-2] < theirs[0]


@pytest.mark.parametrize("fields", every(optimizer=RATES, embedding_size=[0, 5]), ids=str)
def test_in_float32_a_script_begins_as_the_run_does(fields, tmp_path):
    theirs, ours = perplexities(SMALL.but(dtype="float32", **fields), tmp_path, updates=FEW)
    np.testing.assert_allclose(theirs, ours, rtol=1e-5)


@pytest.mark.parametrize(("gain", "input_scale", "output_scale"), [(1.0, None, None), (0.9, 0.3, 0.0), (0.0, 0.0, 1.0)])
@pytest.mark.parametrize("embedding_size", [0, 5])
@pytest.mark.parametrize("init", INITIALISATIONS)
def test_it_draws_the_weights_that_the_run_began_with(init, embedding_size, gain, input_scale, output_scale, tmp_path):
    settings = SMALL.but(init=init, embedding_size=embedding_size, gain=gain, input_scale=input_scale, output_scale=output_scale)
    np.testing.assert_allclose(*perplexities(settings, tmp_path, updates=FEW), rtol=1e-7)


@pytest.mark.parametrize("text", [TEXT, ODD, "<unk> a <unk> b <unk> c\nd " * 40], ids=["plain", "odd", "unknown"])
@pytest.mark.parametrize("vocab_cap", [6, 5000])
@pytest.mark.parametrize("unit", ["char", "word"])
@pytest.mark.parametrize("cleaning", ["keep", "letters"])
def test_it_reads_any_text_as_the_run_does(cleaning, unit, vocab_cap, text, tmp_path):
    settings = SMALL.but(cleaning=cleaning, unit=unit, vocab_cap=vocab_cap, batch_size=2, num_steps=3)
    np.testing.assert_allclose(*perplexities(settings, tmp_path, text), rtol=1e-8)


@pytest.mark.parametrize("length", [20, 3000])
@pytest.mark.parametrize("lag", [1, 4, 25])
@pytest.mark.parametrize("corpus", ["lag", "echo"])
def test_it_draws_the_generated_languages_itself(corpus, lag, length, tmp_path):
    settings = SMALL.but(corpus=corpus, lag=lag, max_tokens=length, batch_size=1, num_steps=2, seed=5)
    np.testing.assert_allclose(*perplexities(settings, tmp_path), rtol=1e-8)
    assert 'CORPUS = "text"' not in script(settings, load_corpus(settings), 1)


@pytest.mark.parametrize("name", LIVE)
def test_every_live_knob_acts_in_the_run_and_in_the_script(name, tmp_path):
    knob = KNOBS[name]
    settings = SMALL.but(optimizer="sgd").but(**dict([knob.only_with] if knob.only_with else []))
    plain = perplexities(settings, tmp_path, updates=FEW)[1]
    for value in knob.stops or (False, True):
        theirs, ours = perplexities(settings.but(**{name: value}), tmp_path, updates=FEW)
        if ours != plain:  # not for a clip norm that is never reached
            acts = f"{name} = {value} acts in core/training, not as it should in core/training/script/template.py"
            np.testing.assert_allclose(theirs, ours, rtol=1e-8, err_msg=acts)
            return
    pytest.fail(f"{name} changes nothing in the first {FEW} updates: it acts nowhere, or its name is not used in core/training.")


MOVES = {
    "rate and clip": {0: {"learning_rate": 0.1}, 3: {"clip_norm": 0.1}, 17: {"clip_norm": 0.0, "learning_rate": 0.3}},
    "rate and decay": {
        0: {"cosine_until": 40}, 5: {"weight_decay": 0.5}, 12: {"cosine_until": 0, "learning_rate": 0.3},
        33: {"weight_decay": 0.1}, 35: {"cosine_until": 45}, UPDATES: {"learning_rate": 1.0},  # the last five have no effect
    },
    "cut and state": {9: {"truncation": 2, "carry_state": False}, 20: {"truncation": None}, 30: {"carry_state": True}},
}  # fmt: skip


@pytest.mark.parametrize("radius", [None, 1.4])
@pytest.mark.parametrize("moves", MOVES.values(), ids=MOVES)
def test_knobs_are_moved_where_the_run_moved_them(moves, radius, tmp_path):
    settings = SMALL.but(optimizer="sgd", clip_norm=0.0, learning_rate=0.05)
    corpus = load_corpus(settings, TEXT)
    monitored, ours = MonitoredTrainer(Trainer(settings, corpus), corpus), []
    for _ in range(UPDATES):
        monitored.change(**moves.get(monitored.step, {}))
        if monitored.step == 25 and radius:
            monitored.scale_to_radius(radius)
        ours.append(next(monitored).perplexity)
    monitored.change(**moves.get(UPDATES, {}))
    monitored.evaluate()
    written = script(monitored.settings, corpus, UPDATES, monitored.history.flags)
    theirs, judged = both_printed(written, TEXT, tmp_path)
    np.testing.assert_allclose(theirs, ours, rtol=1e-8)
    assert judged == pytest.approx(monitored.view().perplexity, rel=1e-8)


def test_a_knob_that_was_dragged_while_the_run_trained_is_dragged_in_the_script(tmp_path, monkeypatch):
    monkeypatch.setattr(history, "SAME_MOVE", math.inf)
    corpus = load_corpus(SMALL, TEXT)
    monitored, ours = MonitoredTrainer(Trainer(SMALL, corpus), corpus), []
    for update in range(UPDATES):
        monitored.change(learning_rate=0.01 * (1 + min(update, 20) % 10))
        ours.append(next(monitored).perplexity)
    assert len(monitored.history.flags) == 1
    opened = from_checkpoint(to_checkpoint(monitored, TEXT), corpus)
    for run in (monitored, opened):
        theirs, _judged = both_printed(script(run.settings, corpus, UPDATES, run.history.flags), TEXT, tmp_path)
        np.testing.assert_allclose(theirs, ours, rtol=1e-8)


def test_a_branch_from_within_a_drag_is_repeated_up_to_there(tmp_path, monkeypatch):
    monkeypatch.setattr(history, "SAME_MOVE", math.inf)
    corpus = load_corpus(SMALL, TEXT)
    run, ours = MonitoredTrainer(Trainer(SMALL, corpus), corpus), []
    for update in range(20):
        if update == 8:
            moment = run.now()
        run.change(learning_rate=0.01 * (1 + update))
        perplexity = next(run).perplexity
        ours += [perplexity] * (update < 8)
    branch = run.branch(moment)
    assert branch.settings == moment.settings
    ours += [update.perplexity for update in itertools.islice(branch, 10)]
    theirs, _judged = both_printed(script(branch.settings, corpus, 18, branch.history.flags), TEXT, tmp_path)
    np.testing.assert_allclose(theirs, ours, rtol=1e-8)


def test_any_number_of_moves_is_repeated(tmp_path):
    settings = SMALL.but(learning_rate=0.2)
    corpus = load_corpus(settings, TEXT)
    trainer, flags, ours = Trainer(settings, corpus), [], []
    for update in range(UPDATES):
        rate = 0.01 + 0.1 * (update % 3)
        flags.append(Flag(Point(update, 0, 0.0, 0.0), "learning_rate", trainer.settings.learning_rate, rate))
        trainer.move(learning_rate=rate)
        ours.append(next(trainer).perplexity)
    np.testing.assert_allclose(printed(script(trainer.settings, corpus, UPDATES, flags), TEXT, tmp_path), ours, rtol=1e-8)


def test_the_template_itself_runs(tmp_path):
    theirs = printed(TEMPLATE.read_text(encoding="utf-8"), "", tmp_path)
    assert theirs[-1] < 1.4 < 1.9 < theirs[0]


def check_form(written):
    """A script imports only NumPy, and has a docstring."""
    tree = ast.parse(written)
    assert ast.get_docstring(tree)
    nodes = list(ast.walk(tree))
    modules = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    modules |= {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    assert modules - sys.stdlib_module_names == {"numpy"}


def in_language(code, *arguments):
    """The script in the language with this code."""
    use_language(code)
    try:
        return script(*arguments)
    finally:
        use_language(ENGLISH)


@lru_cache
def any_corpus(corpus, unit, vocab_cap):
    """A small corpus of this kind: a script depends only on the corpus's symbols."""
    kind = corpus if corpus in ("lag", "echo") else "own"
    return load_corpus(SMALL.but(corpus=kind, unit=unit, vocab_cap=min(vocab_cap, 5000), max_tokens=5000), TEXT)


live = st.sampled_from(LIVE).flatmap(lambda name: st.tuples(st.just(name), values(name)))
radius = st.tuples(st.just(RADIUS), st.floats(0, 5))


@given(any_settings, st.lists(st.tuples(st.integers(0, 10**6), live | radius), max_size=12))
def test_every_script_imports_numpy_alone_and_is_the_same_code_in_every_language(now, moves):
    flags = []
    for update, (name, value) in sorted(moves, key=lambda move: move[0]):
        flags.append(Flag(Point(update, 0, 0.0, 0.0), name, getattr(now, name, 1.0), value))
        now = now.but(**{name: value}) if name != RADIUS else now
    arguments = now, any_corpus(now.corpus, now.unit, now.vocab_cap), 10**6 + 1, flags
    written = {code: in_language(code, *arguments) for code in languages()}
    for one in written.values():
        check_form(one)
        assert ast.dump(code_of(one)) == ast.dump(code_of(written[ENGLISH]))


def unpacked(settings, own_text="", updates=FEW):
    corpus = load_corpus(settings, own_text)
    with zipfile.ZipFile(io.BytesIO(archive(settings, corpus, own_text, updates))) as zipped:
        assert zipped.testzip() is None
        return {name: zipped.read(name).decode("utf-8") for name in zipped.namelist()}


@pytest.mark.parametrize("text", [TEXT, ODD], ids=["plain", "odd"])
def test_the_archive_has_the_script_and_the_text_that_it_reads(text, tmp_path):
    settings = SMALL.but(cleaning="keep", max_tokens=300)
    files = unpacked(settings, text)
    assert list(files) == ["train.py", TEXT_FILE]
    theirs = printed(files["train.py"], files[TEXT_FILE], tmp_path)
    np.testing.assert_allclose(theirs, perplexities(settings, tmp_path, text, FEW)[1][:-1], rtol=1e-8)
    assert list(unpacked(SMALL.but(corpus="echo", max_tokens=1000))) == ["train.py"]
    settings = Settings(max_tokens=5000)  # of a run that has not begun
    assert unpacked(settings, updates=0)["train.py"] == script(settings, load_corpus(settings), FIRST)
