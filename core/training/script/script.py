"""Export of a run: the same network, trained by one file of plain NumPy that does not need this code.

``template.py`` is that file: a run's constants replace those at its beginning. It draws the initial weights of the run and reads
the windows of the run, so it prints the run's perplexities, and the perplexity on the text that judges the run.
"""

import io
import re
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.config.language import gettext as _
from core.config.settings import KNOBS, Settings
from core.models.initialisation import ONE_SCALE, own_scales
from core.text.corpus import Corpus, cleaned_text, drawn_length, source_of
from core.text.randomness import Purpose
from core.training.held_out import HeldOut
from core.training.history import RADIUS, Flag
from core.training.script.comments import translated

TEMPLATE = Path(__file__).with_name("template.py")
SCRIPT_FILE, TEXT_FILE = "train.py", "text.txt"
FIRST = 1000  # updates of a script for a run that has done none
CONSTANT = re.compile(r"^([A-Z_, ]+) = (dict\((?:\n    .*)*\n\)|.+?)(?=  #|$)", re.MULTILINE)


def script(settings: Settings, corpus: Corpus, updates: int, flags: Sequence[Flag] = ()) -> str:
    """A Python script that does the first ``updates`` updates of a run and prints their perplexities.

    ``settings`` are the run's current settings, ``flags`` its moves of knobs, which the script repeats. It reads the cleaned text
    (``core.text.corpus.cleaned_text``) from a file beside it, unless the tokens of the language are drawn.
    """
    written, values = translated(TEMPLATE.read_text(encoding="utf-8"), _), _constants(settings, corpus, updates, flags)

    def filled(constant: re.Match[str]) -> str:
        names = constant[1].split(", ")
        missing = [name for name in names if name not in values]
        if 0 < len(missing) < len(names):
            raise ValueError(f"_constants in script.py lacks {', '.join(missing)}.")
        return constant[0] if missing else f"{constant[1]} = {', '.join(values[name] for name in names)}"

    return CONSTANT.sub(filled, written)


def archive(settings: Settings, corpus: Corpus, own_text: str, updates: int, flags: Sequence[Flag] = ()) -> bytes:
    """The zip archive of the script for ``updates`` updates and its text; ``own_text`` is the reader's own, if the run uses it.

    The text is cleaned and cut as for the run. Raises as :func:`core.text.corpus.cleaned_text` does.
    """
    files = {SCRIPT_FILE: script(settings, corpus, updates or FIRST, flags)}
    if source_of(settings).cleaned:
        files[TEXT_FILE] = cleaned_text(settings, own_text)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as zipped:
        for name, content in files.items():
            zipped.writestr(name, content)
    return packed.getvalue()


def _constants(settings: Settings, corpus: Corpus, updates: int, flags: Sequence[Flag]) -> dict[str, str]:
    """The constants of a run as code, by their names in the template."""
    V, H, D, init = corpus.tokenizer.size, settings.hidden_size, settings.embedding_size, settings.init
    of_input, of_output = own_scales(init, V, H, D)
    first = {flag.name: flag.old for flag in reversed(flags) if flag.name != RADIUS}  # of each knob the earliest value
    begun = settings.but(**first)
    held_out = HeldOut(begun, corpus)
    values = {
        "CORPUS": settings.corpus if not source_of(settings).cleaned else "text",
        "UNIT": settings.unit,
        "LAG": settings.lag,
        "LENGTH": drawn_length(settings),
        "HELD_OUT": settings.validation_share,
        "ROWS": held_out.rows,
        "WIDTH": held_out.tokens // held_out.rows,
        "V": V,
        "D": D,
        "H": H,
        "N": settings.batch_size,
        "T": settings.num_steps,
        "PHI": settings.activation,
        "INIT": init,
        "GAIN": settings.gain,
        "STD_EMB": ONE_SCALE.get(init, 0.01),
        "STD_XH": of_input if settings.input_scale is None else settings.input_scale,
        "STD_HH": ONE_SCALE.get(init, H**-0.5),
        "STD_HQ": of_output if settings.output_scale is None else settings.output_scale,
        "OPTIMIZER": settings.optimizer,
        "DTYPE": settings.dtype,
        "SEED_WEIGHTS": [settings.seed, int(Purpose.INIT)],
        "SEED_DATA": [settings.seed, int(Purpose.DATA)],
        "UPDATES": updates,
        "KNOBS": {name: _value(begun, name, getattr(begun, name)) for name, knob in KNOBS.items() if knob.kind == "live"},
    }
    return {name: _spelled(value) for name, value in values.items()} | {"MOVES": _moves(settings, updates, flags)}


def _spelled(value: Any) -> str:
    return repr(value).replace("'", '"')


def _moves(settings: Settings, updates: int, flags: Sequence[Flag]) -> str:
    """The moves of knobs, a line for each update at which there is one."""
    moves: dict[int, dict[str, Any]] = {}
    for flag in flags:
        for update, value in flag.by_update.items():
            if update <= updates:
                moves.setdefault(update, {})[flag.name] = _value(settings, flag.name, value)
    lines = [f"    {update}: {_spelled(values)},\n" for update, values in sorted(moves.items())]
    return "{" + "\n" * bool(lines) + "".join(lines) + "}"


def _value(settings: Settings, name: str, value: Any) -> Any:
    """A knob's value in the script: ``num_steps`` for no truncation."""
    return settings.num_steps if name == "truncation" and value is None else value
