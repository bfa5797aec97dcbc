"""A script is run, and does what the run does."""

import ast
import itertools
import sys
from functools import lru_cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.models.initialisation import INITIALISATIONS
from core.text.corpus import cleaned_text, load_corpus
from core.training.checkpoint_layout import LIVE
from core.training.curves import Point
from core.training.history import RADIUS, Flag
from core.training.script.script import LINES, script
from core.training.script.template import WIDTH
from core.training.script.text import FILE
from core.training.tbptt import Trainer
from core.training.watched import Watched
from tests.core.any_settings import any_settings, values
from tests.core.training.script.scripts import ODD, SMALL, TEXT, printed

UPDATES, FIRST = 50, 5
RATES = {"sgd": 0.5, "adagrad": 0.05, "adam": 0.01}


def taken_home(settings, folder, text=TEXT, updates=UPDATES):
    """What the script prints, and what training does."""
    corpus = load_corpus(settings, text)
    read = cleaned_text(settings, text) if settings.corpus == "own" else ""
    trainer = Trainer(settings, corpus)
    ours = [next(trainer).perplexity for _ in range(updates)]
    return printed(script(settings, corpus, updates), read, folder), ours


@pytest.mark.parametrize("carry_state", [True, False])
@pytest.mark.parametrize("embedding_size", [0, 5])
@pytest.mark.parametrize("optimizer", RATES)
def test_a_script_trains_as_the_run_does(optimizer, embedding_size, carry_state, tmp_path):
    settings = SMALL.but(
        optimizer=optimizer, learning_rate=RATES[optimizer], embedding_size=embedding_size, carry_state=carry_state
    )
    theirs, ours = taken_home(settings, tmp_path)
    np.testing.assert_allclose(theirs, ours, rtol=1e-6)
    assert theirs[-1] < 0.99 * theirs[0]
    theirs, ours = taken_home(settings.but(dtype="float32"), tmp_path, updates=FIRST)
    np.testing.assert_allclose(theirs, ours, rtol=1e-5)


@pytest.mark.parametrize("clip_norm", [0.0, 0.05])
@pytest.mark.parametrize("truncation", [None, 1, 3, 7, 9])
@pytest.mark.parametrize("activation", ["tanh", "relu", "sigmoid"])
def test_it_has_the_activation_the_cut_and_the_clipping_of_the_run(activation, truncation, clip_norm, tmp_path):
    settings = SMALL.but(activation=activation, truncation=truncation, clip_norm=clip_norm, optimizer="sgd", learning_rate=0.1)
    np.testing.assert_allclose(*taken_home(settings, tmp_path), rtol=1e-6)


@pytest.mark.parametrize("weight_decay", [0.0, 0.2])
@pytest.mark.parametrize("cosine_until", [0, 30, 1000])
@pytest.mark.parametrize("optimizer", RATES)
def test_it_has_the_schedule_and_the_decay_of_the_run(optimizer, cosine_until, weight_decay, tmp_path):
    settings = SMALL.but(
        optimizer=optimizer, learning_rate=RATES[optimizer], cosine_until=cosine_until, weight_decay=weight_decay
    )
    np.testing.assert_allclose(*taken_home(settings, tmp_path), rtol=1e-6)


def test_what_it_leaves_out_would_have_made_a_difference(tmp_path):
    plain = SMALL.but(optimizer="sgd", learning_rate=0.1, clip_norm=0.0)
    theirs, _ = taken_home(plain, tmp_path)
    changes = {"activation": "relu", "truncation": 3, "clip_norm": 0.05, "carry_state": False, "seed": 1}
    for change in ({name: value} for name, value in (changes | {"cosine_until": 40, "weight_decay": 0.2}).items()):
        assert not np.allclose(theirs, taken_home(plain.but(**change), tmp_path)[1], rtol=1e-5)


