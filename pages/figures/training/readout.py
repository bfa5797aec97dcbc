"""The readout beside the curve of the Training page: perplexity, progress of the run, and samples of generated text."""

import math
from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from typing import TypedDict

from core.config.language import gettext as _, lazy_gettext, sentences
from core.text.corpus import Corpus
from core.text.tokenizer import EOS
from core.training.history import History
from core.training.run.live_run import Snapshot
from core.training.run.monitored_trainer import RATE_IS_ZERO
from pages.figures.parts import words
from pages.figures.parts.axes import log_fraction
from pages.figures.parts.numbers import amount, count, number, short
from pages.figures.parts.run_card import judged_at, meaning, remedies
from pages.figures.parts.symbols import kind_of

NORMS = (-3, 3)  # decades of the gauge
CLIPPED_ENOUGH = 1.0  # the largest clip norm that the remedy sets
ONE_LINE = 90  # characters of a sample in one line
AROUND, MOST_WORDS = 2, 9  # words before and after a copied passage, and of it at most
LINE = 12  # words of the text, more than fit
LONGEST = 14  # characters of a word
IN_ONE_LINE = str.maketrans("\n\t", "↵→")
OVERFLOWS = lazy_gettext("After update {n} the next update overflows, whatever the rate is.")
NOTICES = {
    "too_fast": lazy_gettext("The rate is too large for this network."),
    "overfitting": lazy_gettext("It overfits: since update {n} only training windows get better."),
}


class NormGauge(TypedDict):
    """The norm before clipping as a bar, the clip norm as a mark (-1: none), both on a fixed logarithmic scale."""

    says: str
    clip: str
    share: float
    mark: float
    clipped: bool
    scale: str


class Readout(TypedDict):
    """The perplexity now, its meaning, and the progress of the run; remedies are [command, text]."""

    state: str
    what: str
    number: str
    error: str
    as_if: str
    kinds: str
    rows: list[list[str]]
    norm: NormGauge
    notice: str
    remedies: list[list[str]]


def readout(snapshot: Snapshot, corpus: Corpus, *, on_training_text: bool) -> Readout:
    view, kind = snapshot.view, kind_of(corpus)
    perplexity = view.perplexity
    as_if, kinds_now = meaning(perplexity, corpus.tokenizer.size, kind)
    state_rows = [[_("rate now"), short(float(f"{view.learning_rate:.3g}"))], _pace(snapshot)]
    if snapshot.reason == RATE_IS_ZERO:  # it takes both lines
        state_rows = [[_(RATE_IS_ZERO), ""]]
    return {
        "state": snapshot.state,
        "what": judged_at(view, on_training_text),
        "number": "∞" if snapshot.state == "diverged" else number(perplexity),
        "error": f"± {number(view.error, 2)}" if snapshot.state != "diverged" and math.isfinite(view.error) else "",
        "as_if": as_if,
        "kinds": kinds_now,
        "rows": [
            [_("bits per {kind}", kind=_(kind)), number(view.judged.nats / math.log(2))],
            [_("update"), count(view.point.update)],
            [_("epoch"), number(view.point.epoch)],
            [_("tokens read"), amount(view.point.tokens)],
            *state_rows,
        ],
        "norm": _gauge(view.grad_norm, view.clipped_norm, view.settings.clip_norm),
        "notice": _notice(snapshot),
        "remedies": remedies(snapshot) if snapshot.state != "failed" else [],
    }


def _pace(snapshot: Snapshot) -> list[str]:
    """The tokens per second, or why the run paused by itself."""
    if snapshot.state == "paused" and snapshot.reason:
        return [_(snapshot.reason), ""]
    return [_("tokens per second"), amount(snapshot.tokens_per_second) if snapshot.tokens_per_second else "–"]


def _notice(snapshot: Snapshot) -> str:
    """What is wrong with a run. If it diverged in spite of clipping, the sentence suggests more than the buttons do."""
    diagnosis = snapshot.view.diagnosis
    if diagnosis.kind == "overflows" and snapshot.state != "failed":
        return _(OVERFLOWS, n=count(diagnosis.since))
    if not snapshot.failed:
        return _(NOTICES[diagnosis.kind], n=count(diagnosis.since)) if diagnosis.kind else ""
    clip = snapshot.view.settings.clip_norm
    if snapshot.state == "diverged" and 0 < clip <= CLIPPED_ENOUGH:
        after = count(snapshot.view.point.update)
        return sentences(
            _("It overflowed after update {n}, although clipped at {norm}.", n=after, norm=short(clip)),
            _("If half the rate does not help, start over with a smaller gain."),
        )
    return _(snapshot.reason)


