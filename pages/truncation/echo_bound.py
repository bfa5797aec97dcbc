"""The echo bound: echo-k with the state reset, one network for every window length, trained on this page."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from core.config.language import gettext as _, lazy_gettext, sentences
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
REASON = "reason_picture"  # of a scene: the chart, and below it the windows whose bound is explained
LAGS = (2, 4, 6, 8)
LENGTHS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 20)
LINE = range(1, LENGTHS[-1] + 1)
RECIPE = lesson("The price of forgetting").settings.but(carry_state=False)
BUDGET = Budget(tokens=600_000)  # that every network reads
IN_SCENE = (2, 3, 4, 5, 6, 8, 12, 16)  # lengths in a scene, which waits for the networks
SHORT = Budget(tokens=160_000)  # the same, in a scene
JUDGED = 50_000  # held-out tokens of a judgement
STATES = (("reset", lazy_gettext("reset")), ("carried", lazy_gettext("carried")))  # what a window does with the state before it
COLUMNS = (640, 332)
START = {"seed": 0, "window": None, "earlier": (), "handed": "reset"}
PARAMS = {"k": enum_param(LAGS, 4)}  # the section with the race has it, too


def show(session: Session, state: PageState) -> None:
    stops, run = lengths(session), session.experiments.get(NAME)
    if run is None or tuple(member.settings.num_steps for member in run.source.members) != stops:  # of a scene, or of none
        run = begin(session, state)
    k, bits, carried = state["k"], task(state["k"]), state["handed"] == "carried"
    length = state["window"] if state["window"] in stops else k if session.scene else stops[0]
    elements.note(
        sentences(
            _("Echo-{k}: the answer is the random bit read {k} steps before.", k=k),
            _("Every τ steps the state is handed on, the gradient is cut.")
            if carried
            else _("Every τ steps the state is set to zero: what was read before is lost."),
        )
    )
    bar(session, state, run, length)
    elements.notice(*failure_words(run.source.members, "num_steps"))
    drawing = task_drawing(bits.train.inputs, bits.train.targets, k=k, length=length, carried=carried)
    if session.scene:  # the reason first
        echo_task(drawing)
    dots = measured(run)
    bounds = {tau: floor_of(bits, RECIPE.but(lag=k, num_steps=tau)) for tau in LINE}
    if session.scene:
        with elements.place(REASON):
            chart(state, bounds, dots, length, in_scene=True, ended=run.arrived)
            reset = task_drawing(bits.train.inputs, bits.train.targets, k=k, length=k + 1, choices=True)
            echo_task(reset, key="windows_reset")
        return
    left, right = st.columns(COLUMNS)
    with left:
        elements.note(
            _("Line: the bound with the state reset. Dots: measured on held-out text; hollow: still learning.")
            if carried
            else _("Line: no training gets below it. Dots: measured on held-out text; hollow: still learning.")
        )
        chart(state, bounds, dots, length)
    with right:
        now = next((dot for dot in dots if dot.num_steps == length), None)
        for i, card in enumerate(echo_bound_panels(now, bounds[length], k=k, length=length, carried=carried)):
            cards([card], key=f"proof_words_{i}")
    echo_task(drawing)
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


def chart(
    state: PageState, bounds: Mapping[int, float], dots: list[Dot], length: int, *, in_scene: bool = False, ended: bool = False
) -> None:
    """Draw the chart. In a scene the dots come first, and the line only when all of them are there."""
    earlier = state["earlier"]
    figure = echo_bound_figure(
        bounds,
        dots,
        k=state["k"],
        present=length,
        earlier=earlier,
        line=ended or bool(earlier) if in_scene else bool(dots or earlier),
        carried=state["handed"] == "carried",
        in_scene=in_scene,
    )
    live_figure(figure, key="proof", label=echo_bound_label(dots, state["k"]))


def lengths(session: Session) -> tuple[int, ...]:
    """The window lengths that are trained."""
    return IN_SCENE if session.scene else LENGTHS


def bar(session: Session, state: PageState, run: LiveRun, length: int) -> None:
    """Draw the button that trains the networks, the window length whose numbers are shown, and the task."""
    stops = lengths(session)
    finished, playing = all(member.ended for member in run.source.members), run.playing
    does = "pause" if playing else "play"
    to_do = _("All measured") if finished else _("Go on") if run.source.tokens else _("Train")
    controls(
        [
            Button(does, _("Pause") if playing else to_do, does, True, finished),
            Slider("tau", "τ =", list(map(str, stops)), stops.index(length), stops, help=_("Window and truncation")),
            Switch("k", "k =", [(str(lag), str(lag)) for lag in LAGS], str(state["k"])),
            Switch("handed", _("state"), [(which, _(words)) for which, words in STATES], state["handed"]),
            Button("seed", _("Other weights"), "reset"),
        ],
        label=_("The proof"),
        on_move=lambda name, value, _: move(session, state, name, value),
        on_press=lambda name: press(session, state, name),
        hidden_in_scenes={"seed", "k"},
        key="proof_bar",
    )  # fmt: skip


def begin(session: Session, state: PageState) -> LiveRun:
    """Create new networks for the chosen k and seed, equal but for their windows: a gradient cannot reach beyond one."""
    recipe = RECIPE.but(lag=state["k"], seed=state["seed"], carry_state=state["handed"] == "carried")
    networks = [recipe.but(num_steps=length, truncation=length) for length in lengths(session)]
    return session.experiments.begin(NAME, LiveRun(Sweep(networks, SHORT if session.scene else BUDGET, judged=JUDGED)))


@cached_for_all_sessions(max_entries=len(LAGS), set_up=with_setup_lock)
def task(k: int) -> Corpus:
    """The bits of echo-k, shared by all networks and sessions."""
    return load_corpus(RECIPE.but(lag=k))


def move(session: Session, state: PageState, name: str, value: Any) -> None:
    """Handle a control: a window length selects the network whose numbers are shown; another k restarts with another task; with
    the state carried or reset all are trained again, if they were, and the dots before stay as ghosts."""
    if name == "tau":
        state["window"] = value
    elif name == "handed":
        if value != state["handed"]:
            trained = session.experiments[NAME].source.tokens > 0
            restart(session, state, handed=value, earlier=_kept(session, state))
            if trained:
                play(session)
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
        restart(session, state, seed=state["seed"] + 1, earlier=_kept(session, state))


def _kept(session: Session, state: PageState) -> tuple[Dot, ...]:
    """The earlier dots and those that are measured now, with the state reset: the line is a bound for these alone."""
    now = [dot for dot in measured(session.experiments[NAME]) if dot.finished and state["handed"] == "reset"]
    return (*state["earlier"], *now)[-4 * len(LENGTHS) :]


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
