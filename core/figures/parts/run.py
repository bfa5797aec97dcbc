"""A run in words and numbers: the large readout of the Training page, and the card in the sidebar."""

import math
from typing import Any

from core.figures.parts import words
from core.figures.parts.numbers import amount, count, number, short
from core.figures.parts.symbols import kind_of
from core.settings import Settings
from core.text.corpus import Corpus
from core.training.history import History, Moment, thin
from core.training.live_run import Snapshot
from core.training.tbptt import remedy

TITLES = {
    "untrained": "Untrained",
    "training": "Training",
    "waiting": "Waiting for its turn",
    "paused": "Paused",
    "diverged": "Diverged",
    "failed": "Stopped",
}
CARD_POINTS = 60
NORMS = (-3, 3)  # decades of the gauge
CLIPPED_ENOUGH = 1.0  # the clip norm that is offered as a remedy
WORSE = 2.0  # times V: a perplexity above it is said to be worse than guessing


def kinds(corpus: Corpus) -> str:
    """The whole vocabulary in words: "103 characters"."""
    return f"{count(corpus.tokenizer.size)} {kind_of(corpus)}s"


def judged_on(on_training_text: bool) -> str:
    """What the perplexity of a run is called, by the text that judges it."""
    return "perplexity, training text" if on_training_text else "held-out perplexity"


def readout(snapshot: Snapshot, corpus: Corpus, *, on_training_text: bool) -> dict[str, Any]:
    """What stands beside the curve: the perplexity now, what it means, and how the run goes."""
    view, kind = snapshot.view, kind_of(corpus)
    perplexity = view.perplexity
    as_if, kinds_now = _meaning(perplexity, corpus)
    return {
        "state": snapshot.state,
        "what": judged_on(on_training_text),
        "number": "∞" if snapshot.state == "diverged" else number(perplexity),
        "as_if": as_if,
        "kinds": kinds_now,
        "rows": [
            [f"bits per {kind}", number(view.judged.nats / math.log(2))],
            ["update", count(view.point.update)],
            ["epoch", number(view.epoch)],
            ["tokens read", amount(view.point.tokens)],
            _pace(snapshot),
        ],
        "norm": _gauge(view.grad_norm, view.clipped_norm, view.settings.clip_norm),
        "notice": _notice(snapshot),
        "remedies": _remedies(snapshot) if snapshot.state == "diverged" else [],
    }


def _meaning(perplexity: float, corpus: Corpus) -> tuple[str, str]:
    """What a perplexity means, in two short lines. Far above V the network is surer than it should be, of the wrong tokens."""
    if not perplexity <= WORSE * corpus.tokenizer.size:
        return "worse than guessing:", "a smaller rate may help"
    return "as if choosing among", f"{perplexity:.{2 if perplexity < 3 else 1}f} {kind_of(corpus)}s"


def _pace(snapshot: Snapshot) -> list[str]:
    """How fast it reads; in the same place, why it paused by itself."""
    if snapshot.state == "paused" and snapshot.reason:
        return [snapshot.reason, ""]
    return ["tokens per second", amount(snapshot.tokens_per_second) if snapshot.tokens_per_second else "–"]


def _notice(snapshot: Snapshot) -> str:
    """Why it cannot go on. A run that is clipped already and diverges needs more than the buttons offer."""
    if snapshot.state not in ("diverged", "failed"):
        return ""
    clip = snapshot.view.settings.clip_norm
    if snapshot.state == "diverged" and 0 < clip <= CLIPPED_ENOUGH:
        after = count(snapshot.view.point.update)
        return (
            f"It overflowed right after update {after}, although clipped at {short(clip)}. "
            "If halving the rate does not help, start over with a smaller gain or rate."
        )
    return snapshot.reason


def _gauge(before: float, after: float, clip: float) -> dict[str, Any]:
    """The norm before clipping as a bar, the clip norm as a mark, both on one logarithmic scale that never changes."""
    clipped = bool(clip) and before > clip
    return {
        "says": f"{number(before)} → {number(after)}" if clipped else number(before),
        "clip": f"clip {words.value('clip_norm', clip)}",
        "share": _share(before),
        "mark": _share(clip) if clip else -1,
        "clipped": clipped,
        "scale": f"log scale, from {10.0 ** NORMS[0]:g} to {10 ** NORMS[1]:g}",
    }


def _share(norm: float) -> float:
    """How much of the gauge a norm fills, 0 to 1."""
    if not norm > 0:
        return 0.0
    low, high = NORMS
    return round(min(max((math.log10(norm) - low) / (high - low), 0.0), 1.0), 4)


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
        return f"Guesses among all {count(corpus.tokenizer.size)}. Press play."
    if snapshot.state == "waiting":
        return "Another run computes. Yours is next."
    return "" if small else snapshot.reason


def _buttons(snapshot: Snapshot) -> list[list[str]]:
    if snapshot.state == "diverged":
        return [[do, text, ""] for do, text in _remedies(snapshot)]
    if snapshot.state in ("training", "waiting"):
        return [["pause", "Pause", "pause"]]
    return [["play", "Play: train the network", "play"], ["step", "One update", "step"]]


def _sparkline(history: History) -> list[float]:
    """The judged curve, log perplexity from 0 (lowest) to 1 (highest), against log update."""
    nats = [point.nats for point in thin(history.judged, CARD_POINTS) if math.isfinite(point.nats)]
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


def writing(snapshot: Snapshot, history: History) -> dict[str, Any]:
    """The newest sample and those of earlier moments, as plain text with blanks and breaks made visible where one line is all.

    A network whose numbers are no longer finite writes nothing.
    """
    view = snapshot.view
    return {
        "now": view.sample,
        "when": f"at update {count(view.sample_update)}" if view.sample else "nothing: its numbers are no longer finite",
        "earlier": [[count(m.update), _in_one_line(m.sample)] for m in _first_and_newest(history.moments)],
    }


def _in_one_line(text: str) -> str:
    return text.replace("\n", "↵").replace("\t", "→")[:80] or "–"


def _first_and_newest(moments: list[Moment]) -> list[Moment]:
    """The noise it began with, and the last four."""
    return moments[:1] + moments[1:][-4:]


def _remedies(snapshot: Snapshot) -> list[list[str]]:
    """What may help a diverged run, as [name, words on its button]."""
    return [["halve_rate", "Halve the rate"], ["clip", f"Clip at {short(remedy(snapshot.view.settings, 'clip')['clip_norm'])}"]]