def _gauge(before: float, after: float, clip: float) -> NormGauge:
    clipped = bool(clip) and before > clip
    return {
        "says": f"{number(before)} → {number(after)}" if clipped else number(before),
        "clip": _("clip {norm}", norm=words.value("clip_norm", clip)),
        "share": _share(before),
        "mark": _share(clip) if clip else -1,
        "clipped": clipped,
        "scale": _("log scale, from {low} to {high}", low=f"{10.0 ** NORMS[0]:g}", high=f"{10 ** NORMS[1]:g}"),
    }


def _share(norm: float) -> float:
    """The share of the gauge that a norm fills, 0 to 1."""
    low, high = NORMS
    return round(log_fraction(norm, 10.0**high, high - low), 4) if norm > 0 else 0.0


class BesideRow(TypedDict):
    """A line below the chart: a name, and a text in parts (text, whether it stands out)."""

    name: str
    parts: list[tuple[str, bool]]


def written_row(sample: str) -> BesideRow:
    """What the network writes now, in one line."""
    return {"name": _("it writes"), "parts": [(sample.translate(IN_ONE_LINE)[:ONE_LINE], False)]}


def copied_row(words: Sequence[str], start: int, length: int) -> BesideRow:
    """A passage of what the network writes that it has copied from its text, with a few words around it."""
    parts = _around(words, start, length)
    return {
        "name": _("it writes ({n} copied)", n=count(length)),
        "parts": [(passage, i == 1) for i, passage in enumerate(parts) if passage.strip()],
    }


def guessed_row(words: Sequence[str], start: int, right: Sequence[bool]) -> BesideRow:
    """The line of its text from which it has copied: words that the network guesses, all before them read, stand out."""
    first = max(start - AROUND, 0)
    shown = zip(map(_short, words[first : first + LINE]), right[first : first + LINE], strict=True)
    parts = [(" ".join(word for word, _right in part), is_right) for is_right, part in groupby(shown, itemgetter(1))]
    name = _("its text: {n} of {all} guessed", n=count(sum(right)), all=count(len(right)))
    return {"name": name, "parts": [part for passage, is_right in parts for part in ((passage, is_right), (" ", False))]}


def _around(words: Sequence[str], start: int, length: int) -> list[str]:
    """The words before, in and after a passage, as much as fits in a line."""
    shown = min(length, MOST_WORDS)
    parts = words[max(start - AROUND, 0) : start], words[start : start + shown], words[start + length : start + length + AROUND]
    before, passage, after = (" ".join(_short(word) for word in part) for part in parts)
    return [f"{before} ", passage + " …" * (shown < length), f" {after}"]


def _short(word: str) -> str:
    return "↵" if word == EOS else f"{word[:LONGEST]}…" if len(word) > LONGEST else word


class WritingDrawing(TypedDict):
    """The newest sample, and those of earlier moments as [update, text]."""

    says: str
    now: str
    when: str
    earlier: list[list[str]]


def writing_drawing(snapshot: Snapshot, history: History, *, is_text: bool = True, past: bool = False) -> WritingDrawing:
    """The newest sample as plain text; those of earlier moments on one line each, with visible line breaks and tabs.

    There is no sample if numbers are not finite, or if the network does not learn to predict the next token (``is_text`` is
    False). ``past``: an earlier moment is displayed.
    """
    view = snapshot.view
    earlier = [m for m in history.moments.milestones if m.update <= view.point.update and m.sample is not None]
    nothing = _("nothing: its numbers are no longer finite") if is_text else _("nothing: what it predicts is not the next token")
    return {
        "says": _("It wrote, then") if past else _("It writes, now"),
        "now": view.sample,
        "when": _("at update {n}", n=count(view.sample_update)) if view.sample else nothing,
        "earlier": [[count(m.update), m.sample.translate(IN_ONE_LINE)[:80] or "–"] for m in earlier[:1] + earlier[1:][-4:]],
    }
