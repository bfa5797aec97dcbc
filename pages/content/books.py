"""The index of both books: what their sections say, in our own words, and the places of the dashboard that show it.

Numbers of sections, equations and figures of the first book are those before its version 1.0; ``later``: the number since then.
Of the second book, only numbers that public notes of its readers confirm: its sections, and one equation.
"""

from typing import NamedTuple

from core.config.language import lazy_gettext
from core.config.link import VIEW, encoded
from pages.content.guide import Hint
from pages.content.notation import FIRST_SOURCE, SECOND_SOURCE


class Entry(NamedTuple):
    """A statement of a book: its number, such as "(8.4.5)", or empty; the statement; and keys of ``pages.content.places``."""

    number: str
    says: str
    places: tuple[str, ...]


class Part(NamedTuple):
    """A section of a book: its number, its number since version 1.0 or empty, its subject, and its statements in order."""

    number: str
    later: str
    title: str
    entries: tuple[Entry, ...]


INTRODUCTION = {
    FIRST_SOURCE: lazy_gettext(
        "Chapter 8 of the versions before 1.0; it is chapter 9 since then, with other numbers of equations and figures, so only "
        "its sections are given. “Exercise” counts the questions at the end of a section."
    ),
    SECOND_SOURCE: lazy_gettext(
        "Chapter 5. Only numbers that public notes of its readers confirm are given: sections, and one equation. Its figures and "
        "pages are not numbered here."
    ),
}


def view_of(number: str) -> str:
    """The key of a section of the index in a link: "s8_4_2"."""
    return "s" + number.replace(".", "_")


def index_address(hint: Hint) -> str:
    """The address of the index at the first section that a hint refers to."""
    book, numbers = (FIRST_SOURCE, hint.first) if hint.first else (SECOND_SOURCE, hint.second)
    wanted = numbers.split(", ")[0].removeprefix("Fig. ")
    known = [part.number for part in BOOKS[book] if wanted == part.number or wanted.startswith(f"{part.number}.")]
    view = {VIEW: view_of(max(known, key=len))} if known else {}
    return f"books?{encoded({'section': book} | view)}"


