"""A window read with the state set to zero every tau steps: forward and back, block by block, as separate windows would be.

Nothing here computes a second way: every block is a window of ``core.models.rnn.forward`` of its own. Put side by side they are
drawn like one window. With the state reset no loss depends on a state before its border, so the gradient of each block is whole.
"""

from dataclasses import fields

import numpy as np
from jaxtyping import Float, Integer

from core.analysis.backward import BackwardPass
from core.analysis.unrolled import Unrolled, unroll
from core.models.params import Params
from core.models.rnn import Trace, backward


def unroll_resetting(
    params: Params, tokens: Integer[np.ndarray, " T"], targets: Integer[np.ndarray, " T"], tau: int, *, activation: str = "tanh"
) -> Unrolled:
    """The forward pass over ``tokens`` from zeros at every border. ``h[t]`` is the state after t tokens, as step t left it.

    ``from_memory`` is zero at the first step of every block. ``ValueError`` for a block of less than one step.
    """
    if tau < 1:
        raise ValueError(f"A block has at least one step, not {tau}.")
    blocks = [slice(start, start + tau) for start in range(0, len(tokens), tau)]
    parts = [unroll(params, tokens[block], targets[block], activation=activation) for block in blocks]
    joined = {
        field.name: np.concatenate([getattr(part, field.name) for part in parts])
        for field in fields(Unrolled)
        if field.name not in ("h", "bias", "activation")
    }
    h = np.concatenate([parts[0].h[:1], *[part.h[1:] for part in parts]])
    return Unrolled(h=h, bias=parts[0].bias, activation=activation, **joined)


def go_back_resetting(params: Params, u: Unrolled, tau: int) -> BackwardPass:
    """The way back through the blocks of ``u``: derivatives with respect to logits, states and pre-activations, step by step.

    Those of the weights are not to be read from it: at a border W_hh multiplied zeros, not the state that stands in the trace.
    """
    trace = Trace(u.tokens[:, None], u.h[:, None], u.logits[:, None], u.activation, params.copy(np.float64))
    return BackwardPass(backward(trace, u.targets[:, None], truncation=tau))


def sizes_resetting(b: BackwardPass, tau: int) -> Float[np.ndarray, "T T"]:
    """|d L_t / d h_k| of that pass: exactly zero where a border lies between."""
    block = np.arange(len(b.h) - 1) // tau
    return np.where(block[:, None] == block, b.flow().norms, 0.0)
