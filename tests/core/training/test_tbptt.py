import json
import math
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

from core.config.settings import KNOBS, Settings
from core.models.ngram import baselines, fit, tokens_of
from core.models.rnn import backward
from core.models.sampling import RnnReader, score
from core.text.corpus import load_corpus
from core.training import tbptt
from core.training.experiments.comparisons import small_network, trainer_without_state
from core.training.held_out import HeldOut
from core.training.optimizers import OPTIMIZERS, clip_by_global_norm, make_optimizer, norm
from core.training.tbptt import Diverged, Trainer
from tests.core.training.runs import SMALL, advance, corpus, lag_text


def run(settings=SMALL, updates=20, **changes):
    """A trainer after some updates, and their losses; ``changes`` of settings are made after ten."""
    trainer, losses = Trainer(settings, lag_text()), []
    for _ in range(updates):
        if trainer.step == 10:
            trainer.move(**changes)
        losses.append(next(trainer).loss)
    return trainer, losses


def assert_same_state(trainer, state):
    for name, value in trainer.state().items():
        np.testing.assert_array_equal(value, state[name], err_msg=name)


def test_updates_are_counted_and_points_have_tokens_and_epochs():
    trainer, text = Trainer(SMALL, lag_text()), lag_text()
    first, *_, last = islice(trainer, 7)
    assert (first.step, last.step, trainer.step) == (1, 7, 7)
    assert trainer.tokens == trainer.point(last.loss).tokens == 140
    assert trainer.updates_per_epoch == len(text.train) // 20
    assert trainer.point(last.loss).epoch == pytest.approx(7 / trainer.updates_per_epoch)
    assert first.perplexity == pytest.approx(math.exp(first.loss))
    assert first.perplexity == pytest.approx(2, rel=0.05)
    assert last.learning_rate == SMALL.learning_rate


def updated(name, p, gradients, rates, decay, momentum):
    """The parameters ``p`` after these gradients: the published rules, one line each, with decoupled weight decay, which does
    not enter an optimiser's state."""
    m, v, squares, velocity = 0.0, 0.0, 0.0, 0.0
    for t, (g, rate) in enumerate(zip(gradients, rates, strict=True), 1):
        m, v, squares = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g**2, squares + g**2
        velocity = momentum * velocity + g
        adam = (m / (1 - 0.9**t)) / (np.sqrt(v / (1 - 0.999**t)) + 1e-8)
        p = p - rate * {"sgd": velocity, "adagrad": g / (np.sqrt(squares) + 1e-7), "adam": adam}[name] - min(rate * decay, 1) * p
    return p


WIDE = SMALL.but(dtype="float64", clip_norm=0.0)
decays, schedules = st.just(0.0) | st.floats(1e-6, 1000.0), st.just(0) | st.integers(1, 20) | st.integers(21, 10**7)


