"""A run as a file: its state, with which it continues bit for bit, and its history.

``save(to_checkpoint(run, own_text))`` returns the bytes, ``from_checkpoint(load(data), corpus)`` the run (``conversion.py``).
The format is safetensors: a length, a JSON header, the arrays. Files are untrusted: they hold no code, the length of the header
is limited, the arrays are checked before they are used, and an error is a ``ValueError`` with a sentence.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from safetensors import SafetensorError, deserialize
from safetensors.numpy import save as pack

from core import __version__
from core.config.language import gettext as _, lazy_gettext, sentences
from core.config.limits import LIMITS, MEGABYTE
from core.config.settings import KNOBS, Settings
from core.text.corpus import Corpus, source_of
from core.training.checkpoint import schema
from core.training.checkpoint.schema import FORMAT, LATER, LIVE, Arrays, layout, migrate, schema_error, texts_of, value_of
from core.training.memory import MOST_MOMENTS, check_memory

KEPT = tuple(name for name, knob in KNOBS.items() if knob.kind != "view")  # view settings belong to the session
MOST_TEXT = 2**26  # bytes of a reader's own text: more than the dashboard accepts
KIND = "rnn-dashboard run"
READ = tuple(str(version) for version in range(1, FORMAT + 1))  # formats that can be read: the current one and all before
HEADER = 2**14  # bytes of a header, at most: names, shapes and metadata
LARGEST = LIMITS.file_megabytes * MEGABYTE  # bytes of a file, at most; a run takes less in a file than in memory
DTYPES = {"F32": "<f4", "F64": "<f8", "I64": "<i8", "U64": "<u8", "U8": "|u1"}
NOT_OURS = lazy_gettext("This file is no run that was saved here. Choose one that was downloaded as a checkpoint.")
DAMAGED = lazy_gettext("This file is damaged or cut off. Download the run once more, and open that file.")
CONTRADICTION = lazy_gettext("This file contradicts itself: its {part} cannot be those of a run with its settings.")


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """A run between two updates.

    ``settings`` are those of the next update; view settings are not saved. ``arrays`` have the types of
    :func:`core.training.checkpoint.schema.layout`. ``text_sha256`` identifies the training text. ``python`` is the version of
    Python that trained the run: each version has a different manual, which is one of the texts.
    """

    settings: Settings
    arrays: Arrays
    text_sha256: str
    python: str

    @property
    def step(self) -> int:
        """Updates done."""
        return int(self.arrays["step"])

    @property
    def begun_with(self) -> Settings:
        """The settings before any live knob was moved. They decide which tokens are judged."""
        return self.knobs_of(0)

    def knobs_of(self, moment: int) -> Settings:
        """The settings of a moment. ``ValueError`` if they are not valid."""
        numbers = self.arrays["moments.knobs"][moment].tolist()
        with report_contradiction("moments"):
            return self.settings.moved(**{name: value_of(name, number) for name, number in zip(LIVE, numbers, strict=True)})

    @property
    def own_text(self) -> str:
        """The reader's own text; "" if the run learns another one. ``ValueError`` if it cannot be decoded."""
        with report_contradiction("text"):
            return "".join(texts_of("text", self.arrays))


@contextmanager
def report_contradiction(name: str) -> Iterator[None]:
    """Report errors in the arrays of this name as a contradiction within the file."""
    try:
        yield
    except ValueError:
        raise ValueError(_(CONTRADICTION, part=name)) from None


def save(checkpoint: Checkpoint) -> bytes:
    """The bytes of a file. ``ValueError`` with a sentence if the run could not be opened again or the file is too large."""
    _check(checkpoint)
    arrays = {name: np.require(array, requirements="C") for name, array in checkpoint.arrays.items()}
    size = sum(array.nbytes for array in arrays.values())
    if size > LARGEST - HEADER:
        raise ValueError(_too_large(size))
    settings = json.dumps({name: getattr(checkpoint.settings, name) for name in KEPT})
    words = {"kind": KIND, "format": str(FORMAT), "version": __version__, "python": checkpoint.python}
    words |= {"text_sha256": checkpoint.text_sha256, "settings": settings}
    return pack(arrays, words | {"sha256": digest(words, arrays)})


def load(data: bytes) -> Checkpoint:
    """The checkpoint in a file; its arrays are read-only. Takes less memory than three times the file and 1 MB.

    ``ValueError`` with a sentence for a file that the dashboard did not save, of a newer version, too large, or damaged.
    """
    if len(data) > LARGEST:
        raise ValueError(_too_large(len(data)))
    words = _metadata(data)
    later = LATER.get(words["format"], {})
    try:
        arrays = {
            name: np.frombuffer(tensor["data"], DTYPES[tensor["dtype"]]).reshape(tensor["shape"])
            for name, tensor in deserialize(data)
        }
        expected = words.pop("sha256")  # the digest of everything else
        intact = expected == digest(words, arrays)
        values, text_sha256, python = json.loads(words["settings"]), words["text_sha256"], words["python"]
    except (SafetensorError, KeyError, ValueError, RecursionError):
        raise ValueError(_(DAMAGED)) from None
    if not intact or not isinstance(values, dict) or values.keys() != set(KEPT) - later.keys():
        raise ValueError(_(DAMAGED))
    try:
        settings = Settings(**values, **later)
    except ValueError as error:
        raise ValueError(sentences(_("This file asks for a setting that there is not."), str(error))) from None
    checkpoint = Checkpoint(settings, migrate(arrays, later), text_sha256, python)
    _check(checkpoint)
    return checkpoint


