"""The matrices of one step, random and then editable, which two sections show."""

from core.analysis.one_step_matrices import StepMatrices, draw_matrices
from core.config.language import lazy_gettext
from core.text.randomness import Purpose, generator
from pages.app.navigation.section_tabs import PageState, Pick
from pages.app.session.session import Session

UP_TO_SIX = [(n, str(n)) for n in range(1, 7)]
PICKS = {
    "N": Pick("N", UP_TO_SIX, lazy_gettext("Rows: sequences in the batch")),
    "D": Pick("D", UP_TO_SIX, lazy_gettext("Width of the input")),
    "H": Pick("H", UP_TO_SIX, lazy_gettext("Hidden units")),
    "decimals": Pick("", [(1, ".0"), (4, ".0000")], lazy_gettext("Decimals of the numbers")),
}
START = {"N": 3, "D": 2, "H": 4, "decimals": 1, "draw": 0}


def matrices(session: Session, state: PageState) -> StepMatrices:
    """The session's matrices with its edits; drawn again when sizes, decimals or activation change or the button is pressed."""
    activation = session.settings.activation
    how = (activation, *(state[name] for name in START))
    if state.get("numbers_for") != how:
        rng = generator(state["draw"], Purpose.DISPLAY)
        sizes = (state[name] for name in ("N", "D", "H"))
        numbers = draw_matrices(*sizes, rng, decimals=state["decimals"], activation=activation)
        state.update(numbers_for=how, matrices=dict(vars(numbers)))
    return StepMatrices(**state["matrices"])
