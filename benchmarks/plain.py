"""The same network for comparison, built as in Deep Learning from Scratch 2, 5.3 to 5.5.

A sequence of *time layers* over arrays (N, T, ·), each made of one small layer per time step. Every layer has its parameters and
gradients, a forward and a backward pass, and is independent of its neighbours. This is correct, and how the chapter teaches it,
but not fast: layers also compute results that are not used, such as the gradients of the table of a one-hot input.
"""

import numpy as np


class Embedding:
    """The lookup of one time step."""

    def __init__(self, W):
        self.W = W

    def forward(self, tokens):
        self.tokens = tokens
        return self.W[tokens]

    def backward(self, dx):
        dW = np.zeros_like(self.W)
        np.add.at(dW, self.tokens, dx)
        return dW


class TimeEmbedding:
    """The lookup of every time step; a one-hot input has the table of unit vectors, which is not trained."""

    def __init__(self, W, trained):
        self.W = W
        self.dW = np.zeros_like(W)
        self.params, self.grads = ([self.W], [self.dW]) if trained else ([], [])

    def forward(self, tokens):
        N, T = tokens.shape
        xs = np.empty((N, T, self.W.shape[1]), self.W.dtype)
        self.layers = [Embedding(self.W) for _ in range(T)]
        for t, layer in enumerate(self.layers):
            xs[:, t] = layer.forward(tokens[:, t])
        return xs

    def backward(self, dxs):
        self.dW[...] = sum(layer.backward(dxs[:, t]) for t, layer in enumerate(self.layers))


class Recurrent:
    """One time step."""

    def __init__(self, W_xh, W_hh, b):
        self.params = [W_xh, W_hh, b]
        self.grads = [np.zeros_like(p) for p in self.params]

    def forward(self, x, h):
        W_xh, W_hh, b = self.params
        self.x, self.h_prev = x, h
        self.h = np.tanh(np.dot(x, W_xh) + np.dot(h, W_hh) + b)
        return self.h

    def backward(self, dh):
        W_xh, W_hh, _ = self.params
        da = dh * (1 - self.h**2)
        for grad, value in zip(self.grads, (np.dot(self.x.T, da), np.dot(self.h_prev.T, da), da.sum(axis=0)), strict=True):
            grad[...] = value
        return np.dot(da, W_xh.T), np.dot(da, W_hh.T)


class TimeRecurrent:
    """One layer per time step; the state is kept between windows."""

    def __init__(self, W_xh, W_hh, b):
        self.params = [W_xh, W_hh, b]
        self.grads = [np.zeros_like(p) for p in self.params]
        self.h = None

    def forward(self, xs):
        H = len(self.params[1])
        hs = np.empty((*xs.shape[:2], H), xs.dtype)
        h = np.zeros((len(xs), H), xs.dtype) if self.h is None else self.h
        self.layers = [Recurrent(*self.params) for _ in range(xs.shape[1])]
        for t, layer in enumerate(self.layers):
            hs[:, t] = h = layer.forward(xs[:, t], h)
        self.h = h
        return hs

    def backward(self, dhs):
        dxs = np.empty((*dhs.shape[:2], len(self.params[0])), dhs.dtype)
        dh = 0
        for grad in self.grads:
            grad[...] = 0
        for t in reversed(range(len(self.layers))):
            dxs[:, t], dh = self.layers[t].backward(dhs[:, t] + dh)
            for grad, part in zip(self.grads, self.layers[t].grads, strict=True):
                grad += part
        return dxs


class TimeAffine:
    """The affine layer of all steps in one product."""

    def __init__(self, W, b):
        self.params = [W, b]
        self.grads = [np.zeros_like(p) for p in self.params]

    def forward(self, xs):
        self.x = xs.reshape(-1, xs.shape[-1])
        W, b = self.params
        return (np.dot(self.x, W) + b).reshape(*xs.shape[:2], -1)

    def backward(self, douts):
        dout = douts.reshape(-1, douts.shape[-1])
        self.grads[0][...] = np.dot(self.x.T, dout)
        self.grads[1][...] = dout.sum(axis=0)
        return np.dot(dout, self.params[0].T).reshape(*douts.shape[:2], -1)


class TimeSoftmaxWithLoss:
    """Softmax and cross-entropy: the mean loss over all tokens, in nats."""

    def forward(self, xs, targets):
        self.shape, self.targets = xs.shape, targets.reshape(-1)
        rows = xs.reshape(-1, xs.shape[-1])
        p = np.exp(rows - rows.max(axis=1, keepdims=True))
        self.p = p / p.sum(axis=1, keepdims=True)
        return -np.log(self.p[np.arange(len(self.p)), self.targets]).mean()

    def backward(self):
        dx = self.p
        dx[np.arange(len(dx)), self.targets] -= 1
        dx /= len(dx)
        return dx.reshape(self.shape)


class PlainTrainer:
    """An iterator over updates: the loss of each, in nats per token. Batches token by token, a step per parameter (5.5.3)."""

    def __init__(self, params, stream, settings):
        one_hot = params.W_emb is None
        table = np.eye(params.vocab_size, dtype=params.dtype) if one_hot else params.W_emb.copy()
        self.layers = [
            TimeEmbedding(table, trained=not one_hot),
            TimeRecurrent(params.W_xh.copy(), params.W_hh.copy(), params.b_h.copy()),
            TimeAffine(params.W_hq.copy(), params.b_q.copy()),
        ]
        self.loss = TimeSoftmaxWithLoss()
        self.params = [p for layer in self.layers for p in layer.params]
        self.grads = [g for layer in self.layers for g in layer.grads]
        self.squares = [np.zeros_like(p) for p in self.params]
        self.stream, self.settings, self.time = stream, settings, 0

    def batch(self):
        """The next window: inputs and targets (N, T)."""
        N, T, L = self.settings.batch_size, self.settings.num_steps, len(self.stream)
        xs, ts = np.empty((N, T), int), np.empty((N, T), int)
        for t in range(T):
            for i in range(N):
                place = (i * (L // N) + self.time) % L
                xs[i, t], ts[i, t] = self.stream.inputs[place], self.stream.targets[place]
            self.time += 1
        return xs, ts

    def __iter__(self):
        return self

    def __next__(self):
        out, ts = self.batch()
        for layer in self.layers:
            out = layer.forward(out)
        loss = self.loss.forward(out, ts)
        dout = self.loss.backward()
        for layer in reversed(self.layers):
            dout = layer.backward(dout)
        self.clip()
        self.update_params()
        return loss

    def clip(self):
        norm, longest = np.sqrt(sum((g**2).sum() for g in self.grads)), self.settings.clip_norm
        if 0 < longest < norm:
            for g in self.grads:
                g *= longest / norm

    def update_params(self):
        rate = self.settings.learning_rate
        for p, g, s in zip(self.params, self.grads, self.squares, strict=True):
            if self.settings.optimizer == "adagrad":
                s += g * g
                p -= rate * g / (np.sqrt(s) + 1e-7)
            else:
                p -= rate * g
