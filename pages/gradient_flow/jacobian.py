"""The derivative of a state with respect to earlier ones: singular values of products of Jacobians over growing spans."""

from collections.abc import Generator

from core.analysis.jacobian import Spectrum, growing_products, singular_values, spectrum_of
from core.config.language import gettext as _, lazy_gettext
from core.training.run.scheduler import in_slices
from pages.app.layout import elements
from pages.app.navigation.section_tabs import PageState
from pages.app.panels.text_model_picker import cached_for_network
from pages.app.session.session import Session
from pages.app.widgets.components import cards
from pages.content.notation import in_notation
from pages.figures.gradient_flow.jacobian_spectra import FORMULA, jacobian_figure, jacobian_numbers, spans_of, why_no_lstm
from pages.figures.parts.tables import panel
from pages.gradient_flow.page_data import LARGEST, PageData, chart_and_numbers

SPANS = {128: 12, 256: 8, LARGEST: 4}  # units at most: number of spans
CONVENTION = lazy_gettext(
    "States are rows here, so a change of hₜ₋ₛ is multiplied from the left, oldest step first, and a gradient goes back by the "
    "transpose. Both have these singular values."
)


def show(session: Session, state: PageState, data: PageData) -> None:
    H, notation = data.network.params.hidden_size, session.settings.notation
    if H > LARGEST:
        elements.note(_("Left out: with {H} units the singular values of its Jacobians take too long.", H=H))
        cards([in_notation(why_no_lstm(), notation)], key="lstm")
        return
    found = cached_for_network(session, "jacobian", lambda: measure(data), data)
    numbers = in_notation(jacobian_numbers(found), notation)
    chart_and_numbers("jacobian_chart", jacobian_figure(found), "jacobian_numbers", numbers)
    convention = panel(_("Read as rows"), _(CONVENTION), formula=FORMULA)
    cards([in_notation(convention, notation)], key="jacobian_words")
    elements.source("jacobian", growing_products, singular_values)
    cards([in_notation(why_no_lstm(found), notation)], key="lstm")


def measure(data: PageData) -> Generator[None, None, Spectrum]:
    """The singular values over as many spans as a network of this size allows without delaying other sessions."""
    trace, H = data.backward.trace, data.network.params.hidden_size
    spans = spans_of(len(trace.tokens), next(many for most, many in SPANS.items() if most >= H))
    logs = yield from in_slices(growing_products(trace.params.W_hh, trace.slope[1:, 0], spans))
    return spectrum_of(trace, spans, logs)
