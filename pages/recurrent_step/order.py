"""Word order: two word vectors in both orders, as their mean, concatenated, and read one after the other."""

from core.analysis import one_step_matrices as analysis
from core.analysis.one_step_matrices import draw_matrices
from core.config.language import lazy_gettext
from core.text.randomness import Purpose, generator
from pages.app.layout import elements
from pages.app.navigation.section_tabs import PageState, Pick
from pages.app.session.session import Session
from pages.app.widgets.components import blocks, cards
from pages.figures.recurrent_step.products import order_drawing, order_words

WORDS = ("you", "say", "goodbye", "and", "i", "hello", ".")  # the sentence of Deep Learning from Scratch 2
SIZES = (3, 4)  # D, H
PICKS = {
    "first": Pick("", list(enumerate(WORDS)), lazy_gettext("First word")),
    "second": Pick("", list(enumerate(WORDS)), lazy_gettext("Second word")),
}
START = {"first": 0, "second": 1}


def show(session: Session, state: PageState) -> None:
    """Draw two words in both orders: their mean, their concatenation, and the state after reading both."""
    m = draw_matrices(len(WORDS), *SIZES, generator(state["draw"], Purpose.DISPLAY), activation=session.settings.activation)
    first, second = state["first"], state["second"]
    both = analysis.in_both_orders(m, first, second, session.settings.activation)
    blocks(order_drawing(both, (WORDS[first], WORDS[second])), key="order")
    prices = {n: analysis.weights_before_the_hidden_layer(*SIZES, n) for n in (2, 10, 100)}
    cards(order_words(prices), key="order_words")
    elements.source("order", analysis.in_both_orders)
