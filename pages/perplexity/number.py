"""The number: perplexity as a mean of 1/p, the one term that remains of the double sum, and two wrong averages."""

import numpy as np

from core.analysis.perplexity import averages, distribution, lines, means_of_choices, one_hot_terms
from core.config.language import gettext as _, lazy_gettext, ngettext
from core.models.sampling import RnnReader
from core.text.corpus import Stream
from core.text.tokenizer import EOS
from pages.app.layout import elements
from pages.app.navigation.section_tabs import PageState
from pages.app.session.session import Session
from pages.app.session.session_cache import STEADY, cached_for_run
from pages.app.widgets.components import cards, choices, grid
from pages.figures.parts.numbers import count
from pages.figures.parts.symbols import kind_of, visible
from pages.figures.perplexity import number as figures
from pages.perplexity.evaluation import judged_label, judged_text_name, live_losses

LINE_ENDS = ("\n", EOS)
TOKENS_WITHOUT_LINES = 3000  # tokens of a batch of a text without lines; its last batch may be shorter
CONTEXT = 24  # tokens read before the one whose distribution is shown
NOT_NUMBERS = lazy_gettext(
    "The network's numbers are no longer finite, so there is nothing to average. Go back, or start again on Training."
)


def show(session: Session, state: PageState) -> None:
    V, kind = session.corpus.tokenizer.size, kind_of(session.corpus)
    p = state.setdefault("p", figures.example("both", V))
    choices(
        figures.choices_drawing(p, means_of_choices(np.array(p)), V, kind),
        on_move=lambda token, place: _move(state, V, token, place),
        on_press=lambda what: _press(state, V, what),
    )
    cards([figures.which_mean(means_of_choices(np.array(figures.example("both", V))))], key="which_mean")
    _of_the_run(session, state, p)
    elements.source("number", means_of_choices, one_hot_terms, averages)


def another_token(session: Session, state: PageState) -> None:
    """Show the double sum of another token."""
    state["token"] = state.get("token", 0) + 1


def _move(state: PageState, V: int, token: int, place: int) -> None:
    stops = figures.places(V)
    if 0 <= token < len(state["p"]):
        state["p"] = [*state["p"][:token], stops[min(max(place, 0), len(stops) - 1)], *state["p"][token + 1 :]]


def _press(state: PageState, V: int, what: str) -> None:
    p = state["p"]
    if what in figures.PROBABILITIES:
        state["p"] = figures.example(what, V)
    elif what == "more":
        state["p"] = [*p, p[-1]][: figures.MAX_TOKENS]
    elif what == "fewer":
        state["p"] = p[:-1] or p


def _of_the_run(session: Session, state: PageState, p: list[float]) -> None:
    """Draw the double sum of one token and the averages over the judged text, by the live network."""
    try:
        nats = live_losses(session)
        if not np.isfinite(nats).all():
            raise ValueError(_(NOT_NUMBERS))
        _double_sum(session, state)
    except ValueError as error:
        elements.notice(str(error))
        return
    elements.heading(_("Exp of the mean"), _("not the mean of the exps, nor the mean over batches of different sizes"))
    sizes, pieces = _batches(session, session.monitored.held_out.judged)
    real = averages(nats, sizes)
    batches = [len(p) - 1, 1] if len(p) > 1 else [1]
    with np.errstate(divide="ignore"):
        own = averages(-np.log(np.array(p)), batches)
    columns = [(_own_words(batches), own), (_("the network on {text}", text=judged_text_name(session)), real)]
    grid(figures.averages_grid(columns), key="averages")
    elements.note(_("Measured on {where}; its batches are {batches}.", where=judged_label(session), batches=pieces))


def _own_words(batches: list[int]) -> str:
    if len(batches) == 1:
        return _("the slider, one batch")
    first, second = batches
    if first == second:
        return _("the sliders, batches of {first} and {second}: equal, no harm", first=first, second=second)
    return _("the sliders, batches of {first} and {second}", first=first, second=second)


def _batches(session: Session, stream: Stream) -> tuple[np.ndarray, str]:
    """The sizes of a text's batches (its lines, or pieces of ``TOKENS_WITHOUT_LINES`` tokens), and a description of them."""
    vocab = session.corpus.tokenizer.vocab
    end = next((vocab.index(symbol) for symbol in LINE_ENDS if symbol in vocab), None)
    sizes = lines(stream.targets, end, TOKENS_WITHOUT_LINES)
    about = {"n": count(len(sizes)), "low": sizes.min(), "high": sizes.max(), "kind": _(kind_of(session.corpus))}
    if end is not None:
        return sizes, ngettext(
            "its {n} line, of {low} to {high} {kind}s", "its {n} lines, of {low} to {high} {kind}s", len(sizes), **about
        )
    return sizes, ngettext(
        "its {n} piece, of {low} to {high} {kind}s", "its {n} pieces, of {low} to {high} {kind}s", len(sizes), **about
    )


def _double_sum(session: Session, state: PageState) -> None:
    stream, tokenizer = session.monitored.held_out.source, session.corpus.tokenizer
    at = (CONTEXT + 37 * state.get("token", 0)) % len(stream)

    def found() -> np.ndarray:
        reader = RnnReader(session.params(), session.settings.activation)
        return distribution(reader, stream.inputs[max(at - CONTEXT, 0) : at + 1])[1]

    y, target = cached_for_run(session, "distribution", found, at, refresh=STEADY), int(stream.targets[at])
    joint, many = ("", 12) if tokenizer.unit == "char" else (" ", 4)
    before = joint.join(map(visible, tokenizer.symbols(stream.inputs[max(at + 1 - many, 0) : at + 1])))
    symbol = visible(tokenizer.symbols([target])[0])
    words = figures.one_hot_words(float(-np.log(y[target])), symbol, _("the network, after …{text}", text=before))
    cards([words], key="one_hot_words")
    grid(figures.one_hot(y, target, tokenizer), key="one_hot")
