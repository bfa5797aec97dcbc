"""What a scene on Training shows beside the curve: what the network writes, and how it does on text that it has not seen."""

from collections.abc import Generator
from typing import Any

from core.analysis.unseen import Unseen, unseen_text
from core.analysis.writing import guessed, longest_copy
from core.config.language import gettext as _
from core.text.corpus import cleaned_text, source_of
from core.text.tokenizer import split
from core.training.run.live_run import Snapshot
from core.training.run.scheduler import outside
from pages.app.layout import elements
from pages.app.session.session import Session
from pages.app.session.session_cache import STEADY, cached_for_corpus, cached_for_run
from pages.app.widgets.components import bit_rows, echo_task, live_figure
from pages.figures.parts.numbers import count, number
from pages.figures.training.bit_rows import bit_rows as rows_of_bits
from pages.figures.training.gradient_norms import gradient_norms_figure, gradient_norms_label
from pages.figures.training.readout import BesideRow, copied_row, guessed_row, written_row
from pages.figures.truncation.echo_bound import task_drawing
from pages.reasons.experiments import before_overflow

REASON = "reason_picture"
MORE = 2  # times as much text of the same source, of which the network has not seen the rest


def written_beside(session: Session, snapshot: Snapshot) -> list[BesideRow]:
    """What the network writes now; with a text that it may have learnt by heart, the longest passage that it copies, and the line
    of the text where that stands, with the words that it guesses. None outside of a scene."""
    corpus, sample = session.corpus, snapshot.view.sample
    if not session.scene or not sample:
        return []
    if not session.monitored.held_out.on_training_text or corpus.tokenizer.unit != "word":
        return [written_row(sample)]
    inputs, targets = corpus.train.inputs, corpus.train.targets
    written, symbols = corpus.tokenizer.encode(sample), corpus.tokenizer.symbols
    at, of, length = longest_copy(written, targets)

    def by_heart() -> list[bool]:
        return guessed(session.params(), inputs, targets, activation=session.settings.activation).tolist()

    right = cached_for_run(session, "guessed", by_heart, refresh=STEADY)
    return [copied_row(symbols(written), at, length), guessed_row(symbols(targets), of, right)]


def reason_picture(session: Session) -> None:
    """Draw the reason of the scene, to which it scrolls: the bits of a language whose best value is known, or the gradient norms
    of the run that overflows."""
    scene, corpus, settings = session.scene, session.corpus, session.settings
    if not scene or scene.why_view != REASON:
        return
    with elements.place(REASON):
        if settings.corpus == "lag":
            bit_rows(rows_of_bits(corpus.train.inputs, settings.lag))
        elif settings.corpus == "echo":
            bits = corpus.train.inputs, corpus.train.targets
            echo_task(task_drawing(*bits, k=settings.lag, length=settings.num_steps, choices=True))
        elif corpus.is_text:
            norms = [norm for norm, _radius in before_overflow(session)]
            live_figure(gradient_norms_figure(norms), key="gradient_norms", label=gradient_norms_label(norms))


def unseen(session: Session) -> dict[str, str]:
    """In place of the meaning of the perplexity on its training text: that on the words that follow it; {} where a scene does
    not ask for it."""
    corpus, settings = session.corpus, session.settings
    asks = session.scene and session.monitored.held_out.on_training_text and corpus.tokenizer.unit == "word"
    if not asks or source_of(settings).from_reader:
        return {}

    def next_words() -> Generator[Any, None, list[str]]:
        text = yield from outside(lambda: cleaned_text(settings.but(max_tokens=MORE * settings.max_tokens)))
        return list(split(text, "word"))[len(corpus.train) + 1 :]

    words = cached_for_corpus(session, "next_words", next_words)
    if not words:
        return {}

    def judged() -> Unseen:
        return unseen_text(session.params(), corpus.tokenizer, words, activation=settings.activation)

    found = cached_for_run(session, "unseen", judged, refresh=STEADY)
    numbers = {"n": count(found.count), "all": count(len(words))}
    own = _("on its text; on {n} of the next {all} words: those known, after a known one", **numbers)
    return {"as_if": own, "kinds": number(found.perplexity)}
