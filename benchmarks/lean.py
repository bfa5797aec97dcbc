"""The layers of ``plain.py`` without unnecessary work: as fast as the network can be while its layers stay independent.

Arrays are (T, N, ·), so that the numbers of a step are contiguous; one lookup embeds all steps; the table of a one-hot input has
no gradient; and gradients are passed on instead of copied.
"""

import numpy as np

from benchmarks.plain import PlainTrainer, Recurrent, TimeRecurrent


class Lookup:
    """The embedding of all steps in one lookup."""

    def __init__(self, W, trained):
        self.W = W
        self.params, self.grads = ([W], [np.zeros_like(W)]) if trained else ([], [])

    def forward(self, tokens):
        self.tokens = tokens
        return self.W[tokens]

    def backward(self, dxs):
        for dW in self.grads:
            dW[...] = 0
            np.add.at(dW, self.tokens, dxs)


class LeanRecurrent(Recurrent):
    """One time step; its gradients are new arrays instead of copies into existing ones."""

    def __init__(self, W_xh, W_hh, b):
        self.params = [W_xh, W_hh, b]

    def backward(self, dh):
        W_xh, W_hh, _ = self.params
        da = dh * (1 - self.h**2)
        self.grads = [np.dot(self.x.T, da), np.dot(self.h_prev.T, da), da.sum(axis=0)]
        return np.dot(da, W_xh.T), np.dot(da, W_hh.T)


class TimeMajorRecurrent(TimeRecurrent):
    step_layer = LeanRecurrent
    steps_along = 0


class LeanTrainer(PlainTrainer):
    """A ``PlainTrainer`` with windows of shape (T, N)."""

    input_layer = Lookup
    recurrent_layer = TimeMajorRecurrent

    def batch(self):
        xs, ts = super().batch()
        return np.ascontiguousarray(xs.T), np.ascontiguousarray(ts.T)
