"""What can be looked at below the picture of the Gradient flow page; only the section that is chosen computes."""

from pages.gradient_flow import cost, gradient_check, history, jacobian, shares, what_if
from pages.ui.sections import Section, with_the_run

SECTIONS = {
    "what_if": Section("What if", what_if.show, moves=with_the_run, keeps=what_if.KEEPS),
    "shares": Section("Shares of dW_hh", shares.show),
    "jacobian": Section("Jacobians", jacobian.show),
    "gradient_check": Section("Check a gradient", gradient_check.show),
    "history": Section("Over the run", history.show, moves=with_the_run),
    "cost": Section("Cost", cost.show),
}
