"""The second book's layers compute the numbers of the core."""

import inspect
from itertools import islice

import numpy as np
import pytest

from core.config.settings import Settings
from core.models.rnn import backward, forward
from core.text.corpus import load_corpus
from core.training import simple_rnnlm
from core.training.simple_rnnlm import RnnlmTrainer, SimpleRnnlm
from core.training.tbptt import Trainer

SETTINGS = Settings(
    max_tokens=400, batch_size=3, num_steps=4, hidden_size=5, embedding_size=6, optimizer="sgd", dtype="float64"
).but(learning_rate=0.3, cosine_until=0)
NAMES = ("W_emb", "W_xh", "W_hh", "b_h", "W_hq", "b_q")  # in the order of its parameters


def same_network(params):
    return SimpleRnnlm(*(params.named()[name].copy() for name in NAMES))


@pytest.mark.parametrize("clip_norm", [0.0, 0.5])
def test_it_trains_as_the_core_does(clip_norm):
    corpus = load_corpus(SETTINGS)
    trainer = Trainer(SETTINGS.but(clip_norm=clip_norm), corpus)
    text = corpus.train.inputs, corpus.train.targets
    other = RnnlmTrainer(model := same_network(trainer.params), *text, 3, 4, 0.3, max_grad=clip_norm)
    ours = [update.loss for update in islice(trainer, 60)]  # past the end of the text
    np.testing.assert_allclose(list(islice(other, 60)), ours, rtol=1e-12)
    for mine, name in zip(model.params, NAMES, strict=True):
        np.testing.assert_allclose(mine, trainer.params.named()[name], rtol=1e-10, atol=1e-12)


def test_its_gradients_are_those_of_the_core_also_of_the_state_before_the_window():
    trainer = Trainer(SETTINGS, load_corpus(SETTINGS))
    model, rng = same_network(trainer.params), np.random.default_rng(0)
    tokens, targets = rng.integers(0, trainer.params.vocab_size, (2, 4, 3))
    h0 = rng.normal(size=(3, 5))
    model.rnn_layer.set_state(h0)
    loss = model.forward(tokens.T, targets.T)
    model.backward()
    found = backward(forward(trainer.params, tokens, h0), targets)
    assert loss == pytest.approx(found.losses.mean(), rel=1e-12)
    for grad, name in zip(model.grads, NAMES, strict=True):
        np.testing.assert_allclose(grad, found.dparams.named()[name], rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(model.rnn_layer.dh, found.dh0, rtol=1e-12)


def test_a_layer_that_is_not_stateful_or_was_reset_begins_with_zeros():
    model = same_network(Trainer(SETTINGS, load_corpus(SETTINGS)).params)
    tokens = np.array([[1, 2, 3]])
    first, second = (model.forward(tokens, tokens) for _ in range(2))
    assert first != second
    model.rnn_layer.set_state()
    assert model.forward(tokens, tokens) == first
    model.rnn_layer.stateful = False
    assert model.forward(tokens, tokens) == first


def test_it_is_short_and_runs(capsys):
    assert len(inspect.getsource(simple_rnnlm).splitlines()) <= 200
    simple_rnnlm.main(epochs=10)
    *_, (epoch, book, core) = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert (epoch, book) == ("10", core)
