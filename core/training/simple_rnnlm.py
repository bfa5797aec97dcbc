"""The network of Deep Learning from Scratch 2, chapter 5, with the names and the arrays (N, T, ...) of that book.

``python -m core.training.simple_rnnlm`` trains it on a thousand words, and the core's network from the same weights beside it.
It is written to be read: one small layer for each time step. The core computes the same numbers, faster.
Every layer has ``params`` and ``grads``; ``forward`` stores what its ``backward`` needs. Source: sections 5.3 to 5.5.
"""

from collections.abc import Iterator
from itertools import count, islice

import numpy as np

from core.config.settings import Settings
from core.text.corpus import load_corpus
from core.training.tbptt import Trainer


class RNN:
    """One time step: h_next = tanh(h_prev Wh + x Wx + b), for N rows."""

    def __init__(self, Wx, Wh, b):
        self.params = [Wx, Wh, b]
        self.grads = [np.zeros_like(p) for p in self.params]

    def forward(self, x, h_prev):
        """The next state (N, H)."""
        Wx, Wh, b = self.params
        t = np.dot(h_prev, Wh) + np.dot(x, Wx) + b  # b is one row, added to all N
        h_next = np.tanh(t)
        self.cache = x, h_prev, h_next
        return h_next

    def backward(self, dh_next):
        """The gradients of x and h_prev, from that of h_next."""
        Wx, Wh, _b = self.params
        x, h_prev, h_next = self.cache
        dt = dh_next * (1 - h_next**2)  # tanh' = 1 - tanh²
        for grad, value in zip(self.grads, (np.dot(x.T, dt), np.dot(h_prev.T, dt), np.sum(dt, axis=0)), strict=True):
            grad[...] = value
        return np.dot(dt, Wx.T), np.dot(dt, Wh.T)


class TimeRNN:
    """T RNN layers in a row with the same parameters; ``stateful``: the last state is the first one of the next window."""

    def __init__(self, Wx, Wh, b, *, stateful=False):
        self.params = [Wx, Wh, b]
        self.grads = [np.zeros_like(p) for p in self.params]
        self.stateful, self.h, self.dh = stateful, None, None

    def forward(self, xs):
        """The states hs (N, T, H) of the inputs xs (N, T, D)."""
        (N, T, _D), H = xs.shape, len(self.params[1])
        hs = np.empty((N, T, H), xs.dtype)
        if self.h is None or not self.stateful:
            self.h = np.zeros((N, H), xs.dtype)
        self.layers = [RNN(*self.params) for _ in range(T)]
        for t, layer in enumerate(self.layers):
            hs[:, t] = self.h = layer.forward(xs[:, t], self.h)
        return hs

    def backward(self, dhs):
        """The gradients dxs (N, T, D). ``dh``: that of the state before the window, which is not handed on: the cut."""
        N, T, _H = dhs.shape
        dxs, dh = np.empty((N, T, len(self.params[0])), dhs.dtype), 0
        for grad in self.grads:
            grad[...] = 0
        for t in reversed(range(T)):
            dxs[:, t], dh = self.layers[t].backward(dhs[:, t] + dh)  # from the loss above, and from the future
            for grad, part in zip(self.grads, self.layers[t].grads, strict=True):
                grad += part  # the parameters are shared by all steps
        self.dh = dh
        return dxs

    def set_state(self, h=None):
        """Begin the next window with the state ``h`` (N, H); None: with zeros."""
        self.h = h


class TimeEmbedding:
    """A row of W for every token."""

    def __init__(self, W):
        self.params, self.grads = [W], [np.zeros_like(W)]

    def forward(self, xs):
        """The vectors (N, T, D) of tokens (N, T)."""
        self.xs = xs
        return self.params[0][xs]

    def backward(self, dout):
        """Add up the gradient of every row: a token may occur several times."""
        self.grads[0][...] = 0
        np.add.at(self.grads[0], self.xs, dout)


class TimeAffine:
    """The affine layer of all steps: one product for N·T rows."""

    def __init__(self, W, b):
        self.params = [W, b]
        self.grads = [np.zeros_like(p) for p in self.params]

    def forward(self, xs):
        """The scores (N, T, V) of states (N, T, H)."""
        W, b = self.params
        self.rows = xs.reshape(-1, xs.shape[-1])
        return (np.dot(self.rows, W) + b).reshape(*xs.shape[:2], -1)

    def backward(self, dout):
        """The gradient of the states."""
        rows = dout.reshape(-1, dout.shape[-1])
        self.grads[0][...] = np.dot(self.rows.T, rows)
        self.grads[1][...] = np.sum(rows, axis=0)
        return np.dot(rows, self.params[0].T).reshape(*dout.shape[:2], -1)


