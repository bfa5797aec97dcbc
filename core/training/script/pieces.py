"""Pieces of a script: code that reads a text or draws a language; initial weights, forward, backward and the optimiser."""

import re
from collections.abc import Mapping
from string import Template
from typing import NamedTuple

from core.config.language import Message, gettext as _, lazy_gettext, sentences
from core.config.settings import Settings
from core.models.initialisation import SMALL
from core.text.corpus import UNITS, Corpus, drawn_length, source_of
from core.text.languages import NOISE
from core.text.streams import Purpose
from core.text.tokenizer import EOS, UNK, Tokenizer

FILE = "text.txt"  # the text, in the directory of the script
IMPORTS = "from collections import Counter\nfrom pathlib import Path\n"
NEARLY = lazy_gettext("In float64 the numbers are the dashboard's, in float32 nearly.")
OTHERS = lazy_gettext("all other {unit}s share the last id")
COMMENT = re.compile("  # (.+)$", re.MULTILINE)  # at the end of a line: a message to translate, unless it is a piece
SPLIT = {"char": "", "word": f'.replace("\\n", " {EOS} ").split()'}
COUNTED = {"char": "Counter(tokens)", "word": f'Counter(w for w in tokens if w != "{UNK}")'}
ALL_KNOWN = """\
id_of = {token: i for i, (token, _) in enumerate(Counter(tokens).most_common())}  # most frequent first
ids = np.array([id_of[token] for token in tokens])"""
SOME_KNOWN = """\
id_of = {w: i for i, (w, _) in enumerate($counted.most_common(V - 1))}
ids = np.array([id_of.get(token, V - 1) for token in tokens])  # $others"""
TEXT = """\
tokens = Path(__file__).with_name("$file").read_text(encoding="utf-8")$split
$ids
L = len(ids) - 1$held_out
"""
SEEDED = "rng = np.random.default_rng(np.random.SeedSequence($stream))  # the seed, and the stream for data"


class Source(NamedTuple):
    """A text, or a language whose tokens are drawn: the script's description, the code that reads or draws the tokens, and the
    line that reads a window."""

    about: Message
    code: str
    window: str


NEXT = "x, y = ids[places], ids[places + 1]"
READ = Source(lazy_gettext("A recurrent network learns to predict the next {unit}; prints update, perplexity."), TEXT, NEXT)
DRAWN = {
    "lag": Source(
        lazy_gettext("A recurrent network learns to predict the next bit, mostly that {k} back; prints update, perplexity."),
        f"""\
{SEEDED}
ids = (rng.random($length) < $noise).astype(int)  # $differs
ids[:$k] = rng.random($within) < 0.5
for i in range($k, len(ids)):
    ids[i] ^= ids[i - $k]
L = len(ids) - 1$held_out
""",
        NEXT,
    ),
    "echo": Source(
        lazy_gettext("A recurrent network learns to predict the bit it read {k} steps ago; prints update, perplexity."),
        f"""\
{SEEDED}
ids = rng.integers(0, 2, $length + $k, dtype=np.int32)
L = $length$held_out
""",
        "x, y = ids[places + $k], ids[places]",
    ),
}
PHI = {  # the activation and its derivative
    "tanh": ("np.tanh($a)", "(1 - h[t + 1] ** 2)"),
    "relu": ("np.maximum($a, 0)", "(h[t + 1] > 0)"),
    "sigmoid": ("0.5 + 0.5 * np.tanh(0.5 * ($a))  # sigmoid", "h[t + 1] * (1 - h[t + 1])"),
}
INPUT = {  # x W_xh and its derivatives, by whether there is an embedding
    False: ("W_xh[x[t]]", "np.add.at(dW_xh, x[t], da)  # x is one-hot: of each token the row of W_xh"),
    True: ("W_emb[x[t]] @ W_xh", "dW_xh += W_emb[x[t]].T @ da\nnp.add.at(dW_emb, x[t], da @ W_xh.T)"),
}
MEMORY = {
    "sgd": "",
    "adagrad": "squares = [np.zeros_like(p) for p in params]",
    "adam": "means, squares = ([np.zeros_like(p) for p in params] for _ in range(2))",
}
OPTIMIZERS = {
    "sgd": """\
for p, g in zip(params, grads):  # SGD
    $decay
    p -= $rate * g""",
    "adagrad": """\
for p, g, s in zip(params, grads, squares):  # Adagrad
    s += g * g
    $decay
    p -= $rate * g / (np.sqrt(s) + 1e-7)""",
    "adam": """\
for p, g, m, s in zip(params, grads, means, squares):  # Adam
    m += 0.1 * (g - m)
    s += 0.001 * (g * g - s)
    $decay
    p -= $rate * m / (1 - 0.9**update) / (np.sqrt(s / (1 - 0.999**update)) + 1e-8)""",
}
RECURRENT = {  # the initialisations with a special W_hh
    "orthogonal": "Q, R = np.linalg.qr(rng.standard_normal((H, H)))\nW_hh = {gain}Q * np.sign(np.diagonal(R))  # orthogonal",
    "identity": "W_hh = {gain}np.eye(H)",
}


def filled(template: str, pieces: Mapping[str, str]) -> str:
    """The template with each ``$name`` replaced by that piece. A piece of several lines gets the indent of its line; a line that
    becomes empty is removed."""
    lines = []
    for line in template.splitlines():
        room = "\n" + line[: len(line) - len(line.lstrip())]
        now = Template(line).substitute(pieces).replace("\n", room) if "$" in line else line
        if now.strip() or not line:
            lines.append(now)
    return "\n".join(lines)


