"""The sections of the Perplexity page."""

from pages.app.navigation.section_tabs import Section, run_is_live
from pages.app.navigation.url_state import text_param
from pages.content.guide import Hint
from pages.perplexity import against_counting, compression, continuations, length, number, surprise, writing

TWO = ("model", "beside")
SECTIONS = {
    "surprise": Section("Surprise", surprise.show, Hint(
        "Click the letter below the highest bar.",
        "The bar is −ln p of this letter: high where the network gave it little probability.",
        first="8.4.4", second="5.5.2",
    ), TWO, needs_refresh=run_is_live, params=surprise.PARAMS),
    "number": Section("The number", number.show, Hint(
        "Press “worst: one is 0”.",
        "A single probability of 0 makes the perplexity infinite, however good the others are.",
        first="8.4.4", second="5.5.2",
    ), press="Another token", on_press=number.another_token, needs_refresh=run_is_live),
    "length": Section("Length", length.show, Hint(
        "Under “The product rule” press “you goodbye say”.",
        "The same three words in another order are far less probable.",
        first="8.3.1, 8.4.4", second="5.1.2",
    ), TWO, needs_refresh=run_is_live),
    "continuations": Section("Continuations", continuations.show, Hint(
        "Press “by the whole”, then “per token”.",
        "By the whole, every further token costs probability. Per token, length no longer counts, and ranks may change.",
        first="8.4.4",
    ), TWO, needs_refresh=run_is_live, params=continuations.PARAMS),
    "compression": Section("Compression", compression.show, Hint(
        "Train on, and watch the bar of “the network”.",
        "Better prediction is better compression: bits are the mean loss divided by ln 2.",
        first="8.4.4",
    ), needs_refresh=run_is_live),
    "counting": Section("Against counting", against_counting.show, Hint(
        "Press “Train both networks” and wait for the first one.",
        "It comes close to “bigram, not smoothed”: on the text it was counted on, a table is hard to beat.",
        first="8.3.2", second="5.5.3",
    ), needs_refresh=lambda session, state: run_is_live(session, state) or against_counting.is_training(session)),
    "writing": Section("Writing", writing.show, Hint(
        "Drag “temperature” to the left end, press “Write”; then the same at the right end.",
        "At a low temperature it nearly always writes the most probable token. At a high one all tokens are alike: noise.",
        first="8.5.4", second="7.1",
    ), ("model",), press="Other seeds", on_press=writing.other_seeds, needs_refresh=writing.grows, interval=writing.EVERY,
       params={"prompt": text_param(None)}),
}  # fmt: skip
