"""The part of a script that reads a text, or draws a language, and makes token ids of it."""

from typing import NamedTuple

from core.config.settings import Settings
from core.text.corpus import UNITS, Corpus, drawn_length, source_of
from core.text.languages import NOISE
from core.text.streams import Purpose
from core.text.tokenizer import EOS, UNK
from core.training.script.template import filled

FILE = "text.txt"  # where a script finds its text, beside itself
IMPORTS = "from collections import Counter\nfrom pathlib import Path\n"
SPLIT = {"char": "", "word": f'.replace("\\n", " {EOS} ").split()'}
COUNTED = {"char": "Counter(tokens)", "word": f'Counter(w for w in tokens if w != "{UNK}")'}
ALL_KNOWN = """\
id_of = {token: i for i, (token, _) in enumerate(Counter(tokens).most_common())}  # most frequent first
ids = np.array([id_of[token] for token in tokens])"""
SOME_KNOWN = """\
id_of = {w: i for i, (w, _) in enumerate($counted.most_common(V - 1))}
ids = np.array([id_of.get(token, V - 1) for token in tokens])  # all other ${unit}s share the last id"""
TEXT = """\
tokens = Path(__file__).with_name("$file").read_text(encoding="utf-8")$split
$ids
L = len(ids) - 1$held_out
"""
SEEDED = "rng = np.random.default_rng(np.random.SeedSequence($stream))  # the seed, and the stream for data"


class Drawn(NamedTuple):
    """A language whose tokens are drawn: what is predicted, the code that draws, and what a window reads and asks for."""

    predicted: str
    code: str
    window: str


NEXT = "x, y = ids[places], ids[places + 1]"
DRAWN = {
    "lag": Drawn(
        "the next bit, mostly that $k back",
        f"""\
{SEEDED}
ids = (rng.random($length) < $noise).astype(int)  # 1: this bit differs from the one $k back
ids[:$k] = rng.random($within) < 0.5
for i in range($k, len(ids)):
    ids[i] ^= ids[i - $k]
L = len(ids) - 1$held_out
""",
        NEXT,
    ),
    "echo": Drawn(
        "the bit it read $k steps ago",
        f"""\
{SEEDED}
ids = rng.integers(0, 2, $length + $k, dtype=np.int32)
L = $length$held_out
""",
        "x, y = ids[places + $k], ids[places]",
    ),
}


def text(settings: Settings, corpus: Corpus) -> dict[str, str]:
    """Pieces that leave token ids, and L, how many pairs are trained on; and the one that reads a window."""
    return _read(settings, corpus) if source_of(settings).cleaned else _drawn(settings)


def _read(settings: Settings, corpus: Corpus) -> dict[str, str]:
    unit, tokenizer = settings.unit, corpus.tokenizer
    capped = tokenizer.size == settings.vocab_cap and tokenizer.unknown == tokenizer.size - 1
    ids = filled(SOME_KNOWN, {"counted": COUNTED[unit], "unit": UNITS[unit]}) if capped else ALL_KNOWN
    known = {"file": FILE, "split": SPLIT[unit], "ids": ids, "held_out": _held_out(settings, "len(ids)")}
    return {
        "imports": IMPORTS,
        "needs": f", and {FILE} beside it",
        "predicted": f"the next {UNITS[unit]}",
        "text": filled(TEXT, known),
        "window": NEXT,
    }


def _drawn(settings: Settings) -> dict[str, str]:
    language, length = DRAWN[settings.corpus], drawn_length(settings)
    known = {
        "k": str(settings.lag),
        "within": str(min(settings.lag, length)),
        "length": str(length),
        "noise": str(NOISE),
        "stream": str([settings.seed, int(Purpose.DATA)]),
        "held_out": _held_out(settings, "len(ids)" if settings.corpus == "lag" else str(length + 1)),
    }
    return {
        "imports": "",
        "needs": "",
        "predicted": filled(language.predicted, known),
        "text": filled(language.code, known),
        "window": filled(language.window, known),
    }


def _held_out(settings: Settings, tokens: str) -> str:
    share = settings.validation_share
    return f" - int({share} * {tokens})  # pairs to train on; the rest is held out" if share else "  # pairs to train on"
