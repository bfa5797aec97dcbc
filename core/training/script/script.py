"""Export of a run: the same network, trained by a short script of plain NumPy that does not need this code.

A script is written for one run and contains only the code for it: one kind of input, one activation, one optimiser. It draws
the initial weights of the run and reads the windows of the run, so it prints the run's perplexities. In float64 they agree up to
rounding for long; in float32 they start equal and drift apart by rounding.
"""

import io
import math
import zipfile
from collections.abc import Mapping, Sequence
from textwrap import fill
from typing import Any

from core.config.language import gettext as _, lazy_gettext
from core.config.settings import Settings
from core.text.corpus import Corpus, cleaned_text, source_of
from core.training.history import RADIUS, Flag
from core.training.script.pieces import COMMENT, FILE, filled, learning, text, weights

SCRIPT_FILE = "train.py"
FIRST = 1000  # updates of a script for a run that has done none
LINES = 60  # of a script, at most
BLANK_LINES = {"\n\n    ": "\n    ", "\n\ntokens": "\ntokens", "\n\nrng": "\nrng", "\n\nfor": "\nfor"}  # to shorten a long script
WIDTH = 110  # characters of a line, at most
Moves = dict[str, dict[int, Any]]  # by moved knob: its values, by the first update with each
VARIABLE_NAMES = {  # the script's names for a live knob and for the dictionary of its values
    "learning_rate": ("rate", "rates"),
    "clip_norm": ("clip", "clips"),
    "truncation": ("tau", "taus"),
    "cosine_until": ("until", "untils"),
    "weight_decay": ("decay", "decays"),
    "carry_state": ("carried", "carries"),
}
SIZES = {"H": "hidden_size", "D": "embedding_size", "N": "batch_size", "T": "num_steps"}
MEANING = {
    "H": lazy_gettext("hidden units"),
    "D": lazy_gettext("embedding"),
    "N": lazy_gettext("sequences"),
    "T": lazy_gettext("time steps"),
    "V": lazy_gettext("symbols"),
    "rate": lazy_gettext("learning rate"),
    "clip": lazy_gettext("clip norm"),
    "tau": lazy_gettext("truncation"),
    "until": lazy_gettext("rate zero"),
    "decay": lazy_gettext("weight decay"),
    "carried": lazy_gettext("state carried"),
}
LEFT_OUT = lazy_gettext("But in the run knobs were moved {times} times; here their last values hold from the start.")
CARRIED, RESET = lazy_gettext("the states; h[0] is carried in"), lazy_gettext("the states; h[0] stays 0")
MOVES_COMMENT = "  # moved in the run, from these updates on"
PER_LINE = 3  # knobs in one assignment
NEW_RADIUS = "if update in radii:\n    W_hh *= radii[update] / abs(np.linalg.eigvals(W_hh)).max()"
SCHEDULE = "eta = rate * (1 + np.cos(np.pi * min((update - 1) / until, 1))) / 2  # falls like a cosine, to 0"
CLIPPING = """\
norm = np.sqrt(sum((g * g).sum() for g in grads))  # of the whole gradient
grads = [g * min(1, clip / norm) for g in grads]"""
SCRIPT = '''\
"""$about

$needs
$left_out
"""

$imports
import numpy as np

$sizes
$values
$moves

$text

rng = np.random.default_rng(np.random.SeedSequence($init_stream))  # the seed, and the stream for weights
$weights
$memory
h = np.zeros((T + 1, N, H)$as_dtype)  # $states
steps, rows = np.arange(T)[:, None], np.arange(N)

for update in range(1, updates + 1):
    $move
    $schedule
    places = (steps + rows * (L // N) + (update - 1) * T) % L  # (T, N): where each row reads on
    $window
    $carry
    for t in range(T):  # forward: h_t = phi(x_t W_xh + h_(t-1) W_hh + b_h)
        h[t + 1] = $phi
    logits = h[1:] @ W_hq + b_q
    logits -= logits.max(axis=-1, keepdims=True)
    log_p = logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))  # log softmax
    print(f"{update:6}  {np.exp(-log_p[steps, rows, y].mean(dtype=float)):.8g}")

    grads = $grads = [np.zeros_like(p) for p in params]
    dlogits = np.exp(log_p) / (T * N)  # the loss is the mean over T * N tokens
    dlogits[steps, rows, y] -= 1 / (T * N)
    from_future = 0
    for t in reversed(range(T)):  # backward through time: da is dL/da_t, with h_t = phi(a_t)
        dW_hq += h[t + 1].T @ dlogits[t]
        db_q += dlogits[t].sum(axis=0)
        da = (dlogits[t] @ W_hq.T + from_future) * $slope
        dW_hh += h[t].T @ da
        db_h += da.sum(axis=0)
        $dW_xh
        from_future = $from_future

    $clipping
    $optimizer
'''


