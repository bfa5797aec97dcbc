"""What a truncation keeps of the live run's gradient, while it learns."""

from core.figures.truncation.over_training import Sample, over_training_figure, over_training_label
from core.training.history import thin
from core.training.live_run import compute
from pages.truncation.look import Look, blocks_compared
from pages.ui import frame
from pages.ui.components.live_figure.live_figure import live_figure
from pages.ui.state import Stage

SAMPLES = 240  # of the live run over its training


def show(here: Stage, view: dict, look: Look, tau: int) -> None:
    """The same for the live run over its training, for this window: a sample at every look, and at the moments it remembers."""
    if look.cells is None:
        return
    frame.heading("Over training", f"the live run on this very window, blocks of τ = {tau}; a point at every look")
    key = (id(here.run), look.name)
    if view.get("sampled") != key:
        view["sampled"], view["samples"] = key, remembered(here, look)
    update = here.run.snapshot().view.point.update
    samples = view["samples"]
    if not samples or samples[-1].update < update:
        curves = look.whole
        samples.append(Sample(update, curves.cosine, curves.ratio, curves.kept))
        view["samples"] = samples = samples if len(samples) <= SAMPLES else thin(samples, SAMPLES // 2)
    figure = over_training_figure(samples, tau)
    live_figure(figure, key="over_training", keep="", label=over_training_label(samples, tau))


def remembered(here: Stage, look: Look) -> list[Sample]:
    """Samples of the moments that the run has kept."""
    samples = []
    for moment in list(here.watched.history.moments):
        with compute():
            _, curves = blocks_compared(moment.params, look.forward)
        samples.append(Sample(moment.update, curves.cosine, curves.ratio, curves.kept))
    return samples
