"""The card of the run in the sidebar: its state, its number, a small curve."""

import math
from typing import Any

from core.figures.parts import words
from core.figures.parts.numbers import count, number, short
from core.figures.parts.symbols import kinds
from core.settings import Settings
from core.text.corpus import Corpus
from core.training.curves import thin
from core.training.divergence import remedy
from core.training.history import History
from core.training.live_run import Snapshot

TITLES = {
    "untrained": "Untrained",
    "training": "Training",
    "waiting": "Waiting for its turn",
    "paused": "Paused",
    "diverged": "Diverged",
    "failed": "Stopped",
}
POINTS = 60
EVENLY = 1.05  # times V: up to here a network that has seen nothing guesses evenly


def judged_on(on_training_text: bool) -> str:
    """What the perplexity of a run is called, by the text that judges it."""
    return "perplexity, training text" if on_training_text else "held-out perplexity"


def meaning(perplexity: float, V: int, kind: str) -> tuple[str, str]:
    """What a perplexity means, in two short lines: among how many equally likely tokens a choice would be as hard.

    A model that guesses evenly among all V of them has V; what has more is surer than it should be, of the wrong tokens.
    """
    everything = f"all {count(V)} {kind}s"
    if not perplexity <= EVENLY * V:
        return "worse than guessing evenly", f"among {everything}"
    return "as if choosing among", everything if perplexity > V else f"{number(perplexity)} {kind}s"


def run_card(snapshot: Snapshot, history: History, corpus: Corpus, *, on_training_text: bool, small: bool) -> dict[str, Any]:
    """The sidebar's card: state, number, a small curve, and buttons (on the Training page the state alone)."""
    view, state = snapshot.view, snapshot.state
    return {
        "state": state,
        "title": TITLES[state],
        "aside": "" if small else f"update {count(view.point.update)}",
        "number": "∞" if state == "diverged" else number(view.perplexity),
        "what": judged_on(on_training_text),
        "sentence": _sentence(snapshot, corpus, small),
        "curve": [] if small else _sparkline(history),
        "buttons": [] if small else _buttons(snapshot),
        "lines": describe(view.settings, corpus),
        "small": small,
    }


def _sentence(snapshot: Snapshot, corpus: Corpus, small: bool) -> str:
    """What there is to say of this state; on the Training page its readout says why a run stopped."""
    if snapshot.state == "untrained":
        return f"It finds all {kinds(corpus)} about equally likely. Press play."
    if snapshot.state == "waiting":
        return "Another run is computing. Yours is next."
    return "" if small else snapshot.reason


def _buttons(snapshot: Snapshot) -> list[list[str]]:
    if snapshot.state == "diverged":
        return [[do, text, ""] for do, text in remedies(snapshot)]
    if snapshot.state in ("training", "waiting"):
        return [["pause", "Pause", "pause"]]
    return [["play", "Play: train the network", "play"], ["step", "One update", "step"]]


def _sparkline(history: History) -> list[float]:
    """The judged curve, log perplexity from 0 (lowest) to 1 (highest), against log update."""
    nats = [point.nats for point in thin(history.judged, POINTS) if math.isfinite(point.nats)]
    low, high = min(nats, default=0.0), max(nats, default=0.0)
    return [round((value - low) / (high - low or 1.0), 3) for value in nats]


def describe(settings: Settings, corpus: Corpus) -> list[str]:
    """The text, the sizes, and how it is trained, a line each."""
    sizes = [("V", corpus.tokenizer.size), ("H", settings.hidden_size), ("N", settings.batch_size), ("T", settings.num_steps)]
    unit = words.value("unit", corpus.tokenizer.unit)
    manner = [words.value(name, getattr(settings, name)) for name in ("activation", "optimizer")]
    return [
        f"{corpus.name}, {unit}",
        " · ".join(f"{name} {count(value)}" for name, value in sizes),
        " · ".join([*manner, f"seed {settings.seed}"]),
    ]


def remedies(snapshot: Snapshot) -> list[list[str]]:
    """What may help a diverged run, as [name, words on its button]."""
    return [["halve_rate", "Halve the rate"], ["clip", f"Clip at {short(remedy(snapshot.view.settings, 'clip')['clip_norm'])}"]]
