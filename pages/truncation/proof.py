"""The proof: echo-k with the state reset, one network for every window length, trained on this page."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.figures.truncation.proof import Dot, proof_figure, proof_label, proof_words, task_scene
from core.lessons import lesson
from core.text.corpus import Corpus, load_corpus
from core.text.languages import echo_floor_with_reset, echo_language
from core.training.live_run import LiveRun
from core.training.proof import Proof
from core.training.turns import compute
from pages.ui import frame
from pages.ui.components.cards.cards import cards
from pages.ui.components.echo_task.echo_task import echo_task
from pages.ui.components.live_figure.live_figure import live_figure
from pages.ui.components.stops.stops import Button, Slider, Switch, stops
from pages.ui.source import source
from pages.ui.state import Stage

NAME = "proof"
LAGS = (2, 4, 6, 8)
LENGTHS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 20)
LINE = range(1, LENGTHS[-1] + 1)
RECIPE = lesson("The price of forgetting").settings
COLUMNS = (640, 332)


def show(here: Stage, view: dict, beside: DeltaGenerator) -> None:
    run = here.beside.get(NAME) or begin(here, view)
    proof, k = run.source, view["k"]
    run.heartbeat()
    playing, length = run.playing, proof.length
    frame.note(
        f"Echo-{k}: the answer is the random bit read {k} steps before. Every τ steps the state is set to zero: "
        "what was read before is lost."
    )
    stops(
        [
            Button("pause" if playing else "play", "Pause" if playing else _to_do(proof), "pause" if playing else "play", True,
                   proof.finished),
            Slider("tau", "τ =", list(map(str, LENGTHS)), LENGTHS.index(length), [LENGTHS.index(5)], "Window and truncation"),
            Switch("k", "k =", [(str(lag), str(lag)) for lag in LAGS], str(k)),
            Button("seed", "Other weights", "reset"),
        ],
        label="The proof",
        on_move=lambda name, value, _: moved(here, view, name, value),
        on_press=lambda name: pressed(here, view, name),
        key="proof_bar",
    )  # fmt: skip
    dots = [Dot(m.num_steps, m.perplexity, m.tokens, m.finished) for m in proof.measured.values() if m.tokens]
    left, right = st.columns(COLUMNS)
    with left:
        frame.note("Line: no training gets below it. Dots: measured on held-out text; hollow: still learning.")
        bounds = {tau: proof.bound(tau) for tau in LINE}
        figure = proof_figure(bounds, dots, k=k, present=length, earlier=view["earlier"])
        live_figure(figure, key="proof", keep="", label=proof_label(dots, k))
    with right:
        now = next((dot for dot in dots if dot.length == length), None)
        for i, card in enumerate(proof_words(now, proof.bound(length), k=k, length=length)):
            cards([card], key=f"proof_words_{i}")
    bits = proof.corpus.train
    echo_task(task_scene(bits.inputs, bits.targets, k=k, length=length))
    frame.note(
        f"Lag-k reaches back one step less than echo-k: its gradient needs τ = k, this one τ = k + 1 = {k + 1}. "
        "With the state carried instead of reset this is no law: a state may hold the bit though no gradient asked it to."
    )
    source("proof", echo_language, echo_floor_with_reset, Proof)


def moving(here: Stage, view: dict) -> bool:
    return NAME in here.beside and here.beside[NAME].playing


def begin(here: Stage, view: dict) -> LiveRun:
    """Fresh networks for this k and this seed."""
    if NAME in here.beside:
        here.beside[NAME].pause()
    corpus = task(view["k"])
    with compute():
        here.beside[NAME] = LiveRun(Proof(corpus, RECIPE.but(lag=view["k"], seed=view["seed"]), LENGTHS, first=view["k"] + 1))
    return here.beside[NAME]


@st.cache_resource(max_entries=len(LAGS), show_spinner=False)
def task(k: int) -> Corpus:
    """The bits of echo-k: the same for every network, and for every reader."""
    with compute():
        return load_corpus(RECIPE.but(lag=k))


def moved(here: Stage, view: dict, name: str, value: object) -> None:
    """Another window length: its network is in its turn. Another k: another task."""
    run = here.beside[NAME]
    if name == "tau" and isinstance(value, int) and 0 <= value < len(LENGTHS):
        run.source.choose(LENGTHS[value])
    elif name == "k" and value in map(str, LAGS) and int(value) != view["k"]:
        length, played = run.source.length, run.playing
        view.update(k=int(value), earlier=())
        begin(here, view).source.choose(length)
        if played:
            play(here)


def pressed(here: Stage, view: dict, name: str) -> None:
    run = here.beside[NAME]
    if name == "play":
        play(here)
    elif name == "pause":
        run.pause()
    elif name == "seed":
        length, played = run.source.length, run.playing
        kept = [Dot(m.num_steps, m.perplexity, m.tokens, m.finished) for m in run.source.measured.values() if m.finished]
        view.update(seed=view["seed"] + 1, earlier=(*view["earlier"], *kept)[-4 * len(LENGTHS) :])
        begin(here, view).source.choose(length)
        if played:
            play(here)


def play(here: Stage) -> None:
    """Until every network has read its share."""
    run = here.beside[NAME]
    run.play(until=run.source.updates)


def _to_do(proof: Proof) -> str:
    return "All measured" if proof.finished else "Train" if not proof.step else "Go on"