@given(st.sampled_from(list(OPTIMIZERS)), st.floats(1e-4, 0.3), decays, schedules, st.just(0.0) | st.floats(0.0, 0.999))
def test_optimiser_decay_and_schedule_are_the_published_ones(optimizer, rate, decay, until, momentum):
    """All parameters, including biases, shrink by the current learning rate times the decay."""
    settings = WIDE.but(optimizer=optimizer, learning_rate=rate, weight_decay=decay, cosine_until=until, momentum=momentum)
    trainer, gradients = Trainer(settings, lag_text()), []

    def recorded(*given, **how):
        found = backward(*given, **how)
        gradients.append(found.dparams.flat.copy())
        return found

    start = trainer.params.flat.copy()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tbptt, "backward", recorded)
        updates = list(islice(trainer, 12))
    rates = [rate * (1 + math.cos(math.pi * min(i / until, 1))) / 2 if until else rate for i in range(12)]
    assert [update.learning_rate for update in updates] == pytest.approx(rates, abs=0)
    expected = updated(optimizer, start, gradients, rates, decay, momentum)
    np.testing.assert_allclose(trainer.params.flat, expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_frozen_weights_stay_out_of_the_norm_and_all_others_learn(optimizer):
    settings = SMALL.but(optimizer=optimizer, weight_decay=0.5, clip_norm=0.0)
    free, frozen = Trainer(settings, lag_text()), Trainer(settings, lag_text(), frozen=("W_hh",))
    began = frozen.params.W_hh.copy()
    next(free), next(frozen)
    for name, array in frozen.params.named().items():
        np.testing.assert_array_equal(array, began if name == "W_hh" else getattr(free.params, name))
    np.testing.assert_array_equal(advance(frozen, 20).params.W_hh, began)
    free, frozen = (next(Trainer(SMALL.but(clip_norm=1e-3), lag_text(), frozen)) for frozen in ((), ("W_hh", "W_hq")))
    assert frozen.clipped_norm == 1e-3 < frozen.grad_norm < free.grad_norm


LIVE = {"learning_rate": 0.1, "clip_norm": 1e-3, "truncation": 1, "carry_state": False, "cosine_until": 15, "weight_decay": 0.1}


def test_every_live_setting_that_acts_by_itself_is_tried():
    assert LIVE.keys() == {name for name, knob in KNOBS.items() if knob.kind == "live" and not knob.only_with}


@pytest.mark.parametrize("field", LIVE)
def test_live_settings_act_at_the_next_update(field):
    plain, losses = run(updates=11)
    moved, other = run(updates=11, **{field: LIVE[field]})
    assert losses[:10] == other[:10]
    assert not np.array_equal(plain.params.flat, moved.params.flat)


def test_momentum_acts_on_sgd_alone():
    assert {name for name in OPTIMIZERS if KNOBS["momentum"].acts(SMALL.but(optimizer=name))} == {"sgd"}
    for name in OPTIMIZERS:
        settings = SMALL.but(optimizer=name)
        plain, moved = (advance(Trainer(one, lag_text()), 5) for one in (settings, settings.but(momentum=0.9)))
        assert np.array_equal(plain.params.flat, moved.params.flat) == (name != "sgd")


def test_a_state_of_another_network_is_refused():
    trainer, _ = run(updates=2)
    before = trainer.params.flat.copy()
    larger, sgd = (Trainer(SMALL.but(**other), lag_text()).state() for other in ({"hidden_size": 9}, {"optimizer": "sgd"}))
    for wrong in (larger, sgd, {name: value for name, value in trainer.state().items() if name != "position"}):
        with pytest.raises(ValueError):
            trainer.restore(wrong)
    np.testing.assert_array_equal(trainer.params.flat, before)


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
@pytest.mark.parametrize("embedding_size", [0, 3])
def test_a_trainer_given_a_first_state_or_broken_before_it_began_is_the_same_run(optimizer, embedding_size):
    settings = SMALL.but(optimizer=optimizer, embedding_size=embedding_size)
    trainer = Trainer(settings, lag_text())
    first = trainer.state()
    for array in first.values():
        if isinstance(array, np.ndarray):
            array.flags.writeable = False
    expected = list(islice(trainer, 5))
    for shared in (first, None):
        other, broken = (Trainer(settings, lag_text(), first=shared) for _ in range(2))
        broken.params.flat[0] = np.nan
        with pytest.raises(Diverged) as caught:
            next(broken)
        assert (caught.value.step, caught.value.last_finite_step, broken.step) == (1, 0, 0)
        for one in (other, broken):
            assert list(islice(one, 5)) == expected
            assert_same_state(one, trainer.state())
    assert_same_state(Trainer(settings, lag_text()), first)


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
@pytest.mark.parametrize("field", ["params", "h"])
def test_after_a_nan_the_state_before_the_previous_update_is_restored(optimizer, field):
    trainer, _ = run(SMALL.but(optimizer=optimizer), 4)
    good = trainer.state()
    next(trainer)
    (trainer.params.flat if field == "params" else trainer.h)[0] = np.nan
    with pytest.raises(Diverged) as caught:
        next(trainer)
    assert (caught.value.step, caught.value.last_finite_step) == (6, 4)
    assert_same_state(trainer, good)


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_after_divergence_the_memory_of_the_optimiser_is_finite(optimizer):
    """A finite gradient whose squares overflow is treated like an infinite one."""
    trainer = Trainer(SMALL.but(activation="relu", gain=3.0, num_steps=35, optimizer=optimizer, clip_norm=0.0), lag_text())
    with pytest.raises(Diverged):
        advance(trainer, 200)
    for name, array in trainer.state().items():
        assert np.isfinite(array).all(), name


RECORDED = json.loads((Path(__file__).parent / "pytorch_curves.json").read_text(encoding="utf-8"))
WEIGHTS = {name: np.array(weight) for name, weight in RECORDED["weights"].items()}
SIZES = {"batch_size": RECORDED["batch_size"], "num_steps": RECORDED["num_steps"], "hidden_size": len(WEIGHTS["W_hh"])}
PLAIN = Settings(dtype="float64", weight_decay=0.0, cosine_until=0, **SIZES)


@pytest.mark.parametrize("recorded", RECORDED["curves"], ids=lambda recorded: "-".join(map(str, recorded["settings"].values())))
def test_losses_and_gradient_norms_are_those_of_pytorch(recorded):
    settings, (losses, norms) = PLAIN.but(**recorded["settings"]), np.transpose(recorded["curve"])
    trainer = Trainer(settings, corpus(RECORDED["tokens"], V=len(WEIGHTS["W_xh"])))
    for name, weights in trainer.params.named().items():
        weights[...] = WEIGHTS[name]
    updates = [next(trainer) for _ in losses]
    np.testing.assert_allclose([update.loss for update in updates], losses, rtol=1e-9)
    np.testing.assert_allclose([update.grad_norm for update in updates], norms, rtol=1e-9)
    np.testing.assert_allclose([update.clipped_norm for update in updates], norms.clip(max=settings.clip_norm), rtol=1e-9)
    assert 10 < (norms > settings.clip_norm).sum() < len(norms) - 10 == 190  # clipped and unclipped updates are compared
    assert trainer.point(0.0).epoch > 4


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_a_step_in_float32_changes_no_gradient_and_a_zero_gradient_moves_nothing(name):
    p, g, optimizer = np.ones(5, np.float32), np.full(5, 0.5, np.float32), make_optimizer(name, 5)
    optimizer.step(p, np.zeros(5, np.float32), 0.01)
    assert (p == 1).all()
    optimizer.step(p, g, 0.01)
    assert (g == 0.5).all()
    assert p.dtype == np.float32
    assert (p < 1).all()
    with pytest.raises(ValueError):
        make_optimizer("newton", 3)


@given(st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=30), st.floats(1e-3, 1e3))
def test_clipping_keeps_the_direction_and_bounds_the_length(values, limit):
    g = np.array(values)
    before = g.copy()
    length = clip_by_global_norm(g, limit)
    assert length == pytest.approx(math.sqrt((before**2).sum()), rel=1e-9, abs=1e-12)
    if length <= limit:
        np.testing.assert_array_equal(g, before)
    else:
        assert np.linalg.norm(g) == pytest.approx(limit)
        np.testing.assert_allclose(g * length, before * limit, rtol=1e-9, atol=1e-9)


