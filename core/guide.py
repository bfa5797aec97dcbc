"""What a reader who sits alone before a page can do there, and what they will then see: a hint for every section.

A hint is true of every run unless it says of which; what it calls by name, in “ ”, stands on its page in these very words.
"""

import re
from typing import NamedTuple

LONGEST = 110  # characters of each of the two: more is not read


class Hint(NamedTuple):
    """Something to do, and what it shows: one plain sentence or two each."""

    do: str
    notice: str

    @property
    def names(self) -> list[str]:
        """What it names: words on controls, and of what is read."""
        return re.findall("“([^”]+)”", f"{self.do} {self.notice}")


HINTS = {  # of every page, by its address; of every section or part, by the name that the page has for it
    "recurrent_step": {
        "why": Hint(
            "Read both charts at n = 2, then at n = 5.",
            "Each token further back makes the table V times as large. The network with a state keeps its size.",
        ),
        "order": Hint(
            "Press “New vectors” several times.",
            "The mean never tells the two orders apart, whatever the vectors are. The state can.",
        ),
        "networks": Hint(
            "Train for a while. Then press two different tokens of the row “as written”, to exchange them.",
            "Without a state the prediction does not move at all. With a state it moves.",
        ),
        "products": Hint(
            "Type another number into a cell of W_hh.",
            "One column of the result changes, the same in both ways: they stay equal.",
        ),
        "shapes": Hint(
            "Drag “T, time steps” to its right end.",
            "Nothing more is learnt: the weights are the same at every step. Only the states kept grow with T.",
        ),
        "back": Hint(
            "Set “N” to 1, then to 6.",
            "dW_hh, dW_xh and db_h keep their shapes: each is a sum over all N rows.",
        ),
    },
    "unrolled": {
        "picture": Hint(
            "Click the first column, then the last one, and read “memory” in the bar below the units.",
            "At step 1 its share is 0 %: there is nothing to remember yet. Later the past has a say.",
        ),
        "cell": Hint(
            "Click another column of the drawing above.",
            "Input and state are new at every step. The weights are the same ones.",
        ),
        "layers": Hint(
            "Click one column after another, from the left.",
            "Every step adds its loss to the sum. The loss of the text is their mean.",
        ),
        "product": Hint(
            "Go to step 1, then on to the end.",
            "The product never rises: no factor is above 1. So a longer text is never more probable.",
        ),
        "dependence": Hint(
            "Point at a cell above the diagonal, then at one below it.",
            "An input moves predictions at its own step and later. Earlier ones stay the same, to the last bit.",
        ),
        "unit": Hint(
            "Press one suggested unit after another, with a window of the text above.",
            "The same letter can have several colours: a state also knows what came before.",
        ),
    },
    "training": {
        "run": Hint(
            "While it trains, drag “Learning rate” to the right until the curve jumps. Then press undo.",
            "Too large steps spoil what was learnt. Undo takes the network back to before your move.",
        ),
        "overfitting": Hint(
            "Press “Beyond counting” and play to update 4000. Then start over with “Weight decay” off.",
            "Training windows at 2.6, held-out text at 3.4: that gap is overfitting. Without decay 3.4 is not reached.",
        ),
        "restarts": Hint(
            "After some training set “Hidden units” to 16, and train again.",
            "The old curve stays as a ghost: compare both runs at the same update.",
        ),
        "sweep": Hint(
            "Press “Train side by side” and watch the names at the ends of the curves change places.",
            "Too small a rate learns slowly, too large a rate stays high. The best one lies between.",
        ),
        "weights": Hint(
            "Press play, and watch the blue outlines leave the grey ones.",
            "At update 0 both are one. The standard deviations say how far learning has moved each matrix.",
        ),
        "counting": Hint(
            "Read “numbers stored” from the unigram down to the 5-gram, then for the network.",
            "Tables that look further back store more. The network stores the same for any n.",
        ),
        "take_home": Hint(
            "Press “Make a checkpoint”, download it, train on, and then open the file below.",
            "The run is back at the update of the file, with its curve, and goes on from there.",
        ),
    },
    "perplexity": {
        "surprise": Hint(
            "Click the letter below the highest bar.",
            "The bar is −ln p of this letter: high where the network gave it little probability.",
        ),
        "number": Hint(
            "Press “worst: one is 0”.",
            "A single probability of 0 makes the perplexity infinite, however good the others are.",
        ),
        "length": Hint(
            "Under “The product rule” press “you goodbye say”.",
            "The same three words in another order are far less probable.",
        ),
        "continuations": Hint(
            "Press “by the whole”, then “per token”.",
            "The whole punishes every further token. Per token, length no longer counts, and ranks may change.",
        ),
        "compression": Hint(
            "Train on, and watch the bar of “the network”.",
            "Better prediction is better compression: bits are the mean loss divided by ln 2.",
        ),
        "counting": Hint(
            "Press “Train both networks” and wait for the first one.",
            "It comes close to “bigram, not smoothed”: on the text it was counted on, a table is hard to beat.",
        ),
        "writing": Hint(
            "Drag “temperature” to the left end, press “Write”; then the same at the right end.",
            "Low: the most probable token, nearly always. High: all tokens alike, so noise.",
        ),
    },
    "gradient_flow": {
        "picture": Hint(
            "Point at a cell of the triangle, then at others to its left in the same row.",
            "It is the same loss, on earlier states. Every step back multiplies once more by φ' and W_hh.",
        ),
        "what_if": Hint(
            "Choose “tanh”. Press “1.1”, then “2”, and read “factor per step back” in the column “fresh”.",
            "At 1.1 the gradient still fades, for φ' is at most 1. At 2 it grows.",
        ),
        "shares": Hint(
            "Compare the two bars of the second step, then those of the last one.",
            "A loss gives to its own step and to earlier ones. Both kinds of bars add up to 100 %.",
        ),
        "jacobian": Hint(
            "Compare “W_hh: largest singular value” with “the last step: largest singular value”.",
            "The step never stretches more than W_hh alone, because φ' is at most 1.",
        ),
        "gradient_check": Hint(
            "Pick a strong cell. Then read the relative differences from large ε to small.",
            "They fall, then rise again: a large nudge bends with the loss, a tiny one drowns in rounding.",
        ),
        "history": Hint(
            "Train past update 100, then compare the lines.",
            "It is the same text each time: learning itself changes how fast a gradient fades.",
        ),
        "cost": Hint(
            "Press “Measure”.",
            "Time and memory grow in proportion: twice as many steps cost about twice as much.",
        ),
    },
    "truncation": {
        "cut": Hint(
            "Drag “cut every τ =” from 1 to “full”.",
            "At “full” nothing is dropped, and the cosine is 1. With short blocks the direction suffers.",
        ),
        "data": Hint(
            "Play the updates “in order”, then “shuffled”.",
            "In order, a row goes on where it had stopped, so its state fits. Shuffled, it does not.",
        ),
        "proof": Hint(
            "Press “Train” and wait for some dots.",
            "Up to τ = k they stay at 2: nothing can be learnt. From τ = k + 1 they follow the line down.",
        ),
        "race": Hint(
            "Press “Train side by side”. Then let “W_hh at first” be a rotation, learning or fixed, and race again.",
            "One step short stays at 2, until the state remembers what no gradient asked for. Fixed, it does so untaught.",
        ),
    },
}
