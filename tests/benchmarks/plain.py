"""The same network the plain way, layer by layer, to be compared with: every layer its own arrays, every parameter its own
gradient, one call per time step and layer. It is how the sources teach it, and correct; it is not how to be fast.
"""

import numpy as np


class Embedding:
    def __init__(self, W):
        self.params, self.grads = [W], [np.zeros_like(W)]

    def forward(self, tokens):
        self.tokens = tokens
        return self.params[0][tokens]

    def backward(self, dx):
        self.grads[0][...] = 0
        np.add.at(self.grads[0], self.tokens, dx)


class OneHot:
    params, grads = (), ()

    def __init__(self, V, dtype):
        self.rows = np.eye(V, dtype=dtype)

    def forward(self, tokens):
        return self.rows[tokens]

    def backward(self, dx):
        pass


class Cell:
    def __init__(self, W_xh, W_hh, b):
        self.params = [W_xh, W_hh, b]
        self.grads = [np.zeros_like(p) for p in self.params]

    def forward(self, x, h):
        W_xh, W_hh, b = self.params
        self.x, self.before = x, h
        self.h = np.tanh(np.dot(x, W_xh) + np.dot(h, W_hh) + b)
        return self.h

    def backward(self, dh):
        W_xh, W_hh, _ = self.params
        da = dh * (1 - self.h**2)
        self.grads = [np.dot(self.x.T, da), np.dot(self.before.T, da), da.sum(axis=0)]
        return np.dot(da, W_xh.T), np.dot(da, W_hh.T)


class Recurrent:
    """One cell per time step; the state is kept between windows."""

    def __init__(self, W_xh, W_hh, b):
        self.params = [W_xh, W_hh, b]
        self.grads = [np.zeros_like(p) for p in self.params]
        self.h = None

    def forward(self, xs):
        T, N, _ = xs.shape
        H = self.params[1].shape[0]
        hs = np.empty((T, N, H), xs.dtype)
        h = np.zeros((N, H), xs.dtype) if self.h is None else self.h
        self.cells = [Cell(*self.params) for _ in range(T)]
        for t, cell in enumerate(self.cells):
            hs[t] = h = cell.forward(xs[t], h)
        self.h = h
        return hs

    def backward(self, dhs):
        T, N, H = dhs.shape
        dxs = np.empty((T, N, self.params[0].shape[0]), dhs.dtype)
        dh = np.zeros((N, H), dhs.dtype)
        total = [np.zeros_like(p) for p in self.params]
        for t in reversed(range(T)):
            dxs[t], dh = self.cells[t].backward(dhs[t] + dh)
            for sum_, part in zip(total, self.cells[t].grads, strict=True):
                sum_ += part
        for grad, sum_ in zip(self.grads, total, strict=True):
            grad[...] = sum_
        return dxs


class Affine:
    def __init__(self, W, b):
        self.params = [W, b]
        self.grads = [np.zeros_like(p) for p in self.params]

    def forward(self, x):
        self.x = x
        T, N, H = x.shape
        return (np.dot(x.reshape(T * N, H), self.params[0]) + self.params[1]).reshape(T, N, -1)

    def backward(self, dout):
        T, N, V = dout.shape
        dout, x = dout.reshape(T * N, V), self.x.reshape(T * N, -1)
        self.grads[0][...] = np.dot(x.T, dout)
        self.grads[1][...] = dout.sum(axis=0)
        return np.dot(dout, self.params[0].T).reshape(self.x.shape)


class SoftmaxWithLoss:
    def forward(self, xs, ts):
        T, N, V = xs.shape
        xs = xs.reshape(T * N, V)
        p = np.exp(xs - xs.max(axis=1, keepdims=True))
        p /= p.sum(axis=1, keepdims=True)
        self.p, self.ts, self.shape = p, ts.reshape(T * N), (T, N, V)
        return -np.log(p[np.arange(T * N), self.ts]).mean()

    def backward(self):
        dx = self.p
        dx[np.arange(len(dx)), self.ts] -= 1
        dx /= len(dx)
        return dx.reshape(self.shape)


class PlainTrainer:
    """The layers in a row, mini-batches one token at a time, clipping and a step per parameter."""

    def __init__(self, params, stream, N, T, rate, clip, optimizer):
        self.input = OneHot(params.vocab_size, params.dtype) if params.W_emb is None else Embedding(params.W_emb.copy())
        self.layers = [
            self.input,
            Recurrent(params.W_xh.copy(), params.W_hh.copy(), params.b_h.copy()),
            Affine(params.W_hq.copy(), params.b_q.copy()),
        ]
        self.loss = SoftmaxWithLoss()
        self.params = [p for layer in self.layers for p in layer.params]
        self.squares = [np.zeros_like(p) for p in self.params]
        self.stream, self.N, self.T = stream, N, T
        self.rate, self.clip, self.optimizer, self.time = rate, clip, optimizer, 0

    def batch(self):
        xs, ts = np.empty((self.T, self.N), int), np.empty((self.T, self.N), int)
        L = len(self.stream)
        for t in range(self.T):
            for i in range(self.N):
                place = (i * (L // self.N) + self.time) % L
                xs[t, i], ts[t, i] = self.stream.inputs[place], self.stream.targets[place]
            self.time += 1
        return xs, ts

    def update(self, xs, ts):
        out = xs
        for layer in self.layers:
            out = layer.forward(out)
        loss = self.loss.forward(out, ts)
        dout = self.loss.backward()
        for layer in reversed(self.layers):
            dout = layer.backward(dout)
        grads = [g for layer in self.layers for g in layer.grads]
        norm = np.sqrt(sum((g**2).sum() for g in grads))
        if self.clip and norm > self.clip:
            for g in grads:
                g *= self.clip / norm
        for p, g, s in zip(self.params, grads, self.squares, strict=True):
            if self.optimizer == "adagrad":
                s += g * g
                p -= self.rate * g / (np.sqrt(s) + 1e-7)
            else:
                p -= self.rate * g
        return loss
