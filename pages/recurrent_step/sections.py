"""The sections of the Recurrent step page, and the selects on their bar."""

from pages.app.navigation.section_tabs import PageState, Section, run_is_live
from pages.app.session.session import Session
from pages.content.guide import Hint
from pages.recurrent_step import back, bit_network, matrices, motivation, networks, order, products, shapes


def another(session: Session, state: PageState) -> None:
    """Draw other random numbers, or choose another passage."""
    state.update(draw=state["draw"] + 1, pair=None)


START = matrices.START | order.START | bit_network.START_PICKS
PICKS = matrices.PICKS | order.PICKS | bit_network.PICKS
SECTIONS = {
    "why": Section("Why a state", motivation.show, Hint(
        "Read both charts at n = 2, then at n = 6.",
        "Each token further back makes the table V times as large. The network with a state keeps its size.",
        first="8.3.2, 8.4", second="5.1.3",
    )),
    "order": Section("Order", order.show, Hint(
        "Press “New vectors” several times.",
        "The mean is the same in both orders, whatever the vectors are. The state differs.",
        second="5.1.3",
    ), ("first", "second"), "New vectors", another),
    "networks": Section("Without and with", networks.show, Hint(
        "Train for a while. Then press two different tokens of the row “as written”, to swap them.",
        "Without a state the prediction does not move at all. With a state it moves.",
        first="8.4.1, 8.4.2", second="5.2.1",
    ), press="Another passage", on_press=another, needs_refresh=run_is_live, params=networks.PARAMS),
    "products": Section("Two products, one product", products.show, Hint(
        "Type another number into a cell of W_hh.",
        "One column of the result changes, the same in both ways: they stay equal.",
        first="8.4.2, Fig. 8.4.1",
    ), ("N", "D", "H", "decimals", "results"), "New numbers", another, run_is_live),
    "shapes": Section("Shapes", shapes.show, Hint(
        "Drag “T, time steps” to its right end.",
        "The number of weights stays the same: every step shares them. Only the stored states grow with T.",
        first="8.4.2", second="5.3.1",
    ), params=shapes.PARAMS),
    "back": Section("One step back", back.show, Hint(
        "Set “N” to 1, then to 6.",
        "dW_hh, dW_xh and db_h keep their shapes: each is a sum over all N rows.",
        first="8.7.2", second="5.3.1",
    ), ("N", "D", "H", "results"), "New numbers", another),
    "memory": Section("A memory of two units", bit_network.show, Hint(
        "Drag the numbers in the cells, or type others, until it says “Solved.”; then choose the next task. One unit cannot do "
        "all of them.",
        "W_xh writes a bit into the state, W_hh keeps it or passes it on, W_hq reads it.",
        first="8.4.2", second="5.2.2",
    ), ("goal", "units"), "Other bits", another, params=bit_network.PARAMS),
}  # fmt: skip
