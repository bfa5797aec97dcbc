"""Sources of texts, and their streams of inputs and targets: a training part and a held-out part.

The held-out part is the last share of the tokens. Each of its tokens is a target there, and never a target in training. The
vocabulary is learnt on all of the text (a closed vocabulary), so both parts have the same V symbols.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from jaxtyping import Int32

from core.config.language import gettext as _, lazy_gettext, ngettext, sentences
from core.config.limits import LIMITS
from core.config.settings import KNOBS, Settings
from core.text.languages import echo_floor, echo_floor_with_reset, echo_language, lag_floor, lag_floor_with_reset, lag_language
from core.text.names import names
from core.text.randomness import Purpose, generator
from core.text.remote import REMOTES, fetched, is_downloaded
from core.text.token_stream import Stream, next_token_pairs
from core.text.tokenizer import UNK, Tokenizer, clean, first_tokens, learn_vocabulary, split

MAX_CHARACTERS = LIMITS.characters  # of a text, or tokens of a language (counting takes 60 bytes each); the rest is cut off
LAG_LENGTH = 660_000  # tokens of a generated language, by default
BITS = Tokenizer(("0", "1"))  # of the generated languages
UPDATES = 4  # that an epoch has at least with the values offered for a short text
MOST_LOST = 0.5  # share of a text that is left after cleaning; less is said
COUNTED = {  # a number of tokens with its unit, as text
    "char": lambda n: ngettext("{n} character", "{n} characters", n, n=f"{n:,}"),
    "word": lambda n: ngettext("{n} word", "{n} words", n, n=f"{n:,}"),
}
RARE = {  # notices about rare tokens, by unit and by whether there is only one
    ("char", True): lazy_gettext("{count} rare character became {unk}: {share} of the text."),
    ("char", False): lazy_gettext("{count} rare characters became {unk}: {share} of the text."),
    ("word", True): lazy_gettext("{count} rare word became {unk}: {share} of the text."),
    ("word", False): lazy_gettext("{count} rare words became {unk}: {share} of the text."),
}


@dataclass(frozen=True, eq=False)
class Corpus:
    """A tokenized text for training.

    ``name`` is displayed. ``held_out`` is None when nothing is held out. ``is_text``: the targets are the inputs moved by one,
    so counting models and sampling make sense. ``floor`` is the exact best perplexity of a generated language, else None.
    ``notices`` are sentences for the reader.
    """

    name: str
    tokenizer: Tokenizer
    train: Stream
    held_out: Stream | None
    is_text: bool = True
    floor: float | None = None
    notices: tuple[str, ...] = ()

    @cached_property
    def identity(self) -> str:
        """SHA-256, in hexadecimal, over all input and target ids and the vocabulary: equal for equal texts on every machine."""
        found = hashlib.sha256(json.dumps(self.tokenizer.vocab).encode())
        for stream in filter(None, (self.train, self.held_out)):
            for ids in (stream.inputs, stream.targets):
                found.update(len(ids).to_bytes(8, "little"))
                found.update(np.ascontiguousarray(ids, "<i4"))
        return found.hexdigest()

    @cached_property
    def unigram_nats(self) -> float:
        """The entropy of a target of the training text, in nats: the loss of a model that knows the frequencies alone."""
        counted = np.bincount(self.train.targets, minlength=1)
        shares = counted[counted > 0] / len(self.train)
        return float(-(shares * np.log(shares)).sum())


class TooShort(ValueError):
    """A text is too short for these settings; ``fitting`` are the values of N and T with which it is not, if there are any."""

    def __init__(self, sentence: str, fitting: Mapping[str, int]) -> None:
        super().__init__(sentence)
        self.fitting = fitting


@dataclass(frozen=True)
class TextSource:
    """A source of texts: one entry of the table ``SOURCES``, whose keys are the values of the setting ``corpus``.

    ``load`` returns a corpus for settings and the reader's own text. ``raw`` returns the text before cleaning, given the reader's
    own text; None for a language whose tokens are drawn. ``from_reader``: the text is the reader's own: no link and no
    shared cache has it. ``has_lag``: the setting ``lag`` applies.
    ``floor_with_reset`` is the best perplexity for a lag and a window length where the state is reset. ``example`` is an
    initial text for the pages, in the words of this source.
    """

    load: Callable[[Settings, str], Corpus]
    raw: Callable[[str], str] | None = None
    from_reader: bool = False
    has_lag: bool = False
    floor_with_reset: Callable[[int, int], float] | None = None
    example: str = ""

    @property
    def cleaned(self) -> bool:
        """Whether the source is a text, which is cleaned according to the settings; typed texts are then cleaned, too."""
        return self.raw is not None


def source_of(settings: Settings) -> TextSource:
    """The source of the text of these settings."""
    return SOURCES[settings.corpus]


def is_available(name: str, own_text: str = "") -> bool:
    """Whether a text can be loaded now, without an upload or a download first."""
    return bool(own_text or not SOURCES[name].from_reader) and (name not in REMOTES or is_downloaded(name))


def load_corpus(settings: Settings, own_text: str = "") -> Corpus:
    """The corpus of ``settings.corpus``; ``own_text`` is the reader's own, for a source that needs it.

    ``ValueError`` with a sentence for the reader where the text is empty or too short.
    """
    return source_of(settings).load(settings, own_text)


def floor_of(corpus: Corpus, settings: Settings) -> float | None:
    """The best possible perplexity: ``corpus.floor``, or the higher bound if the settings reset the state; None if unknown."""
    if corpus.floor is None or settings.carry_state:
        return corpus.floor
    return source_of(settings).floor_with_reset(settings.lag, settings.num_steps)


def cleaned_text(settings: Settings, own_text: str = "") -> str:
    """The text that :func:`load_corpus` encodes, cleaned and cut by the settings.

    Raises the same errors; ``TypeError`` for a language whose tokens are drawn.
    """
    return _cut(settings, source_of(settings).raw(own_text))


def _own_text_given(own_text: str) -> str:
    _require(own_text, _("There is no text of your own yet: paste one or upload a file."))
    return own_text


def _cut(settings: Settings, raw: str) -> str:
    """The part of a raw text that is used, cleaned."""
    named, text = KNOBS["corpus"].words[settings.corpus], clean(raw[:MAX_CHARACTERS], settings.cleaning)
    if raw.strip():
        blank = _("There is nothing to learn: {text} is blank after cleaning. Take another text.", text=_(named))
    else:
        blank = _("There is nothing to learn: {text} is blank. Take another text.", text=_(named))
    _require(text.strip(), blank)
    return first_tokens(text, settings.unit, settings.max_tokens) if settings.max_tokens else text


def _from_text(settings: Settings, own_text: str) -> Corpus:
    raw = source_of(settings).raw(own_text)
    text = _cut(settings, raw)
    vocab, rare = learn_vocabulary(split(text, settings.unit), settings.vocab_cap)
    tokenizer = Tokenizer(vocab, settings.unit)
    ids = tokenizer.encode(text)
    lost, pairs, name = _cleaning_notice(raw, settings), next_token_pairs(ids), KNOBS["corpus"].words[settings.corpus]
    notices = [_cut_notice(raw), lost, _rare_notice(rare, ids, tokenizer)]
    try:
        return _assemble(settings, tokenizer, ids, pairs, notices, name=name)
    except TooShort as error:
        raise TooShort(sentences(_(lost), str(error)) if lost else str(error), error.fitting) from None


def _lag_language(settings: Settings, _own_text: str) -> Corpus:
    bits = lag_language(drawn_length(settings), settings.lag, generator(settings.seed, Purpose.DATA))
    about = {"name": lazy_gettext("lag-{k} language", k=settings.lag), "floor": lag_floor()}
    return _assemble(settings, BITS, bits, next_token_pairs(bits), [_length_notice(settings)], **about)


def _echo_task(settings: Settings, _own_text: str) -> Corpus:
    bits, echoes = echo_language(drawn_length(settings), settings.lag, generator(settings.seed, Purpose.DATA))
    about = {"name": lazy_gettext("echo-{k} task", k=settings.lag), "floor": echo_floor(), "is_text": False}
    return _assemble(settings, BITS, bits, Stream(bits, echoes), [_length_notice(settings)], **about)


def drawn_length(settings: Settings) -> int:
    """The number of tokens of a generated language: at most ``MAX_CHARACTERS``."""
    return min(settings.max_tokens or LAG_LENGTH, MAX_CHARACTERS)


def _python_manual() -> str:
    """The manual that is installed with Python (``pydoc_data``), in alphabetical order of its topics."""
    try:
        from pydoc_data.topics import topics
    except ImportError:
        raise ValueError(_("This Python comes without its manual (pydoc_data.topics). Choose another text.")) from None
    return "\n\n".join(topics[name].strip("\n") for name in sorted(topics)) + "\n"


def _assemble(
    settings: Settings, tokenizer: Tokenizer, ids: Int32[np.ndarray, " tokens"], pairs: Stream, notices: list[str], **about: Any
) -> Corpus:
    """A corpus from its tokens and all its pairs; the pairs whose targets are the last share of the tokens are held out.

    Raises ``ValueError`` when all tokens are equal, or a part is too short to be used.
    """
    _check_variety(ids, tokenizer, settings)
    held = int(settings.validation_share * (len(pairs) + 1))
    border = len(pairs) - held
    _check_lengths(border, held, settings, COUNTED[tokenizer.unit])
    return Corpus(
        tokenizer=tokenizer,
        train=pairs[:border],
        held_out=pairs[border:] if held else None,
        notices=tuple(filter(None, [*notices, "" if held else _held_out_notice(settings)])),
        **about,
    )


def _check_variety(ids: Int32[np.ndarray, " tokens"], tokenizer: Tokenizer, settings: Settings) -> None:
    """``ValueError`` unless the text has at least two tokens, and the vocabulary at least two symbols."""
    cut = f" ({_(KNOBS['max_tokens'].label)}: {settings.max_tokens:,})" if len(ids) == settings.max_tokens else ""
    values = {"tokens": COUNTED[tokenizer.unit](len(ids)), "cut": cut}
    _require(len(ids) > 1, _("This text has {tokens}{cut}, and learning needs at least 2. Take a longer one.", **values))
    same = _("The {tokens} of this text are all the same{cut}: there is nothing to learn. Take another text.", **values)
    _require(tokenizer.size > 1, same)


def _check_lengths(train: int, held: int, settings: Settings, counted: Callable[[int], str]) -> None:
    """``ValueError`` unless training has pairs for one update, and the held-out part, if any, fills one window."""
    N, T = settings.batch_size, settings.num_steps
    if train < N * T:
        sentence = _(
            "One update reads {sequences} of {tokens} = {all}, but the training text has only {there} to predict. "
            "Take a smaller batch size, fewer time steps or a longer text.",
            sequences=ngettext("{n} sequence", "{n} sequences", N, n=f"{N:,}"),
            tokens=counted(T),
            all=f"{N * T:,}",
            there=f"{train:,}",
        )
    elif 0 < held < T:
        sentence = _(
            "The held-out {percent} % of this text is {tokens} long, less than one window of {steps}. "
            "Take fewer time steps, a larger held-out share or none (0), or a longer text.",
            percent=f"{100 * settings.validation_share:.3g}",
            tokens=counted(held),
            steps=ngettext("{n} time step", "{n} time steps", T, n=f"{T:,}"),
        )
    else:
        return
    raise TooShort(sentence, _fitting(train, held, N, T))


def _fitting(train: int, held: int, N: int, T: int) -> dict[str, int]:
    """Values of N and T, at most these, of which one update reads at most a quarter of the training text, if that is possible."""
    if not train:
        return {}
    steps = min(T, held or T, max(train // UPDATES, 1))
    return {"num_steps": steps, "batch_size": max(min(N, train // (UPDATES * steps)), 1)}


def _held_out_notice(settings: Settings) -> str:
    if settings.validation_share:
        return lazy_gettext(
            "Nothing is held out (the text is too short for the share): perplexity is judged on the training text itself."
        )
    return lazy_gettext("Nothing is held out (the share is 0): perplexity is judged on the training text itself.")


def _cut_notice(raw: str) -> str:
    if len(raw) <= MAX_CHARACTERS:
        return ""
    used, there = f"{MAX_CHARACTERS:,}", f"{len(raw):,}"
    return lazy_gettext("Only the first {used} of {there} characters are used.", used=used, there=there)


def _cleaning_notice(raw: str, settings: Settings) -> str:
    """A sentence if cleaning threw away most of the text."""
    if settings.cleaning == "keep":
        return ""
    there = min(len(raw), MAX_CHARACTERS)
    kept = len(clean(raw[:MAX_CHARACTERS], settings.cleaning))
    if kept >= MOST_LOST * there:
        return ""
    return lazy_gettext(
        "Cleaning keeps letters from a to z and blanks: it threw away {lost} of {there} characters.",
        lost=f"{there - kept:,}",
        there=f"{there:,}",
    )


def _length_notice(settings: Settings) -> str:
    asked, length = settings.max_tokens or LAG_LENGTH, drawn_length(settings)
    if length >= asked:
        return ""
    return lazy_gettext("Only {length} tokens are generated, not {asked}.", length=f"{length:,}", asked=f"{asked:,}")


def _rare_notice(rare: int, ids: Int32[np.ndarray, " tokens"], tokenizer: Tokenizer) -> str:
    if not rare:
        return ""
    share = f"{np.mean(ids == tokenizer.unknown):.2%}"
    return lazy_gettext(RARE[tokenizer.unit, rare == 1], count=f"{rare:,}", unk=UNK, share=share)


def _require(condition: object, sentence: str) -> None:
    if not condition:
        raise ValueError(sentence)


def _remote_source(name: str, example: str) -> TextSource:
    return TextSource(_from_text, lambda _: fetched(name), example=example)


SOURCES = {
    "python_manual": TextSource(_from_text, lambda _: _python_manual(), example="the value of teh expression is returned."),
    "time_machine": _remote_source("time_machine", "the traveller sat down at teh table, and told us of the machine."),
    "shakespeare": _remote_source("shakespeare", "thou art a man of honour, and teh king will hear of it."),
    "tang_poems": _remote_source("tang_poems", "白日依山尽，黄海入河流。"),
    "names_zh": TextSource(_from_text, lambda _: names("zh"), example="斯洛尼亚语"),
    "names_en": TextSource(_from_text, lambda _: names("en"), example="Saint Barbara"),
    "lag": TextSource(_lag_language, has_lag=True, floor_with_reset=lag_floor_with_reset),
    "echo": TextSource(_echo_task, has_lag=True, floor_with_reset=echo_floor_with_reset),
    "own": TextSource(_from_text, _own_text_given, from_reader=True),
}
READERS_OWN = next(name for name, source in SOURCES.items() if source.from_reader)
