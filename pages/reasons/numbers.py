"""The numbers of each scene's reason, by the names in its sentences."""

from collections.abc import Callable, Mapping

from pages.app.session.session import Session
from pages.content.scene import Scene
from pages.reasons import counting, experiments, runs, small_networks

Numbers = Mapping[str, str]

NUMBERS: dict[str, Callable[[Session], Numbers | None]] = {
    "counting": counting.table,
    "state": counting.swapped,
    "products": counting.one_cell,
    "machine": small_networks.what_a_letter_leaves,
    "hello": small_networks.same_word_twice,
    "learning": runs.lines_passed,
    "branching": experiments.choices,
    "continuations": runs.per_token,
    "lag": experiments.repeated_bits,
    "mirror": small_networks.left_at_each_step,
    "vanishing": experiments.factor_per_step,
    "cut": small_networks.lost_by_the_cut,
    "reach": experiments.answers_in_a_window,
    "price": experiments.answers_before_the_reset,
    "too_fast": experiments.last_steps,
    "memorising": runs.three_numbers,
    "beating": experiments.table_of_pairs,
}


def numbers_of(session: Session, scene: Scene) -> Numbers | None:
    """The numbers of the scene's reason as they are now; None if the page does not show what the sentences are about."""
    return NUMBERS[scene.key](session) if scene.key in NUMBERS and scene.why else None
