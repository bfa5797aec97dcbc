"""A run as a file: its state, with which it continues bit for bit, and its history.

``save(to_checkpoint(run, own_text))`` returns the bytes, ``from_checkpoint(load(data), corpus)`` the run (``conversion.py``).
The format is safetensors: a length, a JSON header, the arrays. Two arrays are bytes: the own text, and a JSON document with the
settings and the history. Files are untrusted: they hold no code, header and document have a largest size, all is checked before
it is used, no array is allocated with a size that a file only claims, and an error is a ``ValueError`` with a sentence.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from safetensors import SafetensorError, deserialize
from safetensors.numpy import save as pack

from core import __version__
from core.config.language import gettext as _, lazy_gettext, sentences
from core.config.limits import LIMITS, MEGABYTE
from core.config.settings import KNOBS, Settings
from core.models.params import count, shapes_of
from core.text.corpus import source_of
from core.training.memory import check_memory
from core.training.optimizers import NEVER_NEGATIVE, make_optimizer

KEPT = tuple(name for name, knob in KNOBS.items() if knob.kind != "view")  # view settings belong to the session
KIND = "rnn-dashboard run"
FORMAT = "3"  # to be changed whenever older versions would misread a file
HEADER = 2**14  # bytes of a header, at most: names, shapes and metadata
DOCUMENT, TEXT = "document", "text"  # the arrays of bytes
MOST_DOCUMENT = 2**22  # bytes of the document: parsing it takes at most 25 times as much memory
MOST_TEXT = 2**26  # bytes of a reader's own text: more than the dashboard accepts
LARGEST_FILE = LIMITS.file_megabytes * MEGABYTE  # bytes of a file, at most; a run takes less in a file than in memory
DTYPES = {"F32": "<f4", "F64": "<f8", "I64": "<i8", "U8": "|u1"}
NOT_OURS = lazy_gettext("This file is no run that was saved here. Choose one that was downloaded as a checkpoint.")
DAMAGED = lazy_gettext("This file is damaged or cut off. Download the run once more, and open that file.")
CONTRADICTION = lazy_gettext("This file contradicts itself: its {part} cannot be those of a run with its settings.")
Arrays = Mapping[str, np.ndarray]


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """A run between two updates: its arrays, which are checked, and its document, of which only the settings are.

    ``arrays`` are the parameters by name, the rest of the trainer's state, the states of all moments, each array stacked, and the
    own text. ``document`` has ``settings`` (of the next update, without view settings), the history, ``text_sha256``, which
    identifies the training text, and ``python``, the version of Python: each has a different manual, which is one of the texts.
    """

    document: Mapping[str, Any]
    arrays: Arrays

    @cached_property
    def settings(self) -> Settings:
        """The settings of the next update. ``ValueError`` with a sentence if they are not valid."""
        values = self.document.get("settings")
        if not isinstance(values, dict) or values.keys() != set(KEPT):
            raise ValueError(_(DAMAGED))
        try:
            return Settings(**values)
        except ValueError as error:
            raise ValueError(sentences(_("This file asks for a setting that there is not."), str(error))) from None

    @property
    def begun_with(self) -> Settings:
        """The settings before any live knob was moved, which decide what is judged. ``ValueError`` if they are not valid."""
        with contradiction("moments"):
            return self.settings.moved(**self.document["moments"][0]["knobs"])

    @property
    def own_text(self) -> str:
        """The reader's own text; "" if the run learns another one. ``ValueError`` if it cannot be decoded."""
        with contradiction(TEXT):
            return self.arrays[TEXT].tobytes().decode("utf-8", "surrogatepass") if TEXT in self.arrays else ""


@contextmanager
def contradiction(part: str) -> Iterator[None]:
    """Report any error in this part of a document as a contradiction within the file."""
    try:
        yield
    except (ArithmeticError, LookupError, TypeError, ValueError):
        raise ValueError(_(CONTRADICTION, part=part)) from None


def require(condition: Any) -> None:
    """``ValueError`` unless the condition holds, to be used in :func:`contradiction`."""
    if not condition:
        raise ValueError