def text(settings: Settings, corpus: Corpus) -> dict[str, str]:
    """Pieces that define the token ids and L, the number of training pairs; and the piece that reads a window."""
    if source_of(settings).cleaned:
        source, values, needs = READ, _of_text(settings, corpus.tokenizer), _("It needs NumPy, and {file} beside it.", file=FILE)
    else:
        source, values, needs = DRAWN[settings.corpus], _of_language(settings), _("It needs NumPy.")
    return {
        "imports": IMPORTS if source is READ else "",
        "needs": sentences(needs, _(NEARLY)),
        "about": _(source.about, k=settings.lag, unit=_(UNITS[settings.unit])),
        "text": filled(source.code, values),
        "window": filled(source.window, values),
    }


def _of_text(settings: Settings, tokenizer: Tokenizer) -> dict[str, str]:
    """The values in the code of ``READ``."""
    unit = settings.unit
    capped = tokenizer.size == settings.vocab_cap and tokenizer.unknown == tokenizer.size - 1
    ids = filled(SOME_KNOWN, {"counted": COUNTED[unit], "others": _(OTHERS, unit=_(UNITS[unit]))}) if capped else ALL_KNOWN
    return {"file": FILE, "split": SPLIT[unit], "ids": ids, "held_out": _held_out(settings, "len(ids)")}


def _of_language(settings: Settings) -> dict[str, str]:
    """The values in the code and in the window of ``DRAWN``."""
    length = drawn_length(settings)
    return {
        "k": str(settings.lag),
        "within": str(min(settings.lag, length)),
        "length": str(length),
        "noise": str(NOISE),
        "stream": str([settings.seed, int(Purpose.DATA)]),
        "differs": _("1: this bit differs from the one {k} back", k=settings.lag),
        "held_out": _held_out(settings, "len(ids)" if settings.corpus == "lag" else str(length + 1)),
    }


def _held_out(settings: Settings, tokens: str) -> str:
    share = settings.validation_share
    return f" - int({share} * {tokens})  # pairs to train on; the rest is held out" if share else "  # pairs to train on"


def learning(settings: Settings, rate: str, decayed: bool) -> dict[str, str]:
    """Pieces of forward, backward and the step. ``rate``: the script's name of the learning rate; ``decayed``: weights decay."""
    phi, slope = PHI[settings.activation]
    decay = f"p *= 1 - min({rate} * decay, 1)" if decayed else ""
    x_W_xh, dW_xh = INPUT[settings.embedding_size > 0]
    return {
        "phi": filled(phi, {"a": f"{x_W_xh} + h[t] @ W_hh + b_h"}),
        "slope": slope,
        "grads": ", ".join(f"d{name}" for name in names(settings)),
        "dW_xh": dW_xh,
        "memory": MEMORY[settings.optimizer],
        "optimizer": filled(OPTIMIZERS[settings.optimizer], {"rate": rate, "decay": decay}),
    }


def names(settings: Settings) -> list[str]:
    """The names of the parameters."""
    return ["W_emb"] * bool(settings.embedding_size) + ["W_xh", "W_hh", "b_h", "W_hq", "b_q"]


def weights(settings: Settings) -> dict[str, str]:
    """Pieces that define the parameters by name and as the list ``params``."""
    dtype = "" if settings.dtype == "float64" else f"np.{settings.dtype}"
    return {
        "init_stream": str([settings.seed, int(Purpose.INIT)]),
        "weights": "\n".join([*_drawn_weights(settings), *_listed(names(settings), dtype)]),
        "as_dtype": f", {dtype}" if dtype else "",
    }


def _drawn_weights(settings: Settings) -> list[str]:
    """A line for each matrix, in the order in which the run draws them."""
    D = "D" if settings.embedding_size else "V"
    input_size, output_size = ("D" if settings.embedding_size else "H"), "H"
    if settings.init == "glorot":  # sqrt(2 / (n_in + n_out))
        input_size, output_size = f"({D} + H) / 2", "(H + V) / 2"
    gain = "" if settings.gain == 1 else f"{settings.gain} * "
    recurrent = RECURRENT.get(settings.init, f"W_hh = {{gain}}{_random(settings.init, '(H, H)', None, 'H')}")
    return [
        *[f"W_emb = {_random(settings.init, '(V, D)', SMALL.get(settings.init, 0.01))}"] * bool(settings.embedding_size),
        f"W_xh = {_random(settings.init, f'({D}, H)', settings.input_scale, input_size)}",
        recurrent.format(gain=gain),
        f"W_hq = {_random(settings.init, '(H, V)', settings.output_scale, output_size)}",
    ]


def _random(init: str, shape: str, std: float | None, size: str = "") -> str:
    """Code that draws random numbers of this standard deviation; if it is None, ``init`` sets it: to a small number, or to
    1 / sqrt(size)."""
    std = SMALL.get(init) if std is None else std
    if init == "uniform001":  # between -a and a the standard deviation is a / sqrt(3)
        if std == SMALL[init]:
            return f"rng.uniform(-0.01, 0.01, {shape})"
        return f"{std} * rng.uniform(-np.sqrt(3), np.sqrt(3), {shape})"
    drawn = f"rng.standard_normal({shape})"
    if std is None:
        return f"{drawn} / np.sqrt({size})"
    return drawn if std == 1 else f"{std} * {drawn}"


def _listed(names: list[str], dtype: str) -> list[str]:
    """Lines that list all parameters in the precision of training; both biases are zero."""
    if not dtype:
        return ["b_h, b_q = np.zeros(H), np.zeros(V)", f"params = [{', '.join(names)}]"]
    zeros = {"b_h": "np.zeros(H)", "b_q": "np.zeros(V)"}
    drawn = ", ".join(zeros.get(name, name) for name in names)
    return [f"params = [W.astype({dtype}) for W in ({drawn})]", f"{', '.join(names)} = params"]
