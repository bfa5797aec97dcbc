"""The truncation sweep: networks equal but for the truncation length, trained side by side."""

from typing import Any

from core.config.language import gettext as _, lazy_gettext, sentences
from core.config.link import to_text
from core.config.settings import Settings
from core.training.experiments.comparisons import COIN_PERPLEXITY, base, expected, lengths, needed, sweep_settings
from core.training.experiments.sweep import Sweep
from pages.app.layout import elements
from pages.app.navigation.section_tabs import PageState
from pages.app.navigation.url_state import enum_param
from pages.app.panels import sweep_view
from pages.app.session.session import Session
from pages.app.widgets.control_widgets import Slider, Switch, controls
from pages.content.notation import in_notation
from pages.truncation import echo_bound
from pages.truncation.echo_bound import BUDGET, JUDGED, LAGS

NAME = "truncation_race"
TASKS = {"lag": lazy_gettext("lag-k"), "echo": lazy_gettext("echo-k"), "text": lazy_gettext("the text being learnt")}
STARTS = {
    "identity": lazy_gettext("identity"),
    "orthogonal": lazy_gettext("rotation"),
    "fixed": lazy_gettext("fixed rotation"),
}
FROZEN_WEIGHTS = ("W_hh",)  # the weights that stay constant with a fixed rotation
RESERVOIR_NOTE = lazy_gettext(
    "W_hh stays as it began, so nothing teaches the state to remember: what falls below 2 all the same is a reservoir, which "
    "W_hq learns to read. Where a curve climbs again, a gradient cut too short has moved W_xh and b_h the wrong way."
)
SEEDS = (1, 2, 3, 5)
PARAMS = {
    "task": enum_param(TASKS),
    "k": echo_bound.PARAMS["k"],
    "blocks": enum_param((True, False)),
    "carried": enum_param((True, False)),
    "start": enum_param(STARTS),
    "seeds": enum_param(SEEDS),
}


def show(session: Session, state: PageState) -> None:
    elements.note(task_note(state))
    controls(
        *rows(session, state),
        label=_("The race"),
        on_move=lambda name, value, _: state.update({name: PARAMS[name].read(str(value))}),
        on_press=lambda what: press(session, state, what),
        key="truncation_race_bar",
    )
    chosen = session.experiments.requests[NAME] if NAME in session.experiments else requested_sweep(state)
    start = float(session.corpus.tokenizer.size) if chosen["task"] == "text" else COIN_PERPLEXITY
    if NAME in session.experiments:
        sweep_view.charts(session, NAME, "truncation", expected(**chosen), start)
        frozen_weights = session.experiments[NAME].source.members[0].frozen
    else:
        sweep_view.planned_charts(NAME, networks(session, state), BUDGET, "truncation", expected(**chosen), start)
        frozen_weights = frozen(state)
    elements.note(legend_note(**chosen))
    if frozen_weights:
        elements.note(in_notation(_(RESERVOIR_NOTE), session.settings.notation))
    elements.source("truncation_race", Sweep, sweep_settings)


def rows(session: Session, state: PageState) -> list[list[Any]]:
    """Two rows of controls: the networks, and how they are trained."""
    generated = state["task"] != "text"
    first = [Switch("task", "", [(task, _(words)) for task, words in TASKS.items()], state["task"])]
    blocks = [("no", _("windows of 32, cut every τ")), ("yes", _("one per block, T = τ"))]
    second = [Switch("blocks", _("updates"), blocks, to_text(state["blocks"]))]
    if generated:
        first.append(Switch("k", "k =", [(str(k), str(k)) for k in LAGS], str(state["k"])))
        starts = [(start, _(words)) for start, words in STARTS.items()]
        first.append(Switch("start", in_notation(_("W_hh at first"), session.settings.notation), starts, state["start"]))
        carried = [("yes", _("carried")), ("no", _("reset"))]
        second.append(Switch("carried", _("state"), carried, to_text(state["carried"])))
    first.append(Slider("seeds", _("seeds"), list(map(str, SEEDS)), SEEDS.index(state["seeds"]), SEEDS))
    return [first, [*second, *sweep_view.buttons(session, NAME)]]


def press(session: Session, state: PageState, what: str) -> None:
    if what != "begin":
        sweep_view.press(session, NAME, what)
        return
    sweep = Sweep(networks(session, state), BUDGET, session.own_text, JUDGED, frozen(state))
    sweep_view.begin(session, NAME, sweep, requested_sweep(state))


def requested_sweep(state: PageState) -> dict[str, Any]:
    """The sweep that the present choices describe."""
    task, k = state["task"], state["k"]
    carried = state["carried"] or task == "text"
    return {"task": task, "k": k, "taus": lengths(task, k), "blocks": state["blocks"], "carried": carried}


def frozen(state: PageState) -> tuple[str, ...]:
    """The weights that are not trained with the present choices."""
    return FROZEN_WEIGHTS if state["start"] == "fixed" and state["task"] != "text" else ()


def networks(session: Session, state: PageState) -> list[Settings]:
    chosen = requested_sweep(state)
    common = base(session.settings, chosen["task"], chosen["k"], carried=chosen["carried"], rotation=state["start"] != "identity")
    return sweep_settings(common, chosen["taus"], state["seeds"], blocks=chosen["blocks"])


def task_note(state: PageState) -> str:
    """A note on the task of the networks."""
    if state["task"] == "text":
        return _("Does the truncation length change held-out perplexity? Equal networks on the text being learnt will tell.")
    k, least = state["k"], needed(state["task"], state["k"])
    answer = _("The answer is the bit read {k} steps before.", k=k)
    if state["task"] == "lag":
        answer = _("The answer is the bit {k} back, 95 % of the time.", k=k)
    return sentences(answer, _("A gradient has to go back {least} steps to teach it: τ = {least} at least.", least=least))


def legend_note(task: str, k: int, taus: tuple[int, ...], blocks: bool, carried: bool) -> str:
    """A note on the meaning of the green dashes."""
    if task == "text":
        return _("Read the dots: where they no longer fall, longer cuts pay nothing on this text, in this time.")
    if not carried and blocks:
        return _("Green: the bound for windows of τ with the state reset. That is a theorem: no training gets below it.")
    return _(
        "Green: 2 where no gradient reaches the answer, the best possible where one does. Observed, not proved: a state "
        "that goes on may hold the answer although no gradient asked for it. With a rotation it does."
    )
