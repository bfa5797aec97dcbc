"""Why the network here is no LSTM: in words, with the numbers of this page that were the reason to invent it."""

import math
from collections.abc import Sequence

from core.figures.gradient_flow.jacobian import Spectra, linear
from core.figures.parts.numbers import number
from core.figures.parts.style import Pieces, Scene

REASON = (
    "At every step back a gradient passes φ' and W_hh once more: its size is multiplied by a factor. Many factors below 1 make "
    "nearly 0, so what lies far back is hardly learnt."
)
REMEDY = (
    "An LSTM (Hochreiter and Schmidhuber, 1997) has a second state, the memory cell. A step does not compute it anew: it adds to "
    "it. Along this path the factor per step is a gate between 0 and 1 (Gers and others, 2000), which can learn to stay near 1. "
    "Its other paths pass weights as here, so it can still explode, and it is clipped as well."
)
LEFT_OUT = (
    "It is left out because the weakness itself is what there is to see here, and because its step has four times the weights of "
    "this one. Where a text asks for memory over hundreds of steps, take an LSTM, a GRU or attention, not this network."
)


def why_no_lstm(spans: Sequence[int] = (), spectra: Spectra = ()) -> Scene:
    """A panel of words; with the numbers where the singular values were measured: ``spectra`` as log10, one for each span."""
    return {
        "title": "Why no LSTM here",
        "sentences": [[[REASON, ""], *_measured(spans, spectra)], [[REMEDY, ""]], [[LEFT_OUT, ""]]],
    }


def _measured(spans: Sequence[int], spectra: Spectra) -> Pieces:
    if not len(spans) or not math.isfinite(spectra[-1][0]):
        return []
    factor, whole = linear(spectra[-1][0] / spans[-1]), linear(spectra[-1][0])
    return [
        [f" Here the factor is {number(factor)} per step", "strong"],
        [f" for the change that lasts best, {number(whole, 2)} over all {spans[-1]} steps. ", ""],
        ["“What if” shows the factor for the loss.", ""],
    ]
