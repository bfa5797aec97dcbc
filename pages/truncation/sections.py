"""The sections of the Truncation page."""

from pages.app.navigation.section_tabs import Section, training_predicate
from pages.content.guide import Hint
from pages.truncation import cut, data, echo_bound, truncation_sweep

REFRESH_SECONDS = 0.25  # seconds between two reruns while an experiment of the section trains
START = data.START | echo_bound.START
SECTIONS = {
    "cut": Section("The cut", cut.show, Hint(
        "Drag “cut every τ =” from 1 to “full”.",
        "At “full” nothing is dropped, and the cosine is 1. With short blocks the gradient points elsewhere.",
        first="8.7.1.2", second="5.2.4",
    ), needs_refresh=cut.moving, interval=1.5, column_widths=(344, 612), params=cut.PARAMS),
    "data": Section("The data", data.show, Hint(
        "Play the updates “in order”, then “shuffled”.",
        "In order, each row continues where it stopped, so its state fits. Shuffled, it does not.",
        first="8.3.4", second="5.2.5",
    ), needs_refresh=training_predicate(data.NAME), interval=REFRESH_SECONDS, params=data.PARAMS),
    "proof": Section("The proof", echo_bound.show, Hint(
        "Press “Train” and wait for some dots.",
        "Up to τ = k they stay at 2: nothing can be learnt. From τ = k + 1 they follow the line down.",
        first="8.7.1.2", second="5.2.4",
    ), needs_refresh=training_predicate(echo_bound.NAME), interval=REFRESH_SECONDS, params=echo_bound.PARAMS),
    "race": Section("The race", truncation_sweep.show, Hint(
        "Press “Train side by side”. Then let “W_hh at first” be a rotation, learning or fixed, and race again.",
        "τ one step too short may fall, then climbs back to 2: no gradient rewards memory. A fixed rotation remembers untaught.",
        first="8.7.1.2", second="5.2.4",
    ), needs_refresh=training_predicate(truncation_sweep.NAME), interval=0.5, params=truncation_sweep.PARAMS),
}  # fmt: skip