def script(settings: Settings, corpus: Corpus, updates: int, flags: Sequence[Flag] = ()) -> str:
    """A Python script of at most ``LINES`` lines that does the first ``updates`` updates of a run and prints their perplexities.

    ``settings`` are the run's current settings, ``flags`` its moves of knobs, which the script repeats. If they do not fit, the
    script says so and trains with the current settings throughout. It reads the cleaned text
    (``core.text.corpus.cleaned_text``) from a file beside it, unless the tokens of the language are drawn.
    """
    written = _written(*beginning(settings, flags, updates), corpus, updates)
    return written if _fits(written) else _written(settings, {}, corpus, updates, left_out=len(flags))


def _fits(written: str) -> bool:
    return written.count("\n") <= LINES


def _written(settings: Settings, moves: Moves, corpus: Corpus, updates: int, left_out: int = 0) -> str:
    pieces = text(settings, corpus) | weights(settings)
    written = filled(SCRIPT, pieces | knobs(settings, corpus.tokenizer.size, updates, moves, left_out)) + "\n"
    for airy, dense in BLANK_LINES.items():
        written = written if _fits(written) else written.replace(airy, dense)
    return COMMENT.sub(lambda comment: f"  # {_(comment[1])}", written)


def archive(settings: Settings, corpus: Corpus, own_text: str, updates: int, flags: Sequence[Flag] = ()) -> bytes:
    """The zip archive of the script for ``updates`` updates and its text; ``own_text`` is the reader's own, if the run uses it.

    The text is cleaned and cut as for the run. Raises as :func:`core.text.corpus.cleaned_text` does.
    """
    files = {SCRIPT_FILE: script(settings, corpus, updates or FIRST, flags)}
    if source_of(settings).cleaned:
        files[FILE] = cleaned_text(settings, own_text)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as zipped:
        for name, content in files.items():
            zipped.writestr(name, content)
    return packed.getvalue()


def beginning(settings: Settings, flags: Sequence[Flag], updates: int) -> tuple[Settings, Moves]:
    """The initial settings of a run, given its current ``settings``, and the moves before the last of its ``updates``."""
    live = [flag for flag in flags if flag.name != RADIUS]
    before = {flag.name: flag.old for flag in reversed(live)}  # of each knob the earliest value
    at_first = {flag.name: flag.new for flag in live if flag.point.update == 0}
    moves: Moves = {}
    for flag in flags:
        if flag.point.update < updates and (flag.point.update or flag.name == RADIUS):
            moves.setdefault(flag.name, {})[flag.point.update + 1] = flag.new
    return settings.but(**before | at_first), moves


