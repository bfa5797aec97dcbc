"""All scenes, in the order of the chapters of the two sources. The scene bar links each scene to the next."""

from collections.abc import Mapping

from core.config.language import lazy_gettext
from core.config.settings import Settings
from pages.content.lessons import lesson
from pages.content.scene import Done, Scene

_SAY = "you say goodbye and i say hello ."
_SMALL = {"network": "the small network"}
_MACHINE = _SMALL | {"text": "machine"}

CHAPTERS: dict[str, tuple[Scene, ...]] = {
    lazy_gettext("Why a state"): (
        Scene(
            "counting",
            "Counting does not scale",
            "recurrent_step",
            "A table for n = 2 counts pairs of characters. What does a table for n = 6 cost?",
            "Guess first. Then press “What is there to notice?”, and read both charts at n = 6.",
            "One more character: the table is V times larger, and misses more of the text. A network with a state does not grow.",
            place={"section": "why"},
            why=(
                "This text has {V} different characters. A table for n = 2 counts {V}² pairs of them.",
                "For n = 6 it is {V}⁶ ≈ {cells} counts: one for every six characters that can stand in a row.",
                "Only {tokens} characters are there to fill the {V}⁶ counts: {share} of the 6-grams of the held-out text were "
                "never seen.",
                "A network with a state has {weights} weights, not {V}⁶: the same ones read one character after another.",
            ),
            recap="Six characters in a row: a table of {cells} counts",
            view="numbers_to_learn",
            minutes=3,
        ),
        Scene(
            "state",
            "What a hidden state adds",
            "recurrent_step",
            "We swap two characters. Which network notices?",
            "Press the last two characters of the row “as written” that can be pressed: they are swapped.",
            "Without a state the prediction does not move. With a state it moves: the network also knows what came before.",
            Done("address", "pair=*"),
            presses=("swap",),
            place={"section": "networks", "draw": "7"},
            why=(
                "Without a state the network sees the last character alone, “{last}”: p(“{next}”) is {p}.",
                "Swapped or not, “{last}” is the last one: the same x, so the same h = φ(x W_xh + b_h). p(“{next}”) stays "
                "{same}, it was {p}.",
                "With a state, h W_hh of the step before is added, and the swap has changed that h: p(“{next}”) goes from "
                "{before} to {after}; without one {p} stays {same}.",
            ),
            recap="With a state the swap moves p(“{next}”) to {after}, without one it does not",
            update=300,
            minutes=4,
        ),
        Scene(
            "products",
            "Two products are one",
            "recurrent_step",
            "A step adds two matrix products. Can one product give the same numbers?",
            "Press “One product”, and compare the results. Then “New numbers”.",
            "X and H side by side are one matrix, their weights stacked another: both ways agree in every cell.",
            Done("pressed", "One product"),
            presses=("One product", "New numbers"),
            place={"section": "products", "H": "3"},
            why=(
                "Take the outlined cell. X W_xh gives it {a}.",
                "H W_hh adds its own part: {a} {b} = {sum}.",
                "The one product sums the same pairs of numbers: {a} from X, then those of H. Again {one}.",
            ),
            recap="Two products or one of [X, H]: the same {sum}",
            update=100,
            minutes=3,
        ),
    ),
    lazy_gettext("Step by step"): (
        Scene(
            "machine",
            "“machine”, step by step",
            "unrolled",
            "The network reads m, a, c, h, i, n. How can it still know about the m?",
            "Press play, and watch the state from step to step.",
            "The weights are the same at every step. The state changes with each character: it is the memory.",
            Done("address", "step="),
            why=(
                "Put “{letter}” in place of the “{first}”: the first state moves by {d1}, the length of the difference.",
                "W_hh hands the difference on from state to state. After {T} letters {last} of {d1} is left.",
                "That {last} reaches the prediction: p(“{target}”) is {q} instead of {p}. So much is still known of the "
                "“{first}”.",
                "Another network, another text: after {quoted} it closes with {sign} at p = {closed}. Opened by {open} instead, "
                "only at {not_closed}.",
            ),
            recap="After {T} letters {last} of what the first one moved is left",
            why_view="letter_left",
            place=_SMALL | {"step": "1"},
            minutes=3,
        ),
        Scene(
            "hello",
            "You say goodbye, I say hello",
            "unrolled",
            "“say” comes twice. Can the network know whether goodbye or hello follows?",
            "Press play: it pauses at each “say”. Read the most probable next words; then play goes on.",
            "At the first “say” goodbye and hello are close. At the second hello is ahead: the same word, another state.",
            Done("address", "step="),
            why=(
                "At the first “say”, p(“hello”) is {first}. The state before it has read “you”.",
                "At the second “say” the same row of W_xh is added, but the state has read all up to “i”: {second} instead of "
                "{first}.",
                "Proof: set that state to zero before the second “say”, and p(“hello”) is {alone}, not {second}. The rest came "
                "through W_hh.",
            ),
            recap="The same word, another state: p(“hello”) is {first}, then {second}",
            place=_SMALL | {"text": _SAY, "step": "1"},
            minutes=4,
        ),
    ),
    lazy_gettext("Learning"): (
        Scene(
            "learning",
            "From V past bigram and trigram",
            "training",
            lesson("Start here").question,
            "Press “Draw what you expect”, and draw it. Then press play: it pauses at each line that it passes.",
            "The curve begins near V: all characters seem equally likely. It passes unigram, bigram, then trigram; the 4-gram "
            "only after some thousands of updates.",
            Done("below", "trigram"),
            lesson("Start here").settings.but(speed=30.0),
            why=(
                "Untrained, all {V} characters are equally likely. How frequent each one is brings {unigram}: passed at update "
                "{first}.",
                "What follows a character brings {bigram}: passed at update {second}. No unigram, {unigram}, can know that.",
                "The best table looks further back and has {best}, below {bigram}: to pass it the network, {now} at update {at}, "
                "has to remember as much.",
            ),
            recap="The network passed the bigrams at update {second}",
            holds=("unigram", "bigram", "trigram"),
            minutes=6,
        ),
        Scene(
            "branching",
            "Perplexity is branching",
            "perplexity",
            "One token among many gets probability 0. What is the perplexity of the text?",
            "Move a slider and watch the squares. Then press “worst: one is 0”.",
            "Perplexity says how many tokens seem equally likely. A single probability of 0 makes it infinite.",
            Done("pressed", "worst: one is 0"),
            presses=("worst: one is 0",),
            why=(
                "p = {p} and {q}: as if choosing among 1/{p} = {one}, and among 1/{q} = {other}.",
                "Choices multiply, so their mean does: √({one} · {other}) = {mean}, not {wrong}.",
                "A third token with p = 0: 1/0 = ∞, and ({one} · {other} · ∞)^(1/3) = ∞, whatever the others are.",
            ),
            recap="Two choices, {one} and {other}: as if among {mean}",
            place={"section": "number"},
            minutes=4,
        ),
        Scene(
            "continuations",
            "Which continuation is most likely?",
            "perplexity",
            "Is “It is raining outside” more probable than “It is raining banana tree”?",
            "Press “per token”, then “by the whole”.",
            "Yes. “in San Francisco” is longer than “outside”: far behind it by the whole, closer to it per token.",
            Done("pressed", "per token"),
            presses=("per token", "by the whole"),
            why=(
                "“outside”: {n} characters, with the space. Each multiplies the probability once more, −ln p adds up to {nats}: "
                "{chance}.",
                "“banana tree” adds up to {odd}, {gap} more than {nats}: its probability is e^−{gap} of that: {odds}.",
                "Every further character costs something: “in San Francisco” adds up to {nats2}. Per character {nats} / {n} = "
                "{mean} and {nats2} / {n2} = {mean2}: perplexity takes the mean.",
            ),
            recap="A longer text costs more in all: {nats2} nats (per character {mean2})",
            place={"section": "continuations"},
            update=600,
            minutes=3,
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
            why=(
                "A bit that repeats, p = {keep}, costs −ln {keep} = {sure} nats.",
                "One that does not, p = {noise}, costs −ln {noise} = {miss}. On average {keep} · {sure} + {noise} · {miss} = "
                "{mean}.",
                "exp {mean} = {floor}. Which bits are the exceptions is a toss of its own: nobody pays less than {mean} on "
                "average.",
            ),
            recap="With 5 % noise nobody gets below {floor}",
            why_view="reason_picture",
            minutes=3,
            notes="Untrained it is not exactly at 2, for its first weights are random: seeds 0 to 5 begin between 1.9 and 3.7.",
        ),
    ),
    lazy_gettext("Back through time"): (
        Scene(
            "mirror",
            "Looking back along the gradient",
            "gradient_flow",
            "The last loss: how many per cent of its gradient reach the first state?",
            "Press play, and follow the orange arrows to the first step.",
            "Each step back multiplies what is left by two factors, that of φ' and that of W_hh: below the arrows.",
            Done("address", "step=1 back"),
            why=(
                "At the last state the gradient of the last loss has its full length: {all} %.",
                "One step back: times {slope}, for φ', times {weights}, for W_hh: {one} % of the {all} % are left, then {two} %.",
                "And so on: {rest} %. {steps} times about {factor} makes {end} % of the {all} %.",
            ),
            recap="{end} % of the last loss's gradient reaches the first state",
            place=_MACHINE | {"step": "6 back", "losses": "last"},
            minutes=3,
        ),
        Scene(
            "vanishing",
            "Vanishes, still vanishes, explodes",
            "gradient_flow",
            "W_hh with spectral radius 0.5, 1.05, then 2: when does the gradient grow?",
            "Press “1.05”, then “2”. Read the factor per step of each line.",
            "At 0.5 it is gone in a few steps. At 1.05 it still fades, with all six seeds: φ' is below 1. At 2 it grows.",
            Done("pressed", "2"),
            presses=("1.05", "2"),
            why=(
                "Each step back multiplies by W_hh: alone, by about {radius}, the spectral radius.",
                "It also multiplies by φ' = 1 − h², which is never above 1: on average {slope} at radius {radius}.",
                "Together, measured: {factor} per step, less than {radius}. Above 1 it explodes, below 1 it vanishes.",
            ),
            recap="Spectral radius {radius}: a factor of {factor} per step back",
            place=_MACHINE | {"section": "what_if", "radius": "0.5"},
            minutes=4,
        ),
        Scene(
            "cut",
            "The cut",
            "truncation",
            "Each block of 2 steps ends with scissors. How much of the gradient is lost?",
            "Drag “cut every τ =” to “full”, stop by stop.",
            "Forward nothing is cut. Backward, what crosses a cut is lost: more with shorter blocks, nothing at “full”.",
            Done("address", "tau=none"),
            presses=("tau",),
            why=(
                "Every loss gives W_hh a term at each step up to its own: {all} terms in all.",
                "Cut every {tau}, {kept} of the {all} are left: those that stay within a block. The far ones are lost.",
                "So dW_hh from {kept} of {all} terms misses the whole by {lost} of its length: it points {angle} away, and is "
                "{length} as long.",
            ),
            recap="Cut every {tau}: {kept} of {all} terms are left",
            why_view="dropped_at_first",
            place=_MACHINE | {"tau": "2"},
            minutes=4,
        ),
        Scene(
            "reach",
            "τ must exceed k",
            "truncation",
            "The answer lies 4 steps back, and every window resets the state. How long must it be to learn it?",
            "Sketch the curve that you expect. Press “Train”; then hand the state on: “carried”.",
            "Reset: a coin toss up to τ = 4, then the line. Carried: from τ = 5 solved; below, the state alone keeps little.",
            Done("read", "proof"),
            presses=("Train", "carried"),
            why=(
                "With the state reset, every window begins with zeros: the answers to its first {k} steps were read before it.",
                "A window of {k} has only coin tosses: perplexity 2, up to τ = {k}.",
                "With τ = {tau} one answer lies inside: {k} tosses in {tau}, 2^({k}/{tau}) = {bound}. With τ = {twice} half of "
                "them do: 2^({k}/{twice}) = {half}.",
                "Carried, the state may bring the bit along. But up to τ = {k} the gradient is cut before the step that read it: "
                "nothing teaches the state to keep it.",
            ),
            recap="The answer {k} back: windows of {tau} reach {bound}",
            why_view="reason_picture",
            place={"section": "proof"},
            minutes=5,
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
            why=(
                "A window has {T} steps. The answers to its first {k} were read before the reset.",
                "So {k} of {T} are coin tosses: 2 choices each. The other {sure} can be known: 1 choice each.",
                "Choices multiply: {k} of {T} twos make 2^({k}/{T}) = √(2 · 1) = {bound}.",
            ),
            recap="Reset every {T} steps: never below {bound}",
            why_view="reason_picture",
            minutes=2,
        ),
    ),
    lazy_gettext("Limits"): (
        Scene(
            "too_fast",
            "Too fast: divergence and clipping",
            "training",
            "ReLU, a large learning rate, no clipping. How many updates until it overflows?",
            "Press play, and wait until training stops. Then press “Clip at 1”.",
            "The numbers overflow within {failed} updates. Clipped to norm 1, the same network learns.",
            Done("below", "bigram"),
            Settings(activation="relu", optimizer="sgd", learning_rate=1.0, clip_norm=0.0),
            presses=("remedy clip",),
            why=(
                "ReLU does not bound the state, and W_hh has spectral radius {radius}: the state grows from step to step, and "
                "the gradient with it. Its norm: {before} at update {earlier}, {last} at update {at}.",
                "Without a clip the step is rate times norm: {rate} · {last}. It leaves W_hh with radius {wider} in place of "
                "{radius}, and update {failed} overflows.",
                "Clipped to norm 1, the step has length {rate}, not {rate} · {last}: the direction stays, the leap does not.",
            ),
            recap="Not clipped, it overflows at update {failed}",
            why_view="reason_picture",
            minutes=3,
        ),
        Scene(
            "memorising",
            "Memorising 1000 words",
            "training",
            lesson("Deep Learning from Scratch 2, section 5.5").question,
            "Press play.",
            "It knows its text by heart: of most words there it guesses the next one. On the text that follows, its perplexity "
            "is far higher, even on words that it knows.",
            Done("below", "bigram"),
            lesson("Deep Learning from Scratch 2, section 5.5").settings,
            why=(
                "{weights} weights for {n} words: room enough to store which word follows which.",
                "The mean of epoch {epoch}, each window before its update, is {mean}. The network of update {at} has {now}, on "
                "the same {n} words.",
                "{book} is what the book prints for epoch {last}, also a mean while it learns: of its kind is {mean}, not {now}.",
            ),
            recap="{n} words, read again and again: perplexity {now} at update {at}",
            minutes=3,
        ),
        Scene(
            "beating",
            "Beating counting",
            "perplexity",
            "100 passes over 1 000 words: is the table of pairs better, or the network?",
            "Press “Train for 100 passes”. Then press “Train on”, to 200.",
            "After 100 passes the table is just ahead. Then the network passes it: it stores more than pairs of its text.",
            Done("read", "1 000 words"),
            presses=("Train for 100 passes", "Train on"),
            why=(
                "The table has counted every pair of these {n} words: perplexity {table} on the very text it was counted on.",
                "The network has {weights} weights, more than words: at update {at} it has {network} by storing them. The table "
                "has {table}.",
                "A word can be followed by several words: {table} is all that a table of pairs can know. A state can know more "
                "than the last word.",
            ),
            recap="On its own words: the table {table}, the network {network}",
            place={"section": "counting"},
            view="table_can_win",
            minutes=4,
        ),
    ),
}
SCENES: dict[str, Scene] = {scene.key: scene for scenes in CHAPTERS.values() for scene in scenes}


def neighbours(key: str, scenes: Mapping[str, Scene] = SCENES) -> tuple[Scene | None, Scene | None]:
    """The scenes before and after this one; None at the ends. ``ValueError`` for a key that is not in ``scenes``."""
    at = list(scenes).index(key)
    before, _scene, after = [None, *scenes.values(), None][at : at + 3]
    return before, after