def test_a_clip_norm_of_zero_is_off_and_norms_in_float32_are_finite():
    g = np.full(4, 100.0)
    assert clip_by_global_norm(g, 0.0) == 200
    assert (g == 100).all()
    assert norm(np.full(4, 1e30, np.float32)) == pytest.approx(2e30, rel=1e-6)
    assert norm(np.full(4, 1e-30, np.float32)) == pytest.approx(2e-30, rel=1e-6)
    assert norm(np.zeros(3, np.float32)) == 0


RECIPE = Settings(hidden_size=12, init="xavier", gain=0.9, input_scale=None, output_scale=0.1, learning_rate=0.01)


@pytest.mark.parametrize(("text", "unit", "before"), [("machine", "char", ""), ("you say hello .", "word", ". ")])
def test_it_learns_its_text(text, unit, before):
    def loss(updates):
        params, tokenizer = small_network(text, RECIPE.but(unit=unit), updates, before=before)
        return score(RnnReader(params), tokenizer.encode(before + text)).mean()

    assert loss(40) < loss(5) < loss(0)


def test_it_is_the_same_at_every_call_and_cannot_be_changed():
    (first, alone), (second, _) = (small_network("machine", RECIPE, 5) for _ in range(2))
    assert np.array_equal(first.flat, second.flat)
    with pytest.raises(ValueError):
        first.W_hh[0, 0] = 1
    assert small_network("machine", RECIPE, 0, before="e")[1] == alone  # the text ``before`` adds no symbol


@pytest.mark.parametrize("optimizer", ["sgd", "adagrad", "adam"])
def test_the_network_without_a_state_is_the_recurrent_one_without_w_hh(optimizer):
    """Both have the same initial weights, and the same updates if the recurrent network's state is 0 at every step."""
    settings = Settings(max_tokens=20_000, hidden_size=32, batch_size=16, num_steps=1, carry_state=False, optimizer=optimizer)
    settings = settings.but(weight_decay=0.4, cosine_until=30, learning_rate=0.02)
    corpus = load_corpus(settings)
    without, recurrent = trainer_without_state(settings, corpus), Trainer(settings, corpus)
    np.testing.assert_array_equal(without.params.W_xh, recurrent.params.W_xh)
    for _ in range(40):
        assert next(without).loss == pytest.approx(next(recurrent).loss, rel=1e-5)
    assert not without.params.W_hh.any()
    np.testing.assert_allclose(without.params.W_hq, recurrent.params.W_hq, rtol=1e-3, atol=1e-5)


def test_the_perplexity_without_a_state_ends_between_unigram_and_bigram():
    settings = Settings(max_tokens=20_000, hidden_size=32, batch_size=16, num_steps=16)
    corpus = load_corpus(settings)
    trainer = advance(trainer_without_state(settings, corpus), 600)
    counted, held_out = fit(tokens_of(corpus.train), corpus.tokenizer.size), HeldOut(settings, corpus)
    lines = baselines(counted, counted.losses(corpus.held_out))
    assert lines[2].perplexity * 0.9 < math.exp(held_out.judge(trainer.params, settings)) < lines[1].perplexity
