"""The predictions about the live run: questions, their answers, what decides them, and why."""

from typing import NamedTuple

from core.config.language import lazy_gettext


class Prediction(NamedTuple):
    """A question with the run's own numbers in it; the words of its answers, none if a number is to be typed; the sentence with
    the numbers of the outcome, from {a} on; why it is so; and a key of ``pages.content.places``.

    ``trains``: whether the outcome comes after ``core.training.experiments.predictions.UPDATES`` more updates.
    """

    question: str
    options: tuple[str, ...]
    found: str
    why: str
    place: str
    trains: bool = False


PREDICTIONS = {
    "line": Prediction(
        lazy_gettext(
            "The judged perplexity is {now}; the unigram has {unigram}, the bigram {bigram}. Where is it {n} updates later?"
        ),
        (lazy_gettext("above the unigram"), lazy_gettext("between both"), lazy_gettext("below the bigram")),
        lazy_gettext("Perplexity {a}; unigram {b}, bigram {c}."),
        lazy_gettext(
            "A network first learns how frequent every token is, which is all that the unigram knows. To come near the bigram it "
            "has to use the token before, and to pass it, its state: that comes later."
        ),
        "counting",
        trains=True,
    ),
    "guess": Prediction(
        lazy_gettext("The judged perplexity is {now}. What is it {n} updates later? Within ten per cent is right."),
        (),
        lazy_gettext("You said {a}; it is {b}."),
        lazy_gettext(
            "On most texts the curve falls steeply at first, then slowly; on a task such as echo it stays flat until the answer "
            "is found. An untrained network with small outputs begins near V."
        ),
        "training",
        trains=True,
    ),
    "truncation": Prediction(
        lazy_gettext("The gradient of the next window is cut after τ = {tau} steps. What happens to its norm with τ = {half}?"),
        (lazy_gettext("it gets smaller"), lazy_gettext("it stays, within 5 %"), lazy_gettext("it gets larger")),
        lazy_gettext("The norm is {a} with the τ of the run, and {b} with half of it."),
        lazy_gettext(
            "The cut removes addends from sums. What it removes is little where gradients fade within a few steps anyway; and as "
            "addends may cancel each other, the norm can also grow."
        ),
        "race",
    ),
    "state": Prediction(
        lazy_gettext("The next window is read from zeros in place of the carried state. What happens to its perplexity?"),
        (lazy_gettext("it gets lower"), lazy_gettext("it stays, within 1 %"), lazy_gettext("it gets higher")),
        lazy_gettext("The perplexity of the window is {a} with the carried state, and {b} from zeros."),
        lazy_gettext(
            "Only the first steps of a window miss what was before. A network that has not yet learnt to use its state loses "
            "little; the longer the window, the less its beginning counts."
        ),
        "data",
    ),
    "back": Prediction(
        lazy_gettext("How much of the gradient of the last loss of the next window is left {back} steps further back?"),
        (lazy_gettext("more than half"), lazy_gettext("between a half and a hundredth"), lazy_gettext("less than a hundredth")),
        lazy_gettext("Its norm is {a} at its own state and {b} there: a share of {c}."),
        lazy_gettext(
            "Every step multiplies it by a Jacobian: φ′ of every unit, and W_hh. How fast it fades depends on both, and both "
            "change in training."
        ),
        "flow",
    ),
    "rate": Prediction(
        lazy_gettext(
            "The next update is done with a learning rate of {rate} in place of {usual}. What happens to the loss of its window?"
        ),
        (
            lazy_gettext("it falls further"),
            lazy_gettext("it falls less"),
            lazy_gettext("it rises"),
        ),
        lazy_gettext("Perplexity of the window: {a} before the update, {b} after it, {c} after the larger one."),
        lazy_gettext(
            "A gradient is a direction for a small step. A step ten times as long often goes too far; early, while everything "
            "still points the same way, it may help."
        ),
        "settings",
    ),
}