BOOKS = {
    FIRST_SOURCE: (
        Part(
            "8.1",
            "9.1",
            "Sequence models",
            (
                Entry(
                    "8.1.1", "An autoregressive model predicts from the values before; a latent one sums them up as h.", ("why",)
                ),
                Entry(
                    "8.1.1",
                    "A Markov model of order n looks only n tokens back: a distribution for every n tokens.",
                    ("why", "counting"),
                ),
            ),
        ),
        Part(
            "8.3",
            "9.3",
            "Language models and the data set",
            (
                Entry(
                    "8.3.1",
                    "The joint probability of a text is the product of conditional probabilities, one for each token.",
                    ("product", "length"),
                ),
                Entry(
                    "8.3.2",
                    "Unigram, bigram and trigram models: Markov models of order 0, 1 and 2. More context needs more numbers.",
                    ("why", "more", "counting"),
                ),
                Entry("8.3.3", "Long n-grams are rare: most of them never occur in the training text.", ("why",)),
                Entry("8.3.4", "The target is the input, shifted by one token.", ("machine", "data")),
                Entry(
                    "8.3.4.1",
                    "Random sampling: windows in any order, so the state of the last one does not fit.",
                    ("shuffled", "scene_price"),
                ),
                Entry(
                    "8.3.4.2",
                    "Sequential partitioning: every row goes on where it stopped, so its state can be carried.",
                    ("data",),
                ),
            ),
        ),
        Part(
            "8.4",
            "9.4",
            "Recurrent neural networks",
            (
                Entry("(8.4.1)", "In place of all tokens before, the probability depends on one hidden state.", ("why",)),
                Entry(
                    "(8.4.2)",
                    "A state is made of the input and the state before. h could store all that was read.",
                    ("cell", "unit"),
                ),
                Entry(
                    "8.4",
                    "Hidden layer: a place between input and output. Hidden state: its numbers, as an input of the next step.",
                    ("networks", "layers", "open_questions"),
                ),
            ),
        ),
        Part(
            "8.4.1",
            "9.4.1",
            "Neural networks without hidden states",
            (
                Entry(
                    "(8.4.3)",
                    "A feed-forward hidden layer, the multilayer perceptron: H = φ(X W_xh + b_h).",
                    ("networks", "order"),
                ),
                Entry(
                    "(8.4.4)",
                    "The output layer: O = H W_hq + b_q, one logit for each token of the vocabulary.",
                    ("shapes", "machine"),
                ),
                Entry(
                    "8.4.1",
                    "Random pairs of a token and its target, automatic differentiation and SGD are enough to train it.",
                    ("networks",),
                ),
            ),
        ),
        Part(
            "8.4.2",
            "9.4.2",
            "Recurrent neural networks with hidden states",
            (
                Entry(
                    "(8.4.5)",
                    "One more term makes the layer recurrent: H_t = φ(X_t W_xh + H_{t−1} W_hh + b_h).",
                    ("cell", "back", "networks"),
                ),
                Entry(
                    "(8.4.6)",
                    "The output layer reads the state: O_t = H_t W_hq + b_q, with the same weights at every step.",
                    ("shapes", "machine"),
                ),
                Entry("8.4.2", "The number of weights does not grow with the number of steps.", ("shapes", "why")),
                Entry(
                    "Fig. 8.4.1",
                    "Three steps: concatenate input and state, fully connected layer with φ, copy the result.",
                    ("three_cells", "cell"),
                ),
                Entry(
                    "8.4.2",
                    "Its listing: the sum of two products is the product of two concatenations, in shapes (3, 1) to (3, 4).",
                    ("products",),
                ),
            ),
        ),
        Part(
            "8.4.3",
            "9.4.3",
            "Character-level language models",
            (
                Entry(
                    "Fig. 8.4.2",
                    "Input “machin”, targets “achine”: softmax at every step, cross-entropy with its target.",
                    ("machine",),
                ),
                Entry("8.4.3", "The output of step 3 depends on m, a and c.", ("dependence",)),
                Entry(
                    "8.4.3", "In practice N rows are read at once: the input of a step is an N × D matrix.", ("shapes", "data")
                ),
            ),
        ),
        Part(
            "8.4.4",
            "9.3.2",
            "Perplexity",
            (
                Entry("8.4.4", "Three continuations of “It is raining”: which is the best?", ("continuations",)),
                Entry(
                    "8.4.4",
                    "A longer text is less probable, so likelihoods of texts of different length cannot be compared.",
                    ("length",),
                ),
                Entry(
                    "(8.4.7)",
                    "The mean cross-entropy over all tokens. A better model needs fewer bits to store the text.",
                    ("surprise", "compression"),
                ),
                Entry("(8.4.8)", "Perplexity: the exponential of that mean.", ("number", "which_mean")),
                Entry(
                    "8.4.4", "Best 1, worst infinite; evenly guessed, the size of the vocabulary.", ("scene_branching", "number")
                ),
            ),
        ),
        Part(
            "8.4.6",
            "",
            "Exercises",
            (
                Entry(
                    "Exercise 1",
                    "How many outputs does a network need that predicts the next character?",
                    ("shapes", "book_exercises"),
                ),
                Entry(
                    "Exercise 2",
                    "Why can it express the probability of a token given all tokens before?",
                    ("dependence", "unit", "book_exercises"),
                ),
                Entry(
                    "Exercise 3",
                    "What happens to the gradient that goes back through a long text?",
                    ("scene_vanishing", "what_if", "book_exercises"),
                ),
                Entry("Exercise 4", "Which problems does this language model have?", ("counting", "race", "book_exercises")),
            ),
        ),
        Part(
            "8.5",
            "9.5",
            "From scratch",
            (
                Entry("8.5.1", "One-hot: the input product takes one row out of W_xh.", ("cell", "shapes")),
                Entry(
                    "8.5.2",
                    "The weights begin as normal numbers with standard deviation 0.01, the biases and the state as 0.",
                    ("settings", "more"),
                ),
                Entry(
                    "8.5.4",
                    "Prediction: the prefix is read first, only the state is kept; then each output becomes the next input.",
                    ("writing",),
                ),
                Entry("8.5.5", "Clipping: a gradient longer than θ is shortened to θ.", ("explodes", "scene_too_fast")),
                Entry(
                    "8.5.6",
                    "In sequential order the state is detached between windows: its numbers go on, the gradient does not.",
                    ("cut", "data", "training"),
                ),
            ),
        ),
        Part(
            "8.7",
            "9.7",
            "Backpropagation through time",
            (
                Entry(
                    "(8.7.1)",
                    "State and output as functions of the step before, with the same weights at every step.",
                    ("machine",),
                ),
                Entry("(8.7.2)", "The loss is the mean over T steps: hence the factor 1/T.", ("layers", "open_questions")),
                Entry("(8.7.4)", "The state depends on W_hh directly, and through the state before.", ("back", "flow")),
                Entry(
                    "(8.7.7)",
                    "Written out: a sum over all earlier steps, each with a product of Jacobians.",
                    ("jacobian", "flow"),
                ),
                Entry("8.7.1.1", "The full sum: slow, and small changes may grow.", ("cost", "explodes")),
                Entry("8.7.1.2", "Truncation: the sum ends after τ steps.", ("cut", "proof", "race")),
                Entry(
                    "Fig. 8.7.1",
                    "Regular truncation cuts the text into blocks of one length; below it, the full computation.",
                    ("cut", "sliding"),
                ),
            ),
        ),
        Part(
            "8.7.2",
            "9.7.2",
            "Backpropagation through time in detail",
            (
                Entry("Fig. 8.7.2", "The computation graph: which variables and weights a loss depends on.", ("back", "flow")),
                Entry("(8.7.11)", "The gradient of a logit has the factor 1/T of the mean.", ("open_questions", "flow")),
                Entry("(8.7.12)", "dW_hq: a sum over all steps of the gradient of the logits times the state.", ("flow",)),
                Entry("(8.7.13)", "The last state receives a gradient from its own logits only.", ("last_loss",)),
                Entry("(8.7.14)", "Every other state receives two: from its logits and from the next state.", ("flow", "back")),
                Entry(
                    "(8.7.15)",
                    "Without φ the gradient contains powers of W_hh: eigenvalues below 1 vanish, above 1 explode.",
                    ("what_if", "scene_vanishing", "history"),
                ),
                Entry(
                    "(8.7.16)",
                    "dW_xh and dW_hh: sums over all steps of the gradient of the state times input or state before.",
                    ("shares", "back"),
                ),
                Entry("Exercise 1", "Powers of a matrix turn nearly every vector towards its first eigenvector.", ("jacobian",)),
            ),
        ),
    ),
    SECOND_SOURCE: (
        Part(
            "5.1",
            "",
            "Probability and language models",
            (
                Entry(
                    "5.1.1",
                    "CBOW gives the posterior probability of a word, given those around it; here, those to its left.",
                    ("why",),
                ),
                Entry(
                    "5.1.2",
                    "A language model: the joint probability of words in order is a product of posterior ones.",
                    ("product", "length"),
                ),
                Entry(
                    "5.1.3",
                    "CBOW as a language model: a Markov chain whose order is the size of the context.",
                    ("why", "counting"),
                ),
                Entry("5.1.3", "Its hidden layer is the sum of word vectors: the order of the words is lost.", ("order",)),
                Entry("5.1.3", "Concatenated vectors keep the order, but the weights grow with the context.", ("order", "why")),
            ),
        ),
        Part(
            "5.2",
            "",
            "What an RNN is",
            (
                Entry(
                    "5.2.1",
                    "A recurrent layer has a loop: its output is also its input at the next step.",
                    ("machine", "networks"),
                ),
                Entry("5.2.2", "Unrolled, the loop is one layer after another, all with the same weights.", ("machine", "cell")),
                Entry("(5.9)", "h_t = tanh(h_{t−1} W_hh + x_t W_xh + b_h).", ("cell", "back")),
                Entry(
                    "5.2.3",
                    "Backpropagation through time: memory and time grow with the length, and gradients become unstable.",
                    ("flow", "cost", "scene_vanishing"),
                ),
                Entry(
                    "5.2.4",
                    "Truncated BPTT cuts only the backward pass; the state goes on, so the data are read in order.",
                    ("cut", "reset", "proof"),
                ),
                Entry(
                    "5.2.5",
                    "Mini-batches: the rows begin at places of the text that are shifted, and return to its head at its end.",
                    ("data", "open_questions"),
                ),
            ),
        ),
        Part(
            "5.3",
            "",
            "The RNN layer",
            (
                Entry(
                    "5.3.1",
                    "Forward: two products, a sum, tanh. Backward: the six lines of one step.",
                    ("back", "cell", "gradient_check"),
                ),
                Entry("5.3.1", "Shapes: x (N, D), W_xh (D, H), h (N, H), W_hh (H, H), b_h (H,).", ("shapes", "back")),
                Entry(
                    "5.3.2",
                    "Time RNN: T layers in a row; xs is (N, T, D), hs is (N, T, H). stateful keeps the last state.",
                    ("layers", "data"),
                ),
                Entry("5.3.2", "Backward, each layer gets dh of the step after it and dhs of the layer above, added.", ("flow",)),
            ),
        ),
        Part(
            "5.4",
            "",
            "Layers for sequences",
            (
                Entry(
                    "5.4.1",
                    "Embedding, RNN, affine, softmax: the network at “you say goodbye and i say hello .”",
                    ("say", "layers"),
                ),
                Entry("5.4.2", "Time Affine: N·T rows at once, as one product.", ("layers", "shapes")),
                Entry("5.4.2", "Time Softmax with Loss: the mean of the losses of T steps.", ("layers", "open_questions")),
            ),
        ),
        Part(
            "5.5",
            "",
            "Training and judging",
            (
                Entry(
                    "5.5.1",
                    "SimpleRnnlm: normal initial weights, 1/√n (Xavier); those of the embedding 0.01.",
                    ("settings", "more"),
                ),
                Entry(
                    "5.5.2",
                    "Perplexity is e to the mean loss: the number of branches. 1/0.8 = 1.25, 1/0.2 = 5.",
                    ("number", "surprise"),
                ),
                Entry(
                    "5.5.3",
                    "The first 1 000 words of a text: perplexity falls far, for the network memorises them.",
                    ("scene_memorising", "counting"),
                ),
                Entry(
                    "5.5.4",
                    "The trainer: read a window, forward, backward, update, average the perplexity of an epoch.",
                    ("training",),
                ),
            ),
        ),
    ),
}


