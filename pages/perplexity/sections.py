"""The sections of the Perplexity page."""

from core.content.guide import Hint
from pages.app.navigation.section_tabs import Section, run_is_live
from pages.app.navigation.url_state import text_param
from pages.perplexity.against_counting import against_counting, is_training
from pages.perplexity.compression import compression
from pages.perplexity.continuations import PARAMS, continuations
from pages.perplexity.length import length
from pages.perplexity.number import another_token, number
from pages.perplexity.surprise import PARAMS as OF_A_TEXT
from pages.perplexity.surprise import surprise
from pages.perplexity.writing import EVERY, grows, other_seeds, writing

TWO = ("model", "beside")
SECTIONS = {
    "surprise": Section("Surprise", surprise, Hint(
        "Click the letter below the highest bar.",
        "The bar is −ln p of this letter: high where the network gave it little probability.",
        first="8.4.4", second="5.5.2",
    ), TWO, is_live=run_is_live, params=OF_A_TEXT),
    "number": Section("The number", number, Hint(
        "Press “worst: one is 0”.",
        "A single probability of 0 makes the perplexity infinite, however good the others are.",
        first="8.4.4", second="5.5.2",
    ), press="Another token", on_press=another_token, is_live=run_is_live),
    "length": Section("Length", length, Hint(
        "Under “The product rule” press “you goodbye say”.",
        "The same three words in another order are far less probable.",
        first="8.3.1, 8.4.4", second="5.1.2",
    ), TWO, is_live=run_is_live),
    "continuations": Section("Continuations", continuations, Hint(
        "Press “by the whole”, then “per token”.",
        "By the whole, every further token costs probability. Per token, length no longer counts, and ranks may change.",
        first="8.4.4",
    ), TWO, is_live=run_is_live, params=PARAMS),
    "compression": Section("Compression", compression, Hint(
        "Train on, and watch the bar of “the network”.",
        "Better prediction is better compression: bits are the mean loss divided by ln 2.",
        first="8.4.4",
    ), is_live=run_is_live),
    "counting": Section("Against counting", against_counting, Hint(
        "Press “Train both networks” and wait for the first one.",
        "It comes close to “bigram, not smoothed”: on the text it was counted on, a table is hard to beat.",
        first="8.3.2", second="5.5.3",
    ), is_live=lambda session, state: run_is_live(session, state) or is_training(session)),
    "writing": Section("Writing", writing, Hint(
        "Drag “temperature” to the left end, press “Write”; then the same at the right end.",
        "At a low temperature it nearly always writes the most probable token. At a high one all tokens are alike: noise.",
        first="8.5.4", second="7.1",
    ), ("model",), press="Other seeds", on_press=other_seeds, is_live=grows, interval=EVERY, params={"prompt": text_param(None)}),
}  # fmt: skip
