"""The sections below the picture of the Gradient flow page; only the open section computes."""

from pages.app.navigation.section_tabs import Section, run_is_live
from pages.content.guide import Hint
from pages.gradient_flow import cliff, cost, gradient_check, history, jacobian, shares, struck_line, what_if

SECTIONS = {
    "what_if": Section("What if", what_if.show, Hint(
        "Choose “tanh”. Press “1.05”, then “2”, and read “factor per step back” in the column “fresh”.",
        "At 1.05 the gradient still fades, for φ' is at most 1. At 2 it grows.",
        first="8.5.5, 8.7.2", second="6.1",
    ), needs_refresh=run_is_live, params=what_if.PARAMS),
    "cliff": Section("The cliff", cliff.show, Hint(
        "Press play below the map. Then press “500”, and a start that is not in the valley.",
        "At the wall one step without clipping is thrown off the map, to where no gradient is left. Clipped, the starts that are "
        "not in the valley after 50 updates are slow, not lost.",
        first="8.5.5, 8.7.1", second="6.1",
    ), params=cliff.PARAMS, alone=True),
    "shares": Section("Shares of dW_hh", shares.show, Hint(
        "Compare the two bars of the second step, then those of the last one.",
        "A loss gives to its own step and to earlier ones. Both kinds of bars add up to 100 %.",
        first="8.7.2", second="5.3.2",
    )),
    "jacobian": Section("Jacobians", jacobian.show, Hint(
        "Compare “W_hh: largest singular value” with “the last step: largest singular value”.",
        "The step never stretches more than W_hh alone, because φ' is at most 1.",
        first="8.7.1", second="6.1",
    )),
    "gradient_check": Section("Check a gradient", gradient_check.show, Hint(
        "Pick a strong cell. Then read the relative differences from large ε to small.",
        "They fall, then rise again: for a large ε the loss is curved, for a tiny one rounding dominates.",
    )),
    "struck": Section("Delete a line", struck_line.show, Hint(
        "Choose “+ dh”, then “1 − h²”, and compare the errors of W_hh and of W_hq.",
        "Both lines are on the way back through the states: the gradient of the output layer stays right.",
        first="8.7.2", second="5.3.1",
    ), params=struck_line.PARAMS, alone=True),
    "history": Section("Over the run", history.show, Hint(
        "Train past update 100, then compare the lines.",
        "It is the same text each time: learning itself changes how fast a gradient fades.",
        first="8.7.1", second="6.1",
    ), needs_refresh=run_is_live),
    "cost": Section("Cost", cost.show, Hint(
        "Press “Measure”.",
        "Time and memory grow in proportion: twice as many steps cost about twice as much.",
        first="8.7.1", second="5.2.3",
    )),
}  # fmt: skip
