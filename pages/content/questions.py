"""The question that a hall answers in each scene. Every wrong answer is a known misunderstanding."""

from core.config.language import lazy_gettext
from pages.content.question import Choice, Curve, Guess, Number, Question, Wrong

DRAW = lazy_gettext("Draw the perplexity that you expect.")
FIRST = Choice(
    lazy_gettext("at V: all tokens seem equally likely"),
    (
        Wrong(
            lazy_gettext("at 1: it has made no mistake yet"),
            lazy_gettext("That perplexity counts mistakes: it is 1 only for a network that is sure, and right."),
        ),
        Wrong(
            lazy_gettext("at infinity: it knows nothing"),
            lazy_gettext("That knowing nothing is infinitely bad: guessing evenly among V tokens is no worse than V."),
        ),
        Wrong(
            lazy_gettext("at the unigram line: it knows how frequent tokens are"),
            lazy_gettext("That frequencies are known beforehand: they are the first thing that is learnt."),
        ),
    ),
    lazy_gettext("Where does the curve begin, before any training?"),
)
HALL_QUESTIONS: dict[str, Question] = {
    "counting": Number(
        1,
        1e12,
        "table",
        (
            Guess(3, lazy_gettext("That the table grows with n: it multiplies by V with each character more.")),
            Guess(4e2, lazy_gettext("That four characters more make it 4 · 100 times as large: each of them multiplies by 100.")),
            Guess(1e12, lazy_gettext("All counts of the table for n = 6, not how many times as many as for n = 2.")),
        ),
        log=True,
        question=lazy_gettext(
            "A table for n = 2 counts pairs of about a hundred characters. How many times as large is it for n = 6?"
        ),
    ),
    "state": Choice(
        lazy_gettext("only the one with a state"),
        (
            Wrong(
                lazy_gettext("only the one without a state"),
                lazy_gettext("That a state blurs the order: it is computed from one character after the other."),
            ),
            Wrong(
                lazy_gettext("both"),
                lazy_gettext("That every network sees all characters: without a state, it sees the present one alone."),
            ),
            Wrong(
                lazy_gettext("neither"),
                lazy_gettext("That it counts only which characters were read, and not in which order."),
            ),
        ),
        lazy_gettext("We swap two characters before the last one. Which network then predicts otherwise?"),
    ),
    "products": Choice(
        lazy_gettext("yes, in every cell"),
        (
            Wrong(
                lazy_gettext("only if X and H are equally wide"),
                lazy_gettext("That only equal shapes can be joined: side by side, only the numbers of rows must agree."),
            ),
            Wrong(
                lazy_gettext("only roughly"),
                lazy_gettext("That one product is an approximation of two: it adds the same terms."),
            ),
            Wrong(
                lazy_gettext("no: two products have more weights"),
                lazy_gettext("That weights are lost: the stacked matrix has the rows of both."),
            ),
        ),
    ),
    "machine": Choice(
        lazy_gettext("the m changed the state, and each state the next one"),
        (
            Wrong(
                lazy_gettext("its input is all characters so far"),
                lazy_gettext("That the input grows, as the table of an n-gram does: a step reads one character."),
            ),
            Wrong(
                lazy_gettext("reading the m changed its weights"),
                lazy_gettext("That reading is training: the weights are the same at every step."),
            ),
            Wrong(
                lazy_gettext("it cannot: the state is of the last character"),
                lazy_gettext("That the state is overwritten: the last state is part of the next one."),
            ),
        ),
    ),
    "hello": Choice(
        lazy_gettext("yes: its state is another at the second “say”"),
        (
            Wrong(
                lazy_gettext("no: the same word gives the same prediction"),
                lazy_gettext("That the prediction depends on the input alone."),
            ),
            Wrong(
                lazy_gettext("yes: each position has weights of its own"),
                lazy_gettext("That unrolling makes new weights: all steps share one set."),
            ),
            Wrong(
                lazy_gettext("only how often each of them follows “say”"),
                lazy_gettext("That a network learns the counts of pairs and no more."),
            ),
        ),
    ),
    "learning": Curve(1000, FIRST, question=DRAW),
    "branching": Choice(
        lazy_gettext("infinite"),
        (
            Wrong(
                "0",
                lazy_gettext("That perplexity is a probability: it is one over their geometric mean."),
            ),
            Wrong(
                lazy_gettext("a little higher than without it"),
                lazy_gettext("That one token among many hardly counts: the logarithm of 0 outweighs any number of others."),
            ),
            Wrong(
                lazy_gettext("V, as for guessing"),
                lazy_gettext("That guessing is the worst: being sure and wrong is worse."),
            ),
        ),
    ),
    "continuations": Choice(
        lazy_gettext("“outside” as a whole; per token too, but by less"),
        (
            Wrong(
                lazy_gettext("“in San Francisco” both ways: it says more"),
                lazy_gettext("That more detail is more probable: each token multiplies by at most 1."),
            ),
            Wrong(
                lazy_gettext("“outside” as a whole; per token “in San Francisco”"),
                lazy_gettext("That the mean turns it round: it only takes away what length alone costs."),
            ),
            Wrong(
                lazy_gettext("“outside” both ways, by the same factor"),
                lazy_gettext("That length does not matter: by the whole, a longer text has more factors."),
            ),
        ),
        lazy_gettext("“It is raining” … “outside” or “in San Francisco”: which is more probable, as a whole and per token?"),
    ),
    "lag": Number(
        1,
        2.2,
        "floor",
        (
            Guess(1, lazy_gettext("That what nearly always holds leaves nothing open: one bit in twenty does not follow.")),
            Guess(1.05, lazy_gettext("One over 0.95: the surprise at the other 5 % counts, too, and is larger.")),
            Guess(1.9, lazy_gettext("95 % of 2: perplexity is no share of the choices, but a mean over all predictions.")),
            Guess(2, lazy_gettext("That a bit is always a coin toss: here one of the two is far more probable.")),
        ),
    ),
    "mirror": Choice(
        lazy_gettext("a few per cent: each step multiplies it by φ' and W_hh"),
        (
            Wrong(
                lazy_gettext("100 %: it is passed back as it is"),
                lazy_gettext("That the way back only copies: it multiplies at each step."),
            ),
            Wrong(
                lazy_gettext("17 %: the six steps share it"),
                lazy_gettext("That steps divide the gradient among them: each one passes a product on."),
            ),
            Wrong(
                lazy_gettext("0 %: the last prediction does not read the first state"),
                lazy_gettext("That only the last state is a cause: the first one is in it, through all states between."),
            ),
        ),
    ),
    "vanishing": Choice(
        lazy_gettext("only at 2"),
        (
            Wrong(
                lazy_gettext("at 1.05 and at 2"),
                lazy_gettext("That a radius above 1 is enough: φ' is a factor, too, and below 1."),
            ),
            Wrong(
                lazy_gettext("at none: tanh keeps it small"),
                lazy_gettext("That bounded states have bounded gradients: the slope is multiplied, not the state."),
            ),
            Wrong(
                lazy_gettext("at all three: every step adds to it"),
                lazy_gettext("That a gradient adds up along one path: along a path it is multiplied."),
            ),
        ),
    ),
    "cut": Choice(
        lazy_gettext("what a loss would send into earlier blocks"),
        (
            Wrong(
                lazy_gettext("nothing: the state crosses every cut"),
                lazy_gettext("That what is carried forward is also carried back: the state is, its gradient is not."),
            ),
            Wrong(
                lazy_gettext("everything but the last block’s"),
                lazy_gettext("That there is one loss, at the end: every block has losses of its own."),
            ),
            Wrong(
                lazy_gettext("half of it, whatever the network"),
                lazy_gettext("That cuts take a fixed share: it depends on how much reaches back that far."),
            ),
        ),
        lazy_gettext("Each block of 2 steps ends with scissors. Which part of the gradient is lost?"),
    ),
    "reach": Choice(
        "τ = 5",
        (
            Wrong(
                "τ = 4",
                lazy_gettext("Posts and gaps: an input four steps back and the step of the loss are five steps."),
            ),
            Wrong(
                lazy_gettext("any τ, if it trains for long"),
                lazy_gettext("That time makes up for it: in a shorter window an answer and what it repeats never meet."),
            ),
            Wrong(
                lazy_gettext("τ = 8: there and back"),
                lazy_gettext("That the way forward needs steps of its own: both ways go through the same ones."),
            ),
        ),
        lazy_gettext("The answer lies 4 steps back, and every window resets the state. How long must a window be to learn it?"),
    ),
    "price": Choice(
        "1.41",
        (
            Wrong(
                "1.5",
                lazy_gettext("The mean of 1 and 2: the mean is of logarithms, so it is the geometric one."),
            ),
            Wrong(
                "1",
                lazy_gettext("That four is less than eight: the answers of the first half of a window are before the reset."),
            ),
            Wrong(
                "2",
                lazy_gettext("That a reset forgets everything: the answers of the second half are after it."),
            ),
        ),
    ),
    "too_fast": Number(
        1,
        729,
        "overflow",
        (
            Guess(1, lazy_gettext("That a large rate overflows at once: it takes some updates until W_hh makes the state grow.")),
            Guess(500, lazy_gettext("That errors add up: they multiply, with each step of the state.")),
        ),
        log=True,
    ),
    "memorising": Curve(
        2000,
        Choice(
            lazy_gettext("to repeat this text"),
            (
                Wrong(
                    lazy_gettext("English, as in any text"),
                    lazy_gettext("That a low perplexity means a knowledge of language: it was measured on the training text."),
                ),
                Wrong(
                    lazy_gettext("nothing: a thousand words are too few"),
                    lazy_gettext("That few words are hard to learn: they are easy to memorise."),
                ),
                Wrong(
                    lazy_gettext("how frequent each word is, and no more"),
                    lazy_gettext("That it stays at the unigram line: it passes the bigram line."),
                ),
            ),
        ),
        question=DRAW,
    ),
    "beating": Choice(
        lazy_gettext("the table, and the network comes close"),
        (
            Wrong(
                lazy_gettext("the network: it remembers more than one word"),
                lazy_gettext(
                    "That it stores its text at once: a table counts it in one pass, a network needs more than a hundred."
                ),
            ),
            Wrong(
                lazy_gettext("the table, by far"),
                lazy_gettext("That a network cannot memorise: on a thousand words it nearly does."),
            ),
        ),
    ),
}
ON_TRAINING = Curve(1000, FIRST, question=DRAW)  # on Training, without a scene