class TimeSoftmaxWithLoss:
    """Softmax and cross-entropy; the loss is the mean over all N·T tokens, in nats."""

    def forward(self, xs, ts):
        """The loss of scores (N, T, V) for targets (N, T)."""
        rows, self.ts, self.shape = xs.reshape(-1, xs.shape[-1]), ts.reshape(-1), xs.shape
        ys = np.exp(rows - rows.max(axis=1, keepdims=True))
        self.ys = ys / ys.sum(axis=1, keepdims=True)
        return -np.log(self.ys[np.arange(len(self.ts)), self.ts]).mean()

    def backward(self):
        """The gradient of the scores: (y - t) / (N·T)."""
        dx = self.ys.copy()
        dx[np.arange(len(dx)), self.ts] -= 1
        return (dx / len(dx)).reshape(self.shape)


class SimpleRnnlm:
    """Embedding, RNN, affine, softmax. The weights: ``embed_W, Wx, Wh, b`` of the RNN, ``W, b`` of the affine layer."""

    def __init__(self, embed_W, rnn_Wx, rnn_Wh, rnn_b, affine_W, affine_b):
        self.rnn_layer, self.loss_layer = TimeRNN(rnn_Wx, rnn_Wh, rnn_b, stateful=True), TimeSoftmaxWithLoss()
        self.layers = [TimeEmbedding(embed_W), self.rnn_layer, TimeAffine(affine_W, affine_b)]
        self.params = [p for layer in self.layers for p in layer.params]
        self.grads = [g for layer in self.layers for g in layer.grads]

    def forward(self, xs, ts):
        """The loss of a window."""
        for layer in self.layers:
            xs = layer.forward(xs)
        return self.loss_layer.forward(xs, ts)

    def backward(self):
        """Fill ``grads``."""
        dout = self.loss_layer.backward()
        for layer in reversed(self.layers):
            dout = layer.backward(dout)


class RnnlmTrainer(Iterator):
    """An iterator over updates by SGD: the loss of each, in nats per token, before its update."""

    def __init__(self, model, xs, ts, batch_size, time_size, learning_rate, max_grad=0.0):
        self.model, self.xs, self.ts, self.lr, self.max_grad = model, xs, ts, learning_rate, max_grad
        offsets = np.arange(batch_size) * (len(xs) // batch_size)  # where every row begins
        self.places = ((offsets[:, None] + i * time_size + np.arange(time_size)) % len(xs) for i in count())

    def __next__(self):
        place = next(self.places)  # (N, T): each row goes on where it stopped, and returns to the head of the text
        loss = self.model.forward(self.xs[place], self.ts[place])
        self.model.backward()
        self.clip_grads()
        for p, g in zip(self.model.params, self.model.grads, strict=True):
            p -= self.lr * g
        return loss

    def clip_grads(self):
        """Shorten the gradient to ``max_grad`` if it is longer; 0: never."""
        norm = np.sqrt(sum(np.sum(g**2) for g in self.model.grads))
        if 0 < self.max_grad < norm:
            for g in self.model.grads:
                g *= self.max_grad / norm


def main(epochs=50):
    """Print the mean perplexity of every tenth epoch, of this network and of the core's from the same weights."""
    network = {"hidden_size": 100, "embedding_size": 100, "init": "xavier", "input_scale": None, "output_scale": None}
    text = {"unit": "word", "max_tokens": 1000, "validation_share": 0.0, "batch_size": 10, "num_steps": 5, "dtype": "float64"}
    settings = Settings(**network, **text, optimizer="sgd", learning_rate=0.1, cosine_until=0, clip_norm=0.0)
    corpus = load_corpus(settings)
    core = Trainer(settings, corpus)
    weights = [core.params.named()[name].copy() for name in ("W_emb", "W_xh", "W_hh", "b_h", "W_hq", "b_q")]
    book = RnnlmTrainer(SimpleRnnlm(*weights), corpus.train.inputs, corpus.train.targets, 10, 5, 0.1)
    print("epoch  SimpleRnnlm  core")
    for epoch in range(1, epochs + 1):
        losses = [list(islice(book, core.updates_per_epoch)), [u.loss for u in islice(core, core.updates_per_epoch)]]
        if epoch % 10 == 0:
            print("{:5}  {:11.4f}  {:.4f}".format(epoch, *np.exp(np.mean(losses, axis=1))))


if __name__ == "__main__":
    main()