def _check(checkpoint: Checkpoint) -> None:
    """``ValueError`` unless settings and arrays belong to one run that fits into memory."""
    settings, arrays = checkpoint.settings, checkpoint.arrays
    V = arrays["params.b_q"].size if "params.b_q" in arrays else 0
    if np.size(arrays.get("flags.updates", 0)) > schema.MOST_FLAGS:
        raise ValueError(_("A file holds at most {n} moves of knobs; this run has more.", n=schema.MOST_FLAGS))
    wrong = schema_error(arrays, layout(settings, V)) or _contradicting_part(settings, arrays, V)
    if wrong:
        raise ValueError(_(CONTRADICTION, part=wrong))
    check_memory(settings, V)


def _contradicting_part(settings: Settings, arrays: Arrays, V: int) -> str:
    """The name of a part that contradicts the others; "" if none does."""
    step, moments = arrays["step"], arrays["moments.step"]
    flags, moves = len(arrays["flags.updates"]), arrays["moves"]
    fits = {
        "vocabulary": V > 1,
        "optimizer": all(_step_count_matches(arrays, name) for name in ("", "moments.")),
        "judged": _from_0_to(step, arrays["judged.updates"]) and arrays["judged.updates"][-1] == step,
        "training curve": (arrays["training.updates"] <= step).all(),
        "epochs": (arrays["epochs.updates"] <= step).all(),
        "moments": _from_0_to(step, moments) and len(moments) <= MOST_MOMENTS and (np.diff(moments) > 0).all(),
        "moves": (moves < flags).all() and (np.diff(moves) > 0).all(),
        "own text": len(arrays["text.ends"]) == source_of(settings).from_reader and len(arrays["text"]) <= MOST_TEXT,
        **{name: _text_ends_match(arrays, name) for name in arrays if f"{name}.ends" in arrays},
    }
    return next((name for name, fit in fits.items() if not fit), "")


def _from_0_to(step: np.ndarray, updates: np.ndarray) -> bool:
    """Whether sorted ``updates`` begin with 0 and none of them is after ``step``."""
    return len(updates) > 0 and bool(updates[0] == 0 and updates[-1] <= step)


def _text_ends_match(arrays: Arrays, name: str) -> bool:
    """Whether the bytes of the texts end with the last text."""
    ends = arrays[f"{name}.ends"]
    return len(arrays[name]) == (int(ends[-1]) if len(ends) else 0)


def _step_count_matches(arrays: Arrays, beginning: str) -> bool:
    """Whether the optimiser's count of updates, if it has one, equals the number of updates."""
    counted, steps = arrays.get(f"{beginning}optimizer.t"), arrays[f"{beginning}step"]
    return counted is None or bool((counted[..., 0] == steps).all())


def identity(corpus: Corpus) -> str:
    """SHA-256, in hexadecimal, over all input and target ids: equal for equal texts on every machine."""
    found = hashlib.sha256()
    for stream in filter(None, (corpus.train, corpus.held_out)):
        for ids in (stream.inputs, stream.targets):
            found.update(len(ids).to_bytes(8, "little"))
            found.update(np.ascontiguousarray(ids, "<i4"))
    return found.hexdigest()


def digest(words: Mapping[str, str], arrays: Mapping[str, np.ndarray]) -> str:
    """SHA-256, in hexadecimal, over the metadata and over name, type, shape and numbers of every array."""
    names = sorted(arrays)
    content = [sorted(words.items()), [(name, arrays[name].dtype.str, arrays[name].shape) for name in names]]
    found = hashlib.sha256(json.dumps(content).encode())
    for name in names:
        found.update(arrays[name].reshape(-1).view(np.uint8))
    return found.hexdigest()


def _metadata(data: bytes) -> dict[str, str]:
    """The metadata in a file's header. ``ValueError`` if the dashboard did not save it or cannot read its format."""
    length = int.from_bytes(data[:8], "little")
    if data[8:9] != b"{" or length > HEADER:
        raise ValueError(_(NOT_OURS))
    try:
        words = json.loads(data[8 : 8 + length].decode()).get("__metadata__")
    except (ValueError, RecursionError):
        raise ValueError(_(DAMAGED)) from None
    if not isinstance(words, dict) or not all(isinstance(word, str) for word in words.values()) or words.get("kind") != KIND:
        raise ValueError(_(NOT_OURS))
    version = words.get("format", "")
    if version in READ:
        return words
    if version.isdecimal() and len(version) < 10 and int(version) > FORMAT:
        raise ValueError(
            _(
                "This file was saved by a newer version of the dashboard (format {format}; this one reads up to {most}). "
                "Update the dashboard to open it.",
                format=int(version),
                most=FORMAT,
            )
        )
    raise ValueError(_(DAMAGED))


def _too_large(size: int) -> str:
    return _("This file has {size} MB; at most {most} MB can be opened.", size=f"{size / 2**20:,.1f}", most=LARGEST // 2**20)
