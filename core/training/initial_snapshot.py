"""What a run is before its first update: equal for all that begin with the same settings on the same text."""

from typing import NamedTuple

from core.training.held_out import HeldOut
from core.training.snapshots import Moment


class Beginning(NamedTuple):
    """The text that judges, the untrained network as it is kept (with what it writes), and its held-out loss in nats per token.

    Nobody writes to any of it, so many runs may hold one.
    """

    held_out: HeldOut
    moment: Moment
    nats: float
