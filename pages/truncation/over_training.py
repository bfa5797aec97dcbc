"""The truncated gradient of the live run compared with the whole one, over training."""

from core.config.language import gettext as _
from core.training.curves import thin
from core.training.run.scheduler import compute, in_slices
from pages.app.layout import elements
from pages.app.navigation.section_tabs import PageState
from pages.app.session.session import Session
from pages.app.widgets.components import live_figure
from pages.content.notation import in_notation
from pages.figures.truncation.truncation_curves import Sample, over_training_figure, over_training_label
from pages.truncation.full_gradient import FullGradient, blocks_compared

SAMPLES = 240  # of the live run at most: more are thinned to half of this


def show(session: Session, state: PageState, data: FullGradient, tau: int) -> None:
    """Draw the comparison on this window over training: a sample at every rerun after an update, and at every milestone."""
    if data.cells is None:
        return
    about = _("the network on this very window, blocks of τ = {tau}; press play to see your own run's", tau=tau)
    if session.run_update or session.run.playing:
        about = _("the network on this very window, blocks of τ = {tau}; a point for every look", tau=tau)
    elements.heading(_("Over training"), about)
    key = (session.serial, data.name)
    if state.get("sampled") != key:
        state["sampled"], state["samples"] = key, remembered(session, data)
    update = session.snapshot().view.point.update
    samples = state["samples"]
    if not samples or samples[-1].update < update:
        samples.append(Sample(update, data.whole))
        state["samples"] = samples = samples if len(samples) <= SAMPLES else thin(samples, SAMPLES // 2)
    drawn = over_training_figure(samples, tau), over_training_label(samples, tau)
    figure, label = in_notation(drawn, session.settings.notation)
    live_figure(figure, key="over_training", label=label)


def remembered(session: Session, data: FullGradient) -> list[Sample]:
    """The samples at the milestones that the run has stored."""
    moments = session.milestones
    compared = compute(lambda: in_slices(blocks_compared(moment.params, data.forward)[1] for moment in moments))
    return [Sample(moment.update, curves) for moment, curves in zip(moments, compared, strict=True)]
