"""The words for a prediction and its outcome."""

from core.config.language import gettext as _, lazy_gettext
from pages.app.session.answers import Predicted
from pages.content.predictions import Prediction
from pages.figures.parts.numbers import number

GUESSED = (lazy_gettext("Right."), lazy_gettext("Too low."), lazy_gettext("Too high."))
NO_VERDICT = lazy_gettext("A number is not finite, or a gradient is zero: nothing can be said.")


def said(prediction: Prediction, one: Predicted) -> str:
    """What was predicted, in the reader's language."""
    return _(prediction.options[int(one.chosen)]) if prediction.options else number(one.chosen)


def is_right(prediction: Prediction, one: Predicted) -> bool | None:
    """Whether it was right; None where nothing can be said."""
    if not one.outcome or one.outcome.right < 0:
        return None
    return one.outcome.right == (one.chosen if prediction.options else 0)


def verdict(prediction: Prediction, one: Predicted) -> list[str]:
    """Whether it was right, and the numbers that decide it; nothing before the outcome is there."""
    if not one.outcome:
        return []
    right, numbers = one.outcome
    if right < 0:
        return [_(NO_VERDICT)]
    if not prediction.options:
        first = _(GUESSED[right])
    elif right == one.chosen:
        first = _("Right.")
    else:
        first = _("It is otherwise: {answer}.", answer=_(prediction.options[right]))
    return [first, _(prediction.found, **{letter: number(value) for letter, value in zip("abc", numbers, strict=False)})]
