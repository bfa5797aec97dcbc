"""What this server does, in numbers, for Prometheus: beside Streamlit's own at ``/_stcore/metrics``, as OpenMetrics."""

from collections.abc import Iterator, Mapping, Sequence

from streamlit import runtime
from streamlit.runtime.stats import CounterStat, GaugeStat, HistogramStat, Stat

from core.training.live_run import how_many_train
from core.training.room import held, most
from core.training.tally import updates_done
from core.training.turns import how_many_wait
from pages.ui.door import door
from pages.ui.looks import looks, watch_looks
from pages.ui.presence import shelf

VISITORS, PLACES, TRAINING, WAITING = "rnn_visitors", "rnn_places", "rnn_runs_training", "rnn_computations_waiting"
UPDATES, LOOKS, HELD, MOST = "rnn_updates", "rnn_look_seconds", "rnn_memory_bytes", "rnn_memory_limit_bytes"


def _all() -> Iterator[Stat]:
    """Every number, as it is now."""
    about = "Tabs that are inside, that wait at the door, and runs that are kept for tabs that are gone."
    for state, number in (("inside", door().inside), ("waiting", door().waiting), ("kept", len(shelf()))):
        yield GaugeStat(VISITORS, number, {"state": state}, help=about)
    yield GaugeStat(PLACES, door().most, help="Tabs that can be inside at once.")
    yield GaugeStat(TRAINING, how_many_train(), help="Runs that train now, or wait for their turn.")
    yield GaugeStat(WAITING, how_many_wait(), help="Computations that wait for their turn.")
    yield CounterStat(UPDATES, updates_done.number, help="Updates of all runs. A leg of networks side by side counts as one.")
    about = "From hearing that a visitor wants to see a page, or a part of it anew, until that is drawn."
    yield HistogramStat(LOOKS, looks.buckets, looks.seconds, looks.number, unit="seconds", help=about)
    yield GaugeStat(HELD, held(), unit="bytes", help="Memory that this process holds. 0 where the system does not tell.")
    yield GaugeStat(MOST, most(), unit="bytes", help="Memory from which on nobody is let in and no large run begins.")


class Metrics:
    """What Streamlit asks when somebody opens its page of metrics."""

    @property
    def stats_families(self) -> Sequence[str]:
        return (VISITORS, PLACES, TRAINING, WAITING, UPDATES, LOOKS, HELD, MOST)

    def get_stats(self, family_names: Sequence[str] | None = None) -> Mapping[str, Sequence[Stat]]:
        found: dict[str, list[Stat]] = {}
        for one in _all():
            if family_names is None or one.family_name in family_names:
                found.setdefault(one.family_name, []).append(one)
        return found


def offer_metrics() -> None:
    """From now on the page of metrics has them. Once per process."""
    watch_looks()
    runtime.get_instance().stats_mgr.register_provider(Metrics())
