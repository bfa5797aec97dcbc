"""Hints for readers without a lecturer: an action on a page, and the result to notice.

A hint is true of every run unless it names a run. Words in “ ” are labels on its page. Hints of sections are in the page's
``sections.py``.
"""

from functools import reduce
from typing import NamedTuple

from core.config.language import gettext as _, lazy_gettext

SHORT_TITLES = (lazy_gettext("D2L"), lazy_gettext("Scratch 2,"))  # the sources: abbreviated, and below with their titles
LONG = (lazy_gettext("Dive into Deep Learning (before 1.0),"), lazy_gettext("Deep Learning from Scratch 2,"))


class Hint(NamedTuple):
    """An action and its result: one or two plain sentences each.

    ``first`` and ``second`` are the numbers of the sections and figures that show the same in the first and in the second source;
    "" if there are none.
    """

    do: str
    notice: str
    first: str = ""
    second: str = ""

    def sources(self, titles: tuple[str, str]) -> str:
        """References to the sources: "D2L 8.4.2; Scratch 2, 5.3.1"."""
        numbers = [(_(title), number) for title, number in zip(titles, (self.first, self.second), strict=True) if number]
        named = [_("{source} {numbers}", source=title, numbers=_in_words(number)) for title, number in numbers]
        return _("{one}; {other}", one=named[0], other=named[1]) if len(named) > 1 else "".join(named)


def _in_words(numbers: str) -> str:
    """Numbers of sections and figures in the reader's language: "8.4.2, Fig. 8.4.1"."""
    figures = [_("Fig. {number}", number=one[5:]) if one.startswith("Fig. ") else one for one in numbers.split(", ")]
    return reduce(lambda before, after: _("{before}, {after}", before=before, after=after), figures)


HINTS = {  # of the parts of pages that are not sections, by page and by part
    "unrolled": {
        "picture": Hint(
            "Click the first column, then the last one, and read “memory” in the bar below the units.",
            "At step 1 its share is 0 %: there is nothing to remember yet. Later the earlier steps contribute.",
            first="8.4.2, Fig. 8.4.1",
            second="5.2.2",
        ),
        "cell": Hint(
            "Click another column of the drawing above.",
            "Input and state are new at every step. The weights are the same ones.",
            first="8.4.2, Fig. 8.4.1",
            second="5.3.1",
        ),
        "layers": Hint(
            "Click one column after another, from the left.",
            "Every step adds its loss to the sum. The loss of the text is their mean.",
            first="8.4.3",
            second="5.3.2, 5.4",
        ),
        "product": Hint(
            "Go to step 1, then on to the end.",
            "The product never rises, for no factor is above 1: a longer text is never more probable.",
            first="8.3.1",
            second="5.1.2",
        ),
        "dependence": Hint(
            "Point at a cell above the diagonal, or tap it, then at one below it.",
            "An input moves predictions at its own step and later. Earlier ones stay the same, to the last bit.",
            first="8.7.2",
        ),
        "unit": Hint(
            "Press one suggested unit after another, with a window of the text above.",
            "The same letter can have several colours: a state also knows what came before.",
        ),
        "replacement": Hint(
            "Press a letter of the text, then choose another one for it. Then choose the text that begins with a quotation mark, "
            "at the top of the page, and replace that mark by a bracket.",
            "What a letter leaves behind fades with every step, in the states and in the predictions. Training lets it last "
            "where it is needed: the bracket is closed by a bracket.",
            first="8.7.1",
            second="6.1",
        ),
    },
    "training": {
        "run": Hint(
            "While it trains, drag “Learning rate” to the right until the curve jumps. Then press undo.",
            "Steps that are too large destroy what was learnt. Undo restores the network as it was before your move.",
            first="8.5.6",
            second="5.5.3",
        ),
        "overfitting": Hint(
            "Press “Beyond counting” and play to update 4000. Then start over with “Weight decay” off.",
            "Training windows at 2.6, held-out text at 3.4: that gap is overfitting. Without decay 3.4 is not reached.",
            first="4.4, 4.5",
        ),
        "restarts": Hint(
            "After some training set “Hidden units” to 16, and train again.",
            "The old curve stays as a ghost: compare both runs at the same update.",
        ),
        "sweep": Hint(
            "Press “Train side by side” and watch the order of the names at the ends of the curves change.",
            "Too small a rate learns slowly, too large a rate stays high. The best one lies between.",
        ),
        "weights": Hint(
            "Press play, and watch the blue outlines leave the grey ones.",
            "At update 0 the two coincide. The standard deviations show how far learning has moved each matrix.",
            first="4.8.2, 8.5.2",
            second="5.5.1",
        ),
        "counting": Hint(
            "Read “numbers stored” from the unigram down to the 5-gram, and then for the network.",
            "Tables that look further back store more. The network stores the same for any n.",
            first="8.3.2",
        ),
        "run_files": Hint(
            "Press “Make a checkpoint”, download it, train on, and then open the file below.",
            "The run is back at the update of the file, with its curve, and goes on from there.",
        ),
    },
    "gradient_flow": {
        "picture": Hint(
            "Point at a cell of the triangle, or tap it, then at others to its left in the same row.",
            "It is the same loss, on earlier states. Every step back multiplies once more by φ' and W_hh.",
            first="8.7.2",
            second="5.2.3",
        ),
    },
}

PRESET_HINTS = {  # by preset: hints that replace "overfitting"
    "Deep Learning from Scratch 2, section 5.5": Hint(
        "Press play: training stops after epoch 100, the last one that the book prints.",
        "Beside each diamond stands what the book prints, too: the mean of that epoch's windows, each before its update. The "
        "large number is the network as it is now, on the text named above it. The book's text is another one, so the "
        "numbers differ.",
        second="5.5.3",
    ),
}