@pytest.mark.parametrize(("gain", "input_scale", "output_scale"), [(1.0, None, None), (0.9, 0.3, 0.0), (0.0, 0.0, 1.0)])
@pytest.mark.parametrize("embedding_size", [0, 5])
@pytest.mark.parametrize("init", INITIALISATIONS)
def test_it_draws_the_weights_that_the_run_began_with(init, embedding_size, gain, input_scale, output_scale, tmp_path):
    settings = SMALL.but(init=init, embedding_size=embedding_size, gain=gain, input_scale=input_scale, output_scale=output_scale)
    np.testing.assert_allclose(*taken_home(settings, tmp_path, updates=FIRST), rtol=1e-7)


@pytest.mark.parametrize("text", [TEXT, ODD, "<unk> a <unk> b <unk> c\nd " * 40], ids=["plain", "odd", "unknown"])
@pytest.mark.parametrize("vocab_cap", [6, 5000])
@pytest.mark.parametrize("unit", ["char", "word"])
@pytest.mark.parametrize("cleaning", ["keep", "letters"])
def test_it_reads_any_text_as_the_run_does(cleaning, unit, vocab_cap, text, tmp_path):
    settings = SMALL.but(cleaning=cleaning, unit=unit, vocab_cap=vocab_cap, batch_size=2, num_steps=3)
    np.testing.assert_allclose(*taken_home(settings, tmp_path, text), rtol=1e-6)


@pytest.mark.parametrize("settings", [{"max_tokens": 150}, {"validation_share": 0.0}, {"validation_share": 0.37, "unit": "word"}])
def test_it_trains_on_the_same_part_of_the_text(settings, tmp_path):
    settings = SMALL.but(**settings)
    np.testing.assert_allclose(*taken_home(settings, tmp_path), rtol=1e-6)


@pytest.mark.parametrize("length", [20, 3000])
@pytest.mark.parametrize("lag", [1, 4, 25])
@pytest.mark.parametrize("corpus", ["lag", "echo"])
def test_it_draws_the_generated_languages_itself(corpus, lag, length, tmp_path):
    settings = SMALL.but(corpus=corpus, lag=lag, max_tokens=length, batch_size=1, num_steps=2, seed=5)
    np.testing.assert_allclose(*taken_home(settings, tmp_path), rtol=1e-6)
    assert FILE not in script(settings, load_corpus(settings), 1)


RATE_AND_CLIP = {
    0: {"learning_rate": 0.1},
    3: {"clip_norm": 0.1},
    17: {"clip_norm": 0.0, "learning_rate": 0.3},
    UPDATES: {"learning_rate": 1.0},
}
RATE_AND_DECAY = {
    0: {"cosine_until": 40},
    5: {"weight_decay": 0.5},
    12: {"cosine_until": 0, "learning_rate": 0.3},
    33: {"weight_decay": 0.1},
    35: {"cosine_until": 45},  # the last five updates change nothing
}
CUT_AND_STATE = {9: {"truncation": 2, "carry_state": False}, 20: {"truncation": None}, 30: {"carry_state": True}}


@pytest.mark.parametrize("radius", [None, 1.4])
@pytest.mark.parametrize("moves", [RATE_AND_CLIP, RATE_AND_DECAY, CUT_AND_STATE])
def test_knobs_are_moved_where_they_were_moved(moves, radius, tmp_path):
    settings = SMALL.but(optimizer="sgd", clip_norm=0.0, learning_rate=0.05)
    corpus = load_corpus(settings, TEXT)
    watched, ours = Watched(Trainer(settings, corpus), corpus), []
    for _ in range(UPDATES):
        watched.change(**moves.get(watched.step, {}))
        if watched.step == 25 and radius:
            watched.scale_to_radius(radius)
        ours.append(next(watched).perplexity)
    watched.change(**moves.get(UPDATES, {}))
    written = script(watched.settings, corpus, UPDATES, watched.history.flags)
    readable(written)
    np.testing.assert_allclose(printed(written, TEXT, tmp_path), ours, rtol=1e-6)
    assert not np.allclose(taken_home(settings, tmp_path)[1], ours, rtol=1e-3)


