"""The layers of ``plain.py`` without their waste: as lean as the network can be while every layer still stands alone.

Arrays are (T, N, ·), so that a step's numbers lie together; the input is looked up for all steps at once; a table of unit
vectors has no gradient; and gradients are handed over instead of copied.
"""

import numpy as np

from benchmarks.plain import PlainTrainer, Recurrent, TimeRecurrent


class Lookup:
    """Rows of a table for all steps at once."""

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
    """One time step, whose gradients are made anew instead of written into place."""

    def __init__(self, W_xh, W_hh, b):
        self.params = [W_xh, W_hh, b]

    def backward(self, dh):
        W_xh, W_hh, _ = self.params
        da = dh * (1 - self.h**2)
        self.grads = [np.dot(self.x.T, da), np.dot(self.before.T, da), da.sum(axis=0)]
        return np.dot(da, W_xh.T), np.dot(da, W_hh.T)


class TimeMajorRecurrent(TimeRecurrent):
    step_layer = LeanRecurrent
    steps_along = 0


class LeanTrainer(PlainTrainer):
    """As the plain one, with windows (T, N)."""

    input_layer = Lookup
    recurrent_layer = TimeMajorRecurrent

    def batch(self):
        xs, ts = super().batch()
        return np.ascontiguousarray(xs.T), np.ascontiguousarray(ts.T)
