"""The echo bound: echo-k with the state reset, one network for every window length, trained on this page."""

from typing import Any

import streamlit as st

from core.config.language import gettext as _, sentences
from core.models.loss import perplexity_of
from core.text.corpus import Corpus, floor_of, load_corpus
from core.text.languages import echo_floor_with_reset, echo_language
from core.training.experiments.sweep import Sweep
from core.training.experiments.sweep_worker import Budget
from core.training.run.live_run import LiveRun
from pages.app.layout import elements
from pages.app.navigation.section_tabs import PageState
from pages.app.navigation.url_state import enum_param
from pages.app.server.setup_lock import with_setup_lock
from pages.app.server.shared_cache import cached_for_all_sessions
from pages.app.session.session import Session
from pages.app.widgets.components import cards, echo_task, live_figure
from pages.app.widgets.control_widgets import Button, Slider, Switch, controls
from pages.content.lessons import lesson
from pages.figures.training.sweep_words import failure_words
from pages.figures.truncation.echo_bound import Dot, echo_bound_figure, echo_bound_label, echo_bound_panels, task_drawing

NAME = "proof"
LAGS = (2, 4, 6, 8)
LENGTHS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 20)
LINE = range(1, LENGTHS[-1] + 1)
RECIPE = lesson("The price of forgetting").settings.but(carry_state=False)
BUDGET = Budget(tokens=600_000)  # that every network reads
JUDGED = 50_000  # held-out tokens of a judgement
COLUMNS = (640, 332)
START = {"seed": 0, "window": None, "earlier": ()}
PARAMS = {"k": enum_param(LAGS, 4)}  # the section with the race has it, too


def show(session: Session, state: PageState) -> None:
    run = session.experiments.get(NAME) or begin(session, state)
    k, length, bits = state["k"], state["window"] or LENGTHS[0], task(state["k"])
    elements.note(
        sentences(
            _("Echo-{k}: the answer is the random bit read {k} steps before.", k=k),
            _("Every τ steps the state is set to zero: what was read before is lost."),
        )
    )
    bar(session, state, run, length)
    elements.notice(*failure_words(run.source.members, "num_steps"))
    dots = measured(run)
    left, right = st.columns(COLUMNS)
    with left:
        elements.note(_("Line: no training gets below it. Dots: measured on held-out text; hollow: still learning."))
        bounds = {tau: floor_of(bits, RECIPE.but(lag=k, num_steps=tau)) for tau in LINE}
        figure = echo_bound_figure(bounds, dots, k=k, present=length, earlier=state["earlier"])
        live_figure(figure, key="proof", label=echo_bound_label(dots, k))
    with right:
        now = next((dot for dot in dots if dot.num_steps == length), None)
        for i, card in enumerate(echo_bound_panels(now, bounds[length], k=k, length=length)):
            cards([card], key=f"proof_words_{i}")
    echo_task(task_drawing(bits.train.inputs, bits.train.targets, k=k, length=length))
    elements.note(
        sentences(
            _("Lag-k reaches back one step less than echo-k: its gradient needs τ = k, this one τ = k + 1 = {tau}.", tau=k + 1),
            _(
                "If the state is handed on instead, the line is no bound: the state may keep the bit, although no gradient "
                "taught it to."
            ),
        )
    )
    elements.source("proof", echo_language, echo_floor_with_reset)


def bar(session: Session, state: PageState, run: LiveRun, length: int) -> None:
    """Draw the button that trains the networks, the window length whose numbers are shown, and the task."""
    finished, playing = all(member.ended for member in run.source.members), run.playing
    does = "pause" if playing else "play"
    to_do = _("All measured") if finished else _("Go on") if run.source.tokens else _("Train")
    controls(
        [
            Button(does, _("Pause") if playing else to_do, does, True, finished),
            Slider("tau", "τ =", list(map(str, LENGTHS)), LENGTHS.index(length), LENGTHS, help=_("Window and truncation")),
            Switch("k", "k =", [(str(lag), str(lag)) for lag in LAGS], str(state["k"])),
            Button("seed", _("Other weights"), "reset"),
        ],
        label=_("The proof"),
        on_move=lambda name, value, _: move(session, state, name, value),
        on_press=lambda name: press(session, state, name),
        hidden_in_scenes={"seed"},
        key="proof_bar",
    )  # fmt: skip


def begin(session: Session, state: PageState) -> LiveRun:
    """Create new networks for the chosen k and seed, equal but for their windows: a gradient cannot reach beyond one."""
    recipe = RECIPE.but(lag=state["k"], seed=state["seed"])
    networks = [recipe.but(num_steps=length, truncation=length) for length in LENGTHS]
    return session.experiments.begin(NAME, LiveRun(Sweep(networks, BUDGET, judged=JUDGED)))


@cached_for_all_sessions(max_entries=len(LAGS), set_up=with_setup_lock)
def task(k: int) -> Corpus:
    """The bits of echo-k, shared by all networks and sessions."""
    return load_corpus(RECIPE.but(lag=k))


def move(session: Session, state: PageState, name: str, value: Any) -> None:
    """Handle a control: a window length selects the network whose numbers are shown; another k restarts with another task."""
    if name == "tau":
        state["window"] = value
    elif int(value) != state["k"]:
        restart(session, state, k=int(value), earlier=())


def restart(session: Session, state: PageState, **changed: Any) -> None:
    """Replace the networks by new ones; they train if the old ones did."""
    played = session.experiments.playing(NAME)
    state.update(changed)
    begin(session, state)
    if played:
        play(session)


def press(session: Session, state: PageState, name: str) -> None:
    run = session.experiments[NAME]
    if name == "play":
        play(session)
    elif name == "pause":
        run.pause()
    elif name == "seed":
        kept = [dot for dot in measured(run) if dot.finished]
        restart(session, state, seed=state["seed"] + 1, earlier=(*state["earlier"], *kept)[-4 * len(LENGTHS) :])


def play(session: Session) -> None:
    """Train until every network has read its number of tokens."""
    run = session.experiments[NAME]
    run.play(until=len(run.source.members))


def measured(run: LiveRun) -> list[Dot]:
    """What the networks that have begun to train have reached."""
    begun = [member for member in run.source.members if member.tokens and member.ended in ("", "finished")]
    return [
        Dot(member.settings.num_steps, perplexity_of(member.reached.nats), member.reached.tokens, bool(member.ended))
        for member in begun
    ]