def moved(times):
    """The learning rate, so often."""
    return [Flag(Point(i, 0, 0.0, 0.0), "learning_rate", 0.1, 0.2) for i in range(1, times + 1)]


def test_moves_for_which_there_is_no_room_are_told(tmp_path):
    settings = SMALL.but(learning_rate=0.2)
    corpus = load_corpus(settings, TEXT)
    written = script(settings, corpus, 1000, moved(199))
    assert "199 times" in ast.get_docstring(ast.parse(written))
    theirs = printed(written.replace("updates, rate, clip = 1000", f"updates, rate, clip = {UPDATES}"), TEXT, tmp_path)
    np.testing.assert_allclose(theirs, taken_home(settings, tmp_path)[1], rtol=1e-6)


KINDS = [
    {"corpus": ["own"], "unit": ["char", "word"], "vocab_cap": [5, 5000]},
    {"corpus": ["lag", "echo"], "lag": [32], "max_tokens": [0]},
]
CHOICES = {  # on which the number of lines depends
    "embedding_size": [0, 1024],
    "optimizer": ["sgd", "adagrad", "adam"],
    "carry_state": [True, False],
    "learning_rate": [1.6267808635602705],  # digits that need a line more
    "clip_norm": [0.0, 1.7349093634693418],
    "init": ["orthogonal", "xavier"],
    "cosine_until": [0, 123456],
    "weight_decay": [0.0, 6.766365870375405e-38],
}


def readable(written):
    """What must be true of every script, whatever the run was."""
    lines = written.splitlines()
    assert len(lines) <= LINES
    assert max(map(len, lines)) <= WIDTH
    assert not [line for line in lines if line != line.rstrip()]
    tree = ast.parse(written)
    assert ast.get_docstring(tree)
    nodes = list(ast.walk(tree))
    modules = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    modules |= {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    assert modules - sys.stdlib_module_names == {"numpy"}
    names = [node for node in nodes if isinstance(node, ast.Name)]
    stored, read = ({node.id for node in names if isinstance(node.ctx, how)} for how in (ast.Store, ast.Load))
    by_list = {"dW_emb", "dW_xh", "dW_hh", "db_h", "dW_hq", "db_q"}
    assert stored - read <= by_list | {"_"}  # nothing is there that nothing needs


@pytest.mark.parametrize("kind", KINDS, ids=["text", "drawn"])
def test_every_script_is_short_and_imports_numpy_alone(kind):
    choices, too_many = kind | CHOICES, [Flag(Point(1, 0, 0.0, 0.0), RADIUS, 1.0, 2.0), *moved(99)]
    for chosen in itertools.product(*choices.values()):
        settings = SMALL.but(**dict(zip(choices, chosen, strict=True)))
        readable(script(settings, _corpus(settings), 10**6, too_many))  # one line longer than without


@lru_cache
def _loaded(settings):
    return load_corpus(settings, TEXT)


def _corpus(settings):
    """A corpus of this kind, whatever the sizes: a script asks for its symbols alone."""
    kind = {"corpus": settings.corpus if settings.corpus in ("lag", "echo") else "own", "unit": settings.unit}
    return _loaded(SMALL.but(**kind, vocab_cap=min(settings.vocab_cap, 5000), max_tokens=5000))


live = st.sampled_from(LIVE).flatmap(lambda name: st.tuples(st.just(name), values(name)))
radius = st.tuples(st.just(RADIUS), st.floats(0, 5))


@given(any_settings, st.lists(st.tuples(st.integers(0, 10**6), live | radius), max_size=12))
def test_so_is_one_of_any_settings_and_with_any_moves(now, moves):
    flags = []
    for update, (name, value) in sorted(moves, key=lambda move: move[0]):
        flags.append(Flag(Point(update, 0, 0.0, 0.0), name, getattr(now, name, 1.0), value))
        now = now.but(**{name: value}) if name != RADIUS else now
    readable(script(now, _corpus(now), 10**6 + 1, flags))
