"""The four exercises of the first book's section 8.4.6, in our own words, each with a model answer and what to try."""

from typing import NamedTuple

from core.config.language import lazy_gettext

BOOK_SECTION = "8.4.6"


class BookExercise(NamedTuple):
    """A question; the points of a model answer, in which {V}, {N}, {T} and {n} = T·N·V are those of the reader's run; what to
    try; and keys of ``pages.content.places``."""

    question: str
    points: tuple[str, ...]
    tries: str
    places: tuple[str, ...]


EXERCISES = {
    "1": BookExercise(
        lazy_gettext("The network predicts the next token. How many outputs does it need at every step, and why?"),
        (
            lazy_gettext("One for each token of the vocabulary: V logits, in this run V = {V}."),
            lazy_gettext(
                "Softmax turns them into V probabilities with the sum 1. A token without an output could never be predicted."
            ),
            lazy_gettext(
                "N rows are read at once, so the output of a step is an N × V matrix, here {N} × {V}; "
                "a window of T = {T} steps gives {n} logits."
            ),
        ),
        lazy_gettext("Move T, N and V one after the other, and watch which of them changes the shape of W_hq."),
        ("shapes",),
    ),
    "2": BookExercise(
        lazy_gettext(
            "Why can its output at a step express the probability of a token given all tokens before, not only the last?"
        ),
        (
            lazy_gettext(
                "The output depends on h_t, which depends on x_t and h_{{t−1}}, which depends on x_{{t−1}} and h_{{t−2}}, …"
            ),
            lazy_gettext(
                "Unrolled, the output of step t is a function of x_1 … x_t, whatever t is, with the same weights: no order is "
                "fixed beforehand, as it is in a Markov model."
            ),
            lazy_gettext(
                "It is able to, not bound to: H numbers hold only so much of a long text, and training has to find what to keep."
            ),
        ),
        lazy_gettext("Replace the first letter of a text by another, and see whether the prediction at its end moves."),
        ("dependence", "unit"),
    ),
    "3": BookExercise(
        lazy_gettext("What happens to a gradient that goes back through a long text?"),
        (
            lazy_gettext("It is multiplied by a Jacobian at every step: by φ′ of every unit, and by W_hh transposed."),
            lazy_gettext(
                "So it shrinks or grows like a power: it vanishes, which is the rule with tanh, or it explodes, which clipping "
                "limits."
            ),
            lazy_gettext(
                "Time and memory grow with the length, too. Truncation cuts it after τ steps: what lies further back is "
                "not learnt."
            ),
        ),
        lazy_gettext("Press the spectral radii one after the other, and compare how much is left of the gradient."),
        ("what_if", "cut"),
    ),
    "4": BookExercise(
        lazy_gettext("Which problems does such a language model have?"),
        (
            lazy_gettext(
                "What lies far back is learnt badly: the gradient fades or is cut, and one state has to hold everything."
            ),
            lazy_gettext("A step needs the state before it, so the steps of a text cannot be computed at the same time."),
            lazy_gettext(
                "By characters a text is long and words have to be spelt; by words V is large, softmax is slow, and rare words "
                "are hardly ever seen."
            ),
            lazy_gettext(
                "It is trained on true text, but writes from its own output: a mistake leads it to where it has never been."
            ),
        ),
        lazy_gettext("See which counting model the network passes, and where a short τ can no longer learn the answer."),
        ("counting", "race", "writing"),
    ),
}
