"""A file of named arrays and a few words about them, read with as much mistrust as a stranger's file needs.

The container is safetensors: a length, a header in JSON, the numbers. Nothing in it can run, and no number in it is believed
before it was checked: the header has to be short, so that reading it takes little memory whatever it says, and what lies behind
it is copied once.
"""

import hashlib
import json
from collections.abc import Mapping

import numpy as np
from safetensors import SafetensorError, deserialize
from safetensors.numpy import save

from core.config.language import gettext as _
from core.config.language import lazy_gettext
from core.config.limits import LIMITS, MEGABYTE
from core.training.checkpoint.schema import FORMAT

KIND = "rnn-dashboard run"
READ = tuple(str(version) for version in range(1, FORMAT + 1))  # formats: all before today's are read, too
HEADER = 2**14  # bytes of a header, at most: names, shapes and words
LARGEST = LIMITS.file_megabytes * MEGABYTE  # bytes of a file; that of a run is smaller than the run
DTYPES = {"F32": "<f4", "F64": "<f8", "I64": "<i8", "U64": "<u8", "U8": "|u1"}
NOT_OURS = lazy_gettext("This file is no run that was saved here. Choose one that was downloaded as a checkpoint.")
DAMAGED = lazy_gettext("This file is damaged or cut off. Download the run once more, and open that file.")


def to_bytes(words: Mapping[str, str], arrays: Mapping[str, np.ndarray]) -> bytes:
    """The file. ``ValueError`` with a sentence where it would be larger than one that can be read."""
    size = sum(array.nbytes for array in arrays.values())
    if size > LARGEST - HEADER:
        raise ValueError(_too_large(size))
    whole = {name: np.require(array, requirements="C") for name, array in arrays.items()}
    about = {"kind": KIND, "format": str(FORMAT), **words}
    return save(whole, about | {"sha256": digest(about, whole)})


def from_bytes(data: bytes) -> tuple[dict[str, str], dict[str, np.ndarray]]:
    """The words and the arrays (read-only in spirit: nobody else has them) of a file. Inverse of :func:`to_bytes`.

    ``ValueError`` with a sentence for a file that is none of ours, of a newer version, too large, or not as it was saved.
    """
    if len(data) > LARGEST:
        raise ValueError(_too_large(len(data)))
    words = _words(_header(data))
    try:
        arrays = {name: _array(found) for name, found in deserialize(data)}
    except (SafetensorError, KeyError, ValueError):
        raise ValueError(_(DAMAGED)) from None
    said = words.pop("sha256", "")
    if said != digest(words, arrays):
        raise ValueError(_(DAMAGED))
    return words, arrays


def digest(words: Mapping[str, str], arrays: Mapping[str, np.ndarray]) -> str:
    """SHA-256, in hexadecimal, over all words and over name, type, shape and numbers of every array."""
    names = sorted(arrays)
    said = [sorted(words.items()), [(name, arrays[name].dtype.str, arrays[name].shape) for name in names]]
    found = hashlib.sha256(json.dumps(said).encode())
    for name in names:
        found.update(arrays[name].reshape(-1).view(np.uint8))
    return found.hexdigest()


def _header(data: bytes) -> dict:
    """The header as JSON."""
    length = int.from_bytes(data[:8], "little")
    if data[8:9] != b"{" or length > HEADER:
        raise ValueError(_(NOT_OURS))
    try:
        return json.loads(data[8 : 8 + length].decode())
    except (ValueError, RecursionError):
        raise ValueError(_(DAMAGED)) from None


def _words(header: dict) -> dict[str, str]:
    """What the header says beside the arrays, if it is one of ours that can be understood."""
    words = header.get("__metadata__")
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


def _array(found: Mapping) -> np.ndarray:
    return np.frombuffer(found["data"], DTYPES[found["dtype"]]).reshape(found["shape"])


def _too_large(size: int) -> str:
    return _("This file has {size} MB; at most {most} MB can be opened.", size=f"{size / 2**20:,.1f}", most=LARGEST // 2**20)
