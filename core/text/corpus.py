"""Where a text comes from, and what of it is trained on: aligned streams of inputs and targets, training and held-out.

The held-out part is the last share of the tokens. Every one of its tokens is a target there, and never one in training. The
vocabulary is learnt on all of the text (a closed vocabulary), so both parts speak of the same V symbols.
"""

import platform
import re
from dataclasses import dataclass

import numpy as np
from jaxtyping import Int32

from core.settings import KNOBS, Settings
from core.text.languages import echo_floor, echo_floor_with_reset, echo_language, lag_floor, lag_floor_with_reset, lag_language
from core.text.streams import Purpose, generator
from core.text.tokenizer import UNK, Tokenizer, first_tokens, learn_vocabulary, split

MAX_CHARACTERS = 8_000_000  # of a text (counting takes 60 bytes each); the rest is cut off, and the reader is told
LAG_LENGTH = 660_000  # tokens of a generated language when no length is asked for
UNITS = {"char": "character", "word": "word"}


@dataclass(frozen=True, eq=False)
class Stream:
    """L pairs in reading order: after ``inputs[i]`` comes ``targets[i]``. Both (L,), int32, read-only.

    Raises ``ValueError`` unless they are of one length.
    """

    inputs: Int32[np.ndarray, " L"]
    targets: Int32[np.ndarray, " L"]

    def __post_init__(self) -> None:
        if self.inputs.ndim != 1 or self.inputs.shape != self.targets.shape:
            raise ValueError(f"Every input needs one target; shapes {self.inputs.shape} and {self.targets.shape} came.")
        for name in ("inputs", "targets"):
            view = getattr(self, name).view()
            view.flags.writeable = False
            object.__setattr__(self, name, view)

    def __len__(self) -> int:
        return len(self.inputs)


@dataclass(frozen=True, eq=False)
class Corpus:
    """A text ready to be learnt.

    ``name`` is for screens, ``source`` says where it is from. ``held_out`` is None when nothing is held out. ``is_text``:
    the targets are the inputs moved by one, so counting models and sampling make sense. ``floor`` is the exact best
    perplexity, where the language has one. ``notices`` are sentences for the reader.
    """

    name: str
    source: str
    licence: str
    tokenizer: Tokenizer
    train: Stream
    held_out: Stream | None
    is_text: bool = True
    floor: float | None = None
    notices: tuple[str, ...] = ()


def load_corpus(settings: Settings, own_text: str = "") -> Corpus:
    """The corpus that ``settings.corpus`` names; ``own_text`` is the reader's own, needed for "own" only.

    Reads the fields corpus, unit, cleaning, vocab_cap, max_tokens, validation_share, lag, seed, batch_size and num_steps.
    Raises ``ValueError`` with a sentence for the reader when there is nothing to learn from, or too little.
    """
    if settings.corpus == "lag":
        return _lag_corpus(settings)
    if settings.corpus == "echo":
        return _echo_corpus(settings)
    if settings.corpus == "own":
        _require(own_text, "There is no text of your own yet: paste one or upload a file.")
        return _text_corpus(settings, own_text, "your own text", "pasted or uploaded", "yours; it is kept nowhere")
    source = f"pydoc_data.topics of Python {platform.python_version()}"
    return _text_corpus(settings, _python_manual(), "Python manual", source, "PSF licence, © Python Software Foundation")


def floor_of(corpus: Corpus, settings: Settings) -> float | None:
    """The best possible perplexity in this mode of training: higher than the text's own where the state is reset."""
    if corpus.floor is None or settings.carry_state:
        return corpus.floor
    with_reset = echo_floor_with_reset if settings.corpus == "echo" else lag_floor_with_reset
    return with_reset(settings.lag, settings.num_steps)


def clean(text: str, cleaning: str) -> str:
    """A text as it is trained on (a prompt goes the same way). Line ends become newlines, half characters U+FFFD.

    ``letters`` then leaves only a to z in lower case; every run of anything else becomes one blank (Dive into Deep Learning,
    8.2).
    """
    text = _whole_characters(text).replace("\r\n", "\n").replace("\r", "\n")
    return re.sub("[^A-Za-z]+", " ", text).lower() if cleaning == "letters" else text


def _text_corpus(settings: Settings, raw: str, name: str, source: str, licence: str) -> Corpus:
    text = clean(raw[:MAX_CHARACTERS], settings.cleaning)
    _require(
        text.strip(), f"There is nothing to learn: {name} is blank{' after cleaning' * bool(raw.strip())}. Take another text."
    )
    if settings.max_tokens:
        text = first_tokens(text, settings.unit, settings.max_tokens)
    vocab, rare = learn_vocabulary(split(text, settings.unit), settings.vocab_cap)
    tokenizer = Tokenizer(vocab, settings.unit)
    ids = tokenizer.encode(text)
    _check_variety(ids, tokenizer, settings)
    notices = [_told_cut(raw), _told_rare(rare, ids, tokenizer)]
    return _assemble(settings, tokenizer, _next_token_pairs(ids), notices, name=name, source=source, licence=licence)


