"""A run in words and numbers: the large readout of the Training page, and the card in the sidebar."""

import math
from typing import Any

from core.figures import words
from core.figures.style import amount, count, number
from core.settings import Settings
from core.text.corpus import Corpus
from core.training.history import History, Moment, thin
from core.training.live_run import Snapshot
from core.training.tbptt import remedy

KIND = {"char": "character", "word": "word"}
TITLES = {
    "untrained": "Untrained",
    "training": "Training",
    "waiting": "Waiting for its turn",
    "paused": "Paused",
    "diverged": "Diverged",
    "failed": "Stopped",
}
CARD_POINTS = 60
WORSE = 2.0  # times V: a perplexity above it is said to be worse than guessing


def kind_of(corpus: Corpus) -> str:
    """What one token of this text is called: character, word, or symbol of a generated language."""
    return KIND[corpus.tokenizer.unit] if corpus.is_text and corpus.floor is None else "symbol"


def kinds(corpus: Corpus) -> str:
    """The whole vocabulary in words: "103 characters"."""
    return f"{count(corpus.tokenizer.size)} {kind_of(corpus)}s"


def judged_on(on_training_text: bool) -> str:
    return "perplexity, training text" if on_training_text else "held-out perplexity"


def readout(snapshot: Snapshot, corpus: Corpus, *, on_training_text: bool) -> dict[str, Any]:
    """What stands beside the curve: the perplexity now, what it means, and how the run goes."""
    view, kind = snapshot.view, kind_of(corpus)
    stopped = snapshot.state in ("diverged", "failed")
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
            ["tokens per second", amount(snapshot.tokens_per_second) if snapshot.tokens_per_second else "–"],
        ],
        "norm": _gauge(view.grad_norm, view.clipped_norm, view.settings.clip_norm),
        "notice": snapshot.reason if stopped or snapshot.state == "paused" else "",
        "remedies": _remedies(snapshot) if snapshot.state == "diverged" else [],
    }


def _meaning(perplexity: float, corpus: Corpus) -> tuple[str, str]:
    """What a perplexity means, in two lines. Far above V the network is surer than it should be, of the wrong tokens."""
    if not perplexity <= WORSE * corpus.tokenizer.size:
        return f"worse than guessing among all {count(corpus.tokenizer.size)}:", "a smaller rate may help"
    return "as if choosing among", f"{perplexity:.{2 if perplexity < 3 else 1}f} {kind_of(corpus)}s"


def _gauge(before: float, after: float, clip: float) -> dict[str, Any]:
    """The norm before clipping as a bar, the clip norm as a mark; full scale is twice the clip norm (or the norm's decade)."""
    full = 2 * clip if clip else 10 ** math.ceil(math.log10(before)) if before > 0 and math.isfinite(before) else 1.0
    clipped = bool(clip) and before > clip
    return {
        "says": f"{number(before)} → {number(after)}" if clipped else number(before),
        "clip": f"clip {words.value('clip_norm', clip)}",
        "share": min(before / full, 1.0) if math.isfinite(before) else 0.0,
        "mark": clip / full if clip else -1,
        "clipped": clipped,
    }


def run_card(snapshot: Snapshot, history: History, corpus: Corpus, *, on_training_text: bool, small: bool) -> dict[str, Any]:
    """The sidebar's card: state, number, a small curve, and buttons (on the Training page the state alone)."""
    view, state = snapshot.view, snapshot.state
    return {
        "state": state,
        "title": TITLES[state],
        "aside": "" if small else f"update {count(view.point.update)}",
        "number": "∞" if state == "diverged" else number(view.perplexity),
        "what": judged_on(on_training_text),
        "sentence": _sentence(snapshot, corpus),
        "curve": [] if small else _sparkline(history),
        "buttons": [] if small else _buttons(snapshot),
        "lines": describe(view.settings, corpus),
        "small": small,
    }


def _sentence(snapshot: Snapshot, corpus: Corpus) -> str:
    if snapshot.state == "untrained":
        return f"Guesses among all {count(corpus.tokenizer.size)}. Press play."
    if snapshot.state == "waiting":
        return "Another run computes. Yours is next."
    return snapshot.reason


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
    """The newest sample and those of earlier moments, as plain text with blanks and breaks made visible where one line is all."""
    view = snapshot.view
    return {
        "now": view.sample,
        "when": f"at update {count(view.sample_update)}",
        "earlier": [[count(m.update), _in_one_line(m.sample)] for m in _first_and_newest(history.moments)],
    }


def _in_one_line(text: str) -> str:
    return text.replace("\n", "↵").replace("\t", "→")[:80]


def _first_and_newest(moments: list[Moment]) -> list[Moment]:
    """The noise it began with, and the last four."""
    return moments[:1] + moments[1:][-4:]


def _remedies(snapshot: Snapshot) -> list[list[str]]:
    """What may help a diverged run, as [name, words on its button]."""
    return [["halve_rate", "Halve the rate"], ["clip", f"Clip at {number(remedy(snapshot.view.settings, 'clip')['clip_norm'])}"]]