class Question(NamedTuple):
    """A question that readers of the books ask, its answer, and keys of ``pages.content.places`` where it can be checked."""

    asks: str
    answer: str
    places: tuple[str, ...]


QUESTIONS = (
    Question(
        "An unrolled network with inputs x₀, then x₂: is a step missing?",
        "It is a misprint of some notes: the inputs are x₀, x₁, x₂, …, one for each step, none is left out.",
        ("machine", "dependence"),
    ),
    Question(
        "Is db_h an N × 1 vector?",
        "No. b_h has H numbers and is added in every row, so db_h has H numbers: the sum of the N rows of dt.",
        ("back",),
    ),
    Question(
        "Is perplexity a harmonic mean, as the first book says?",
        "Its formula is the geometric mean of 1/p. For p = 0.8 and 0.2 that is 2.5; the harmonic mean would be 2.",
        ("which_mean", "number"),
    ),
    Question(
        "Blocks of ten steps: is the state between them h₉ or h₁₀, h₁₉ or h₂₀?",
        "The second book counts steps from 0: its blocks end with h₉ and h₁₉. Here steps count from 1; h_0 is carried in.",
        ("data", "cut"),
    ),
    Question(
        "Is the product in a step a dot product?",
        "It is a matrix product: every cell is the dot product of a row and a column. np.dot computes it for matrices.",
        ("products", "back"),
    ),
    Question(
        "Where does the gradient of a block's first state go?",
        "The second book's layer keeps it as self.dh: chapter 7 hands it to an encoder (seq2seq). A language model drops it.",
        ("cut", "flow"),
    ),
    Question(
        "A row reaches the end of the text and returns to its head: what does the state do?",
        "It is carried on although the text jumps: for some steps it remembers the end of the text, which did not come before.",
        ("data",),
    ),
    Question(
        "Why 1/T?",
        "The loss is a mean over steps, so that windows of any length can be compared. Each gradient gets the factor 1/T; the "
        "sum over N rows becomes a mean in the same way.",
        ("layers", "flow"),
    ),
    Question(
        "Why does the screen not show the 5.49 that the second book prints?",
        "That is the mean of the last epoch's windows, each before its update, on the book's text. Another text, other random "
        "weights, or judging after the update give other numbers.",
        ("scene_memorising", "counting"),
    ),
    Question(
        "Hidden layer and hidden state: what differs?",
        "The numbers are the same. The layer is their place between input and output of one step; the state is what they are for "
        "the next step: an input. A feed-forward network has the layer and no state.",
        ("networks", "layers"),
    ),
    Question(
        "Why is only the backward pass cut?",
        "Forward needs one state, which costs nothing to keep. Backward needs all states of all steps before, and their gradient "
        "fades or explodes anyway.",
        ("cut", "cost", "what_if"),
    ),
    Question(
        "What does detach do?",
        "Its result has the same numbers, but no memory of what they were computed from: backward ends there. Here that is the "
        "border of a window.",
        ("cut", "data"),
    ),
    Question(
        "Does an eigenvalue of W_hh above 1 make gradients explode?",
        "Only without φ. With tanh every step also multiplies by φ' of at most 1: at a spectral radius of 1.1 they still vanish.",
        ("what_if", "jacobian"),
    ),
    Question(
        "Is the hidden state an approximation?",
        "Not in itself: h may hold all that was read. What limits it is its size, its precision, and what training finds.",
        ("unit", "dependence", "race"),
    ),
)
