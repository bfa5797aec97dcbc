"""Buffers that forward and backward use again and again, so that training allocates nothing."""

from functools import cached_property
from itertools import pairwise

import numpy as np

from core.models.inputs import InputLayer
from core.models.loss import SoftmaxLoss
from core.models.params import Params
from core.models.products import Product, StepProduct, TransposedCopy
from core.models.windows import flat


class Workspace:
    """Buffers for windows of (T, N) tokens and networks of one size, to be used again and again.

    The results do not depend on it. They live in it: the next call with the same workspace overwrites them.
    """

    def __init__(self, params: Params, T: int, N: int) -> None:
        H, V = params.hidden_size, params.vocab_size
        self.shape = (T, N)
        self._network = params
        self.tokens = np.empty((T, N), np.intp)
        self.h = np.empty((T + 1, N, H), params.dtype)
        self.logits = np.empty((T, N, V), params.dtype)
        self.inputs = InputLayer(params, T * N)
        self.output = Product(flat(self.h[1:]), flat(self.logits))
        self.recurrent = StepProduct(N, H, params.dtype)
        recurrent = self.recurrent
        self.steps = [(recurrent.multiplier(before), recurrent.split(now), now) for before, now in pairwise(self.h)]

    @cached_property
    def backward(self) -> "BackwardBuffers":
        return BackwardBuffers(self._network, *self.shape)

    def check(self, params: Params, shape: tuple[int, ...]) -> None:
        made_for = self._network
        if params is made_for and shape == self.shape:
            return
        if shape != self.shape or params.dtype != made_for.dtype or params.W_hq.shape != made_for.W_hq.shape:
            raise ValueError(f"This workspace is for windows of {self.shape} and {made_for!r}, not for {shape} and {params!r}.")
        if params.embedding_size != made_for.embedding_size:
            raise ValueError(f"This workspace is for {made_for!r}, not for {params!r}.")


class BackwardBuffers:
    """The part of a workspace that only training needs."""

    def __init__(self, params: Params, T: int, N: int) -> None:
        H, V, dtype = params.hidden_size, params.vocab_size, params.dtype
        self.grads = params.with_flat(np.empty_like(params.flat))
        self.softmax = SoftmaxLoss(T * N, V, dtype)
        self.dh = np.empty((T, N, H), dtype)
        self.da = np.empty((T, N, H), dtype)
        self.output = TransposedCopy(T * N, (H, V), dtype)
        self.to_states = Product(self.softmax.rows, flat(self.dh))
        self.ones = np.ones(T * N, dtype)
        self.recurrent = StepProduct(N, H, dtype)
        dh, da = list(self.dh), list(self.da)
        multipliers = [self.recurrent.multiplier(x) for x in da]
        before = [None, *(self.recurrent.split(x) for x in dh)]
        self.steps = [(t, dh[t], da[t], multipliers[t], before[t]) for t in reversed(range(T))]
