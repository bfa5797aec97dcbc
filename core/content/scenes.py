"""All scenes, in the order of the two chapters: together they are the thread through the pages."""

from collections.abc import Mapping

from core.config.settings import Settings
from core.content.lessons import lesson
from core.content.scene import Done, Scene

_SAY = "you say goodbye and i say hello ."
_SMALL = {"network": "the small network"}
_MACHINE = _SMALL | {"text": "machine"}

CHAPTERS: dict[str, tuple[Scene, ...]] = {
    "Why a state": (
        Scene(
            "counting",
            "Counting does not scale",
            "recurrent_step",
            "A table counts what follows 2 characters. What does it cost to look at 5?",
            "Let everybody guess. Then read the left chart at n = 2 and at n = 5.",
            "One more character back makes the table V times as large, and most of it is never seen. A network does not grow.",
            place={"section": "why"},
            view="numbers_to_learn",
        ),
        Scene(
            "state",
            "What a hidden state adds",
            "recurrent_step",
            "We swap two characters. Which network notices?",
            "Press the last two characters of the row “as written” that can be pressed: they change places.",
            "Without a state the prediction does not move at all. With a state it moves: it also knows what came before.",
            Done("address", "pair=*"),
            place={"section": "networks"},
            update=300,
            seconds=20,
        ),
        Scene(
            "products",
            "Two products are one",
            "recurrent_step",
            "The step adds two products of matrices. Can one give the same numbers?",
            "Press “New numbers” a few times, and compare both ways.",
            "Put side by side, X and H are one matrix, and so are their weights: both ways agree in every cell.",
            Done("pressed", "New numbers"),
            place={"section": "products", "H": "3"},
            update=100,
        ),
    ),
    "Step by step": (
        Scene(
            "machine",
            "“machine”, step by step",
            "unrolled",
            "The network reads m, a, c, h, i, n. How can it still know about the m?",
            "Press play, and watch the state from step to step.",
            "The weights are the same at every step. Only the state changes: it carries the memory.",
            Done("address", "step="),
            place=_SMALL | {"step": "1"},
        ),
        Scene(
            "hello",
            "You say goodbye, I say hello",
            "unrolled",
            "“say” comes twice. Can the network know whether goodbye or hello follows?",
            "Press play: it pauses at each “say”. Read the most probable next words; then play goes on.",
            "At the first “say” goodbye and hello are close. At the second hello is ahead: the same word, another state.",
            Done("address", "step="),
            place=_SMALL | {"text": _SAY, "step": "1"},
            seconds=20,
        ),
    ),
    "Learning": (
        Scene(
            "learning",
            "From V past bigram and trigram",
            "training",
            lesson("Start here").question,
            "Press “Draw what you expect”, and draw it. Then press play: it pauses at each line that it passes.",
            "It begins near V: all characters seem equally likely. Then it passes the bigram line, and later the trigram line.",
            Done("below", "trigram"),
            lesson("Start here").settings.but(speed=30.0),
            seconds=40,
            holds=("unigram", "bigram", "trigram"),
        ),
        Scene(
            "branching",
            "Perplexity is branching",
            "perplexity",
            "One token among many gets probability 0. What is the perplexity of the text?",
            "Move a slider and watch the squares. Then press “worst: one is 0”.",
            "Perplexity says how many tokens seem equally likely. A single probability of 0 makes it infinite.",
            Done("pressed", "worst: one is 0"),
            place={"section": "number"},
        ),
        Scene(
            "continuations",
            "Which continuation is most likely?",
            "perplexity",
            "“It is raining outside” or “It is raining banana tree”: which one does the network find more probable?",
            "Press “per token”, then “by the whole”.",
            "By the whole, “in San Francisco” is far behind “banana tree”, for it is longer. Per token they are close.",
            Done("pressed", "per token"),
            place={"section": "continuations"},
            update=600,
        ),
        Scene(
            "lag",
            "Memory has an exact value",
            "training",
            lesson("Memory has an exact value").question,
            "Press play, and wait for the fall.",
            lesson("Memory has an exact value").look_for,
            Done("below", "1.25"),
            lesson("Memory has an exact value").settings,
            seconds=20,
        ),
    ),
    "Back through time": (
        Scene(
            "mirror",
            "Looking back along the gradient",
            "gradient_flow",
            "The last prediction has a loss. How much of its gradient reaches the first state?",
            "Press play, and follow the orange arrows to the first step.",
            "Going back, each step multiplies once more by φ' and W_hh. The gradient from distant losses fades.",
            Done("address", "step=1 back"),
            place=_MACHINE | {"step": "6 back", "losses": "last"},
        ),
        Scene(
            "vanishing",
            "Vanishes, still vanishes, explodes",
            "gradient_flow",
            "W_hh with spectral radius 0.5, 1.1, then 2: when does the gradient grow?",
            "Press “1.1”, then “2”. Read the factor per step of the bold line, “fresh”.",
            "At 0.5 it is gone in a few steps. At 1.1 it still fades, for φ' is at most 1. At 2 it grows.",
            Done("pressed", "2"),
            place=_MACHINE | {"section": "what_if", "radius": "0.5"},
            seconds=20,
        ),
        Scene(
            "cut",
            "The cut",
            "truncation",
            "Each block of 2 steps ends with scissors. How much of the gradient is lost?",
            "Drag “cut every τ =” to “full”.",
            "Forward, nothing is cut. Backward, short blocks drop most: the gradient points elsewhere. At “full” all is kept.",
            Done("address", "tau=none"),
            place=_MACHINE | {"tau": "2"},
        ),
        Scene(
            "reach",
            "τ must reach k",
            "truncation",
            "The answer lies 4 steps back. How long must the window be to learn it?",
            "Let everybody draw the curve they expect. Then press “Train”.",
            "Up to τ = 4 all dots stay at 2: a coin toss. From τ = 5 they follow the line down, and never go below it.",
            Done("read", "proof"),
            place={"section": "proof"},
            seconds=50,
        ),
        Scene(
            "price",
            "The price of forgetting",
            "training",
            lesson("The price of forgetting").question,
            "Press play.",
            lesson("The price of forgetting").look_for,
            Done("below", "1.45"),
            lesson("The price of forgetting").settings,
            seconds=20,
        ),
    ),
    "Limits": (
        Scene(
            "too_fast",
            "Too fast: divergence and clipping",
            "training",
            "ReLU, a large learning rate, no clipping. How many updates until it overflows?",
            "Press play, and wait until training stops. Then press “Clip at 1”.",
            "The numbers overflow within a few updates. With the gradient clipped to length 1, the same network learns.",
            Done("below", "bigram"),
            Settings(activation="relu", optimizer="sgd", learning_rate=1.0, clip_norm=0.0),
            seconds=30,
        ),
        Scene(
            "memorising",
            "Memorising 1000 words",
            "training",
            lesson("Deep Learning from Scratch 2, section 5.5").question,
            "Press play.",
            lesson("Deep Learning from Scratch 2, section 5.5").look_for,
            Done("below", "bigram"),
            lesson("Deep Learning from Scratch 2, section 5.5").settings,
            seconds=20,
        ),
        Scene(
            "beating",
            "Beating counting",
            "perplexity",
            "On the very text it was counted on: who is better, a table of pairs or the network?",
            "Press “Train both networks”, and wait for the first one.",
            "On 1 000 words it comes close to “bigram, not smoothed”. On its own text, a table is hard to beat.",
            Done("read", "1 000 words"),
            place={"section": "counting"},
            seconds=30,
            view="table_can_win",
        ),
    ),
}
SCENES: dict[str, Scene] = {scene.key: scene for scenes in CHAPTERS.values() for scene in scenes}


def beside(key: str, thread: Mapping[str, Scene] = SCENES) -> tuple[Scene | None, Scene | None]:
    """The scene of a thread before this one, and the one after it; None at its ends. ``ValueError`` for no scene of it."""
    keys = list(thread)
    at = keys.index(key)
    before, after = keys[at - 1 : at], keys[at + 1 : at + 2]
    return (thread[before[0]] if before else None), (thread[after[0]] if after else None)
