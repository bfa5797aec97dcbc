"""A text of a thousand steps: the cost of backpropagation through all of it, beside blocks of tau steps."""

from collections.abc import Generator

from core.analysis.cost import Lines, in_blocks, lengths_for, measure, straight_lines, summarise
from core.config.language import gettext as _
from core.training.run.scheduler import in_slices
from pages.app.layout import elements
from pages.app.session.session import Session
from pages.app.session.session_cache import cached_for_session
from pages.app.widgets.components import comparison, grid, live_figure
from pages.figures.parts.cost_charts import long_text_figure, long_text_label, long_text_numbers, price_grid

T = 1000
PRICED = (1, 2, 5, 10, 20, 35, 100, T)  # truncations
LENGTHS, REPEATS = (1, 5, 10, 20), 5  # of the measured windows: short, to limit the time


def show(session: Session, tau: int | None) -> None:
    """Draw the cost of the whole text beside that of blocks of ``tau`` steps (None: no cut)."""
    elements.heading(
        _("A text of 1\u202f000 steps"), _("Deep Learning from Scratch 2, 5.2.4; costs measured with a network of this size")
    )
    lines = costs(session)
    whole, cut = in_blocks(lines, T, T), in_blocks(lines, T, tau or T)
    live_figure(long_text_figure(T, cut.tau), key="long_text", label=long_text_label(T, cut))
    comparison(long_text_numbers(T, whole, cut), key="long_text_numbers")
    priced = [in_blocks(lines, T, length) for length in sorted({*PRICED, cut.tau})]
    grid(price_grid(T, session.settings.batch_size, priced, cut.tau), key="price")


def costs(session: Session) -> Lines:
    """The cost of a window as straight lines over its length, measured once for every size of network."""
    settings = session.settings
    N, H, V = settings.batch_size, settings.hidden_size, session.corpus.tokenizer.size

    def measured() -> Generator[None, None, Lines]:
        params = session.params()
        windows = measure(params, N, lengths_for(params, N, LENGTHS), activation=settings.activation, repeats=REPEATS)
        return straight_lines(summarise((yield from in_slices(windows))))

    sizes = (N, H, V, settings.embedding_size, settings.dtype, settings.activation)
    return cached_for_session(session, "long text", measured, sizes)
