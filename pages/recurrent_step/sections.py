"""The sections of the Recurrent step page, and what the bar lets a reader choose in them."""

from pages.recurrent_step import matrices, networks, order, shapes
from pages.recurrent_step.back import back
from pages.recurrent_step.products import products
from pages.recurrent_step.why import why
from pages.ui.sections import Section, Wishes, with_the_run
from pages.ui.stage import Stage


def another(here: Stage, wishes: Wishes) -> None:
    """Other numbers, or another passage."""
    wishes.update(draw=wishes["draw"] + 1, pair=None)


START = matrices.START | order.START
PICKS = matrices.PICKS | order.PICKS
SECTIONS = {
    "why": Section("Why a state", why),
    "order": Section("Order", order.order, ("first", "second"), "New vectors", another),
    "networks": Section(
        "Without and with", networks.networks, press="Another passage", on_press=another, moves=with_the_run, keeps=networks.KEEPS
    ),
    "products": Section("Two products, one product", products, ("N", "D", "H", "decimals"), "New numbers", another, with_the_run),
    "shapes": Section("Shapes", shapes.shapes, keeps=shapes.KEEPS),
    "back": Section("One step back", back, ("N", "D", "H"), "New numbers", another),
}