def _lag_corpus(settings: Settings) -> Corpus:
    rng = generator(settings.seed, Purpose.DATA)
    bits = lag_language(settings.max_tokens or LAG_LENGTH, settings.lag, rng)
    tokenizer = Tokenizer(("0", "1"), "char")
    _check_variety(bits, tokenizer, settings)
    return _assemble(
        settings,
        tokenizer,
        _next_token_pairs(bits),
        name=f"lag-{settings.lag} language",
        source=f"generated: each bit repeats the one {settings.lag} back, 95 times in 100",
        licence="none needed",
        floor=lag_floor(),
    )


def _echo_corpus(settings: Settings) -> Corpus:
    rng = generator(settings.seed, Purpose.DATA)
    inputs, targets = echo_language(settings.max_tokens or LAG_LENGTH, settings.lag, rng)
    tokenizer = Tokenizer(("0", "1"), "char")
    _check_variety(inputs, tokenizer, settings)
    return _assemble(
        settings,
        tokenizer,
        Stream(inputs, targets),
        name=f"echo-{settings.lag} task",
        source=f"generated: random bits; the target is the bit read {settings.lag} steps before",
        licence="none needed",
        is_text=False,
        floor=echo_floor(),
    )


def _python_manual() -> str:
    """The reference manual inside this Python, in alphabetical order of its topics."""
    try:
        from pydoc_data.topics import topics
    except ImportError:
        raise ValueError("This Python comes without its manual (pydoc_data.topics). Choose another text.") from None
    return "\n\n".join(topics[name].strip("\n") for name in sorted(topics)) + "\n"


def _next_token_pairs(ids: Int32[np.ndarray, " tokens"]) -> Stream:
    return Stream(ids[:-1], ids[1:])


def _assemble(settings: Settings, tokenizer: Tokenizer, pairs: Stream, notices: list[str] | None = None, **about) -> Corpus:
    """A corpus from all its pairs; those whose targets are the last share of the tokens are held out.

    Raises ``ValueError`` when a part of them is too short to be used.
    """
    held = int(settings.validation_share * (len(pairs) + 1))
    border = len(pairs) - held
    _check_lengths(border, held, settings, UNITS[tokenizer.unit])
    return Corpus(
        tokenizer=tokenizer,
        train=Stream(pairs.inputs[:border], pairs.targets[:border]),
        held_out=Stream(pairs.inputs[border:], pairs.targets[border:]) if held else None,
        notices=tuple(filter(None, [*(notices or []), "" if held else _told_nothing_held_out(settings)])),
        **about,
    )


def _check_variety(ids: Int32[np.ndarray, " tokens"], tokenizer: Tokenizer, settings: Settings) -> None:
    """``ValueError`` unless there is a next token to predict, and more than one it could be."""
    unit = UNITS[tokenizer.unit]
    cut = f" ({KNOBS['max_tokens'].label}: {settings.max_tokens:,})" if len(ids) == settings.max_tokens else ""
    found = _amount(len(ids), unit)
    _require(len(ids) > 1, f"This text has {found}{cut}, and learning needs at least 2. Take a longer one.")
    _require(tokenizer.size > 1, f"The {found} of this text are all the same{cut}: there is nothing to learn. Take another text.")


def _check_lengths(train: int, held: int, settings: Settings, unit: str) -> None:
    """``ValueError`` unless training has pairs for one update, and what is held out (if anything) fills one window."""
    N, T = settings.batch_size, settings.num_steps
    _require(
        train >= N * T,
        f"One update reads {_amount(N, 'sequence')} of {_amount(T, unit)} = {N * T:,}, but the training text has only "
        f"{train:,} to predict. Take a smaller batch size, fewer time steps or a longer text.",
    )
    _require(
        not 0 < held < T,
        f"The held-out {100 * settings.validation_share:.3g} % of this text is {_amount(held, unit)} long, less than one window "
        f"of {_amount(T, 'time step')}. Take fewer time steps, a larger held-out share or none (0), or a longer text.",
    )


def _told_nothing_held_out(settings: Settings) -> str:
    why = "the text is too short for the share" if settings.validation_share else "the share is 0"
    return f"Nothing is held out ({why}): perplexity is judged on the training text itself."


def _told_cut(raw: str) -> str:
    if len(raw) <= MAX_CHARACTERS:
        return ""
    return f"Only the first {MAX_CHARACTERS:,} of {len(raw):,} characters are used."


def _told_rare(rare: int, ids: Int32[np.ndarray, " tokens"], tokenizer: Tokenizer) -> str:
    if not rare:
        return ""
    share = np.mean(ids == tokenizer.unknown)
    return f"{_amount(rare, 'rare ' + UNITS[tokenizer.unit])} became {UNK}: {share:.2%} of the text."


def _whole_characters(text: str) -> str:
    """The text with every half of a surrogate pair that stands alone replaced: it could not be sent to a screen."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def _amount(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'s' * (number != 1)}"


def _require(condition: object, sentence: str) -> None:
    if not condition:
        raise ValueError(sentence)
