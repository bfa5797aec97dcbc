"""A run to take home: the same network, trained by a short script of plain NumPy that needs nothing of this code.

A script is written for one run and has what that run used, nothing else: one kind of input, one activation, one optimiser. It
draws the weights that the run began with and reads the windows that the run read, so it prints the run's perplexities. In
float64 they agree to rounding for long; in float32 they begin alike, and rounding drives them apart.
"""

import io
import zipfile
from collections.abc import Sequence

from core.config.settings import Settings
from core.text.corpus import Corpus, cleaned_text, source_of
from core.training.history import Flag
from core.training.script.knobs import Moves, beginning, knobs
from core.training.script.pieces import FILE, filled, text, weights

SCRIPT_FILE = "train.py"
FIRST = 1000  # updates of a script for a run that has done none
LINES = 60  # of a script, at most
AIR = {"\n\n    ": "\n    ", "\n\ntokens": "\ntokens", "\n\nrng": "\nrng", "\n\nfor": "\nfor"}  # of a long script
SCRIPT = '''\
"""A recurrent network learns to predict $predicted; prints update, perplexity.

It needs NumPy$needs. In float64 the numbers are the dashboard's, in float32 nearly.
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
h = np.zeros((T + 1, N, H)$as_dtype)  # the states; $h_0
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

    ``settings`` are the run's of now, ``flags`` its moves of knobs: the script has them, too. If it has no room for so many, it
    says so and trains with the settings of now throughout. Beside it stands the cleaned text (``core.text.corpus.cleaned_text``),
    unless the language is one that is drawn.
    """
    written = _written(*beginning(settings, flags, updates), corpus, updates)
    return written if _fits(written) else _written(settings, {}, corpus, updates, left_out=len(flags))


def _fits(written: str) -> bool:
    return written.count("\n") <= LINES


def _written(settings: Settings, moves: Moves, corpus: Corpus, updates: int, left_out: int = 0) -> str:
    pieces = text(settings, corpus) | weights(settings)
    written = filled(SCRIPT, pieces | knobs(settings, corpus.tokenizer.size, updates, moves, left_out)) + "\n"
    for airy, dense in AIR.items():
        written = written if _fits(written) else written.replace(airy, dense)
    return written


def archive(settings: Settings, corpus: Corpus, own_text: str, updates: int, flags: Sequence[Flag] = ()) -> bytes:
    """The zip archive for a run of so many updates; ``own_text`` is what the reader brought, for a text of their own.

    The text is the one that the run reads, cleaned and cut. Raises as :func:`core.text.corpus.cleaned_text` does.
    """
    files = {SCRIPT_FILE: script(settings, corpus, updates or FIRST, flags)}
    if source_of(settings).cleaned:
        files[FILE] = cleaned_text(settings, own_text)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as zipped:
        for name, content in files.items():
            zipped.writestr(name, content)
    return packed.getvalue()