def save(checkpoint: Checkpoint) -> bytes:
    """The bytes of a file. ``ValueError`` with a sentence if the run could not be opened again or the file is too large."""
    _check(checkpoint)
    written = json.dumps(checkpoint.document, ensure_ascii=False).encode("utf-8", "surrogatepass")
    arrays = {name: np.require(array, requirements="C") for name, array in checkpoint.arrays.items()}
    arrays[DOCUMENT] = np.frombuffer(written, np.uint8)
    size = sum(array.nbytes for array in arrays.values())
    if size > LARGEST_FILE - HEADER or len(written) > MOST_DOCUMENT:
        raise ValueError(_too_large(size))
    words = {"kind": KIND, "format": FORMAT, "version": __version__}
    return pack(arrays, words | {"sha256": digest(words, arrays)})


def load(data: bytes) -> Checkpoint:
    """The checkpoint in a file; its arrays are read-only. Takes less memory than three times the file, and 25 times its document.

    ``ValueError`` with a sentence for a file that the dashboard did not save, of another version, too large, or damaged.
    """
    if len(data) > LARGEST_FILE:
        raise ValueError(_too_large(len(data)))
    words = _metadata(data)
    try:
        arrays = {
            name: np.frombuffer(tensor["data"], DTYPES[tensor["dtype"]]).reshape(tensor["shape"])
            for name, tensor in deserialize(data)
        }
        whole = words.pop("sha256") == digest(words, arrays)  # the digest of everything else
        written = arrays.pop(DOCUMENT)
        whole = whole and written.dtype == np.uint8 and written.size <= MOST_DOCUMENT
        document = json.loads(written.tobytes().decode("utf-8", "surrogatepass")) if whole else None
    except (SafetensorError, KeyError, ValueError, RecursionError):
        raise ValueError(_(DAMAGED)) from None
    if not isinstance(document, dict):
        raise ValueError(_(DAMAGED))
    checkpoint = Checkpoint(document, arrays)
    _check(checkpoint)
    return checkpoint


def _check(checkpoint: Checkpoint) -> None:
    """``ValueError`` unless settings and arrays belong to one run that fits into memory."""
    settings, arrays = checkpoint.settings, dict(checkpoint.arrays)
    V = arrays["params.b_q"].size if "params.b_q" in arrays else 0
    with contradiction("own text"):
        text = arrays.pop(TEXT, None)
        require((text is not None) == source_of(settings).from_reader)
        require(text is None or (text.dtype == np.uint8 and text.ndim == 1 and text.size <= MOST_TEXT))
    with contradiction("vocabulary"):
        require(V > 1)
    expected = _expected(settings, V, len(arrays.get("moments.params", ())))
    with contradiction("list of arrays"):  # an unknown name may hold any characters: it is not repeated
        require(arrays.keys() == expected.keys())
    for name, (dtype, shape) in expected.items():
        array, is_positive = arrays[name], name.rpartition("optimizer.")[2] in NEVER_NEGATIVE
        with contradiction(name):
            require(array.dtype.str == dtype and array.shape == shape and np.isfinite(array).all())
            require(not is_positive or (array >= 0).all())
    check_memory(settings, V)


def _expected(settings: Settings, V: int, moments: int) -> dict[str, tuple[str, tuple[int, ...]]]:
    """The required type and shape of every array of numbers in a file, by name."""
    dtype, H, D = np.dtype(settings.dtype).newbyteorder("<").str, settings.hidden_size, settings.embedding_size
    state = {"params": (dtype, (count(V, H, D),)), "h": (dtype, (settings.batch_size, H))}
    for name, array in make_optimizer(settings.optimizer, 0, dtype).state.items():
        state[f"optimizer.{name}"] = array.dtype.str, array.shape if array.size else (count(V, H, D),)
    return {
        **{f"params.{name}": (dtype, shape) for name, shape in shapes_of(V, H, D).items()},
        **{name: part for name, part in state.items() if name != "params"},
        **{f"moments.{name}": (dtype, (moments, *shape)) for name, (dtype, shape) in state.items()},
    }


def digest(words: Mapping[str, str], arrays: Arrays) -> str:
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
    if words.get("format") != FORMAT:
        raise ValueError(_("This file was saved by another version of the dashboard. Open it with that one, or train anew."))
    return words


def _too_large(size: int) -> str:
    return _("This file has {size} MB; at most {most} MB can be opened.", size=f"{size / 2**20:,.1f}", most=LARGEST_FILE // 2**20)
