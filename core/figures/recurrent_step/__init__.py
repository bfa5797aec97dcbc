"""The recurrent step, drawn: one file per section of its page, and what they share in ``written`` and ``blocks``."""

from core.figures.recurrent_step.back import slope_figure, slope_label, step_back, step_back_words
from core.figures.recurrent_step.both_orders import order, order_words
from core.figures.recurrent_step.identity import products, products_words
from core.figures.recurrent_step.networks import Judged, two_networks
from core.figures.recurrent_step.sizes import shapes, shapes_words
from core.figures.recurrent_step.why import (
    growth_figure,
    growth_label,
    never_seen_figure,
    never_seen_label,
    never_seen_sentence,
    why_words,
)

__all__ = [
    "Judged",
    "growth_figure",
    "growth_label",
    "never_seen_figure",
    "never_seen_label",
    "never_seen_sentence",
    "order",
    "order_words",
    "products",
    "products_words",
    "shapes",
    "shapes_words",
    "slope_figure",
    "slope_label",
    "step_back",
    "step_back_words",
    "two_networks",
    "why_words",
]