def knobs(settings: Settings, vocab_size: int, updates: int, moves: Moves, left_out: int = 0) -> dict[str, str]:
    """Pieces with all numbers, and those that depend on live knobs. ``left_out`` moves are not in the script."""
    sizes = {symbol: getattr(settings, name) for symbol, name in SIZES.items()} | {"V": vocab_size}
    values = {VARIABLE_NAMES[name][0]: _value(settings, name, getattr(settings, name)) for name in _needed(settings, moves)}
    return {
        "sizes": assigned({symbol: size for symbol, size in sizes.items() if size}),
        "values": assigned({"updates": updates} | values),
        "moves": _tables(settings, moves),
        "move": _moving(moves),
        "left_out": _(LEFT_OUT, times=left_out) if left_out else "",
        "states": _(CARRIED if settings.carry_state or "carry_state" in moves else RESET),
        "carry": "h[0] = h[T] if carried else 0" if "carry_state" in moves else "h[0] = h[T]" * settings.carry_state,
        "schedule": SCHEDULE * ("until" in values),
        **learning(settings, "eta" if "until" in values else "rate", decayed="decay" in values),
        "clipping": CLIPPING if "clip" in values else "",
        "from_future": "da @ W_hh.T" + " if t % tau else 0  # cut every tau steps" * ("tau" in values),
    }


def _needed(settings: Settings, moves: Moves) -> list[str]:
    """The live knobs that a script names: those that are moved and those that have an effect."""
    acts = {
        "learning_rate": True,
        "clip_norm": settings.clip_norm > 0,
        "truncation": (settings.truncation or settings.num_steps) < settings.num_steps,
        "cosine_until": settings.cosine_until > 0,
        "weight_decay": settings.weight_decay > 0,
    }
    return [name for name in VARIABLE_NAMES if name in moves or acts.get(name)]


def _value(settings: Settings, name: str, value: Any) -> Any:
    """A knob's value in the script: infinity if clipping or the schedule is off, ``num_steps`` for no truncation."""
    if name in ("clip_norm", "cosine_until"):
        return value or math.inf
    return settings.num_steps if name == "truncation" and value is None else value


def _tables(settings: Settings, moves: Moves) -> str:
    """The moves, as a dictionary for each knob."""
    tables = []
    for name, values in moves.items():
        items = ", ".join(f"{update}: {spelled(_value(settings, name, value))}" for update, value in values.items())
        all_of = "radii" if name == RADIUS else VARIABLE_NAMES[name][1]
        tables.append(_in_lines(f"{all_of} = {{", items, "}" + MOVES_COMMENT * (not tables)))
    return "\n".join(tables)


def _in_lines(start: str, items: str, end: str) -> str:
    """A dictionary in as few lines as possible, with aligned items."""
    whole = items.replace(": ", ":\0") + end.replace(" ", "\0")
    return fill(whole, WIDTH, initial_indent=start, subsequent_indent=" " * len(start)).replace("\0", " ")


def _moving(moves: Moves) -> str:
    """The lines of a script that apply moves at the start of every update."""
    variables = [VARIABLE_NAMES[name] for name in moves if name != RADIUS]
    lines = [_now(variables[i : i + PER_LINE]) for i in range(0, len(variables), PER_LINE)]
    return "\n".join([*lines, *[NEW_RADIUS] * (RADIUS in moves)])


def _now(variables: Sequence[tuple[str, str]]) -> str:
    """The line that assigns each of these knobs its new value at this update, if it has one."""
    return f"{', '.join(one for one, _ in variables)} = {', '.join(f'{all_of}.get(update, {one})' for one, all_of in variables)}"


def assigned(constants: Mapping[str, float]) -> str:
    """All constants in one line, with their meaning as a comment if it fits ("hidden units, sequences"); split in halves if
    the line is too long."""
    line = f"{', '.join(constants)} = {', '.join(map(spelled, constants.values()))}"
    if len(line) > WIDTH:
        names = list(constants)
        halves = names[: len(names) // 2], names[len(names) // 2 :]
        return "\n".join(assigned({name: constants[name] for name in half}) for half in halves)
    commented = f"{line}  # {_(', ').join(_(MEANING[name]) for name in constants if name in MEANING)}"
    return commented if len(commented) <= WIDTH else line


def spelled(value: float) -> str:
    """A number as Python code."""
    return "np.inf" if value == math.inf else repr(value)
