"""What a hidden state adds, in numbers small enough to be read: a file for each section of the page."""

from core.analysis.recurrent_step.back import slope_curve, step_back
from core.analysis.recurrent_step.matrices import StepMatrices, draw_matrices
from core.analysis.recurrent_step.networks import read_with_state, read_without_state, share_of_memory, swapped
from core.analysis.recurrent_step.order import in_both_orders, weights_before_the_hidden_layer
from core.analysis.recurrent_step.products import two_ways
from core.analysis.recurrent_step.shapes import numbers
from core.analysis.recurrent_step.why import growth, never_seen

__all__ = [
    "StepMatrices",
    "draw_matrices",
    "growth",
    "in_both_orders",
    "never_seen",
    "numbers",
    "read_with_state",
    "read_without_state",
    "share_of_memory",
    "slope_curve",
    "step_back",
    "swapped",
    "two_ways",
    "weights_before_the_hidden_layer",
]
