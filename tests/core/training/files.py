"""Invalid checkpoint files: damaged at random, or with other contents and a matching digest."""

import json
import random
from collections.abc import Mapping

import numpy as np
from safetensors.numpy import load, save

from core.training.checkpoint.checkpoint import digest


def split(data: bytes) -> tuple[dict, bytes]:
    """The header of a file, and the bytes after it."""
    length = int.from_bytes(data[:8], "little")
    return json.loads(data[8 : 8 + length]), data[8 + length :]


def joined(header: bytes | dict, body: bytes = b"") -> bytes:
    header_bytes = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(header_bytes).to_bytes(8, "little") + header_bytes + body


def read_metadata(data: bytes) -> dict[str, str]:
    """The metadata in a file's header."""
    return split(data)[0]["__metadata__"]


def document_of(data: bytes) -> dict:
    """The JSON document in a file."""
    return json.loads(load(data)["document"].tobytes())


def with_document(data: bytes, document: bytes | object) -> bytes:
    """The file with another document and a matching digest."""
    written = document if isinstance(document, bytes) else json.dumps(document).encode()
    return forged(data, document=np.frombuffer(written, np.uint8))


def changed(data: bytes, value: object, *place: str | int) -> bytes:
    """The file with another value at this place of the document: keys and indices."""
    document = found = document_of(data)
    for key in place[:-1]:
        found = found[key]
    found[place[-1]] = value
    return with_document(data, document)


def other_settings(data: bytes, **fields: object) -> bytes:
    """The file with changed settings."""
    return changed(data, document_of(data)["settings"] | fields, "settings")


def forged(data: bytes, metadata: Mapping[str, str] | tuple = (), **arrays: np.ndarray | None) -> bytes:
    """The file with other metadata and arrays (None: removed) and a matching digest. ``__`` in a name stands for a dot."""
    about = read_metadata(data) | dict(metadata)
    tensors = load(data) | {name.replace("__", "."): array for name, array in arrays.items()}
    tensors = {name: np.require(array, requirements="C") for name, array in tensors.items() if array is not None}
    about.pop("sha256", None)
    return save(tensors, about | {"sha256": digest(about, tensors)})


def damaged(data: bytes, rng: random.Random) -> bytes:
    """The file with random damage: bits flipped, a piece cut off, doubled, lost, moved or overwritten, or a number changed."""
    start = rng.randrange(len(data))
    end = min(len(data), start + rng.choice([1, 2, 4, 8, 64, 1024]))
    accidents = [
        lambda: _flipped(data, rng),
        lambda: data[:start],
        lambda: data[:end] + data[start:],
        lambda: data[:start] + data[end:],
        lambda: data[end:] + data[start:end] + data[:start],
        lambda: data[:start] + bytes([rng.choice([0, 255, 32])]) * (end - start) + data[end:],
        lambda: data + rng.randbytes(rng.choice([1, 8, 1000])),
        lambda: rng.choice([0, 1, 2**14, 2**31, 2**40, 2**63, 2**64 - 1]).to_bytes(8, "little") + data[8:],
        lambda: _renumbered(data, rng),
    ]
    return rng.choice(accidents)()


def _flipped(data: bytes, rng: random.Random) -> bytes:
    other = bytearray(data)
    for _ in range(rng.choice([1, 1, 1, 2, 8])):
        other[rng.choice([rng.randrange(8), rng.randrange(len(data))])] ^= 1 << rng.randrange(8)
    return bytes(other)


def _renumbered(data: bytes, rng: random.Random) -> bytes:
    """The file with one number in its header changed."""
    header, body = split(data)
    entry = header[rng.choice([name for name in header if name != "__metadata__"])]
    numbers = entry[rng.choice(["shape", "data_offsets"])]
    if numbers:
        numbers[rng.randrange(len(numbers))] = rng.choice([-1, 0, 1, 3, 4096, 2**31, 2**40, 2**64, 1e300])
    else:
        numbers.append(2**40)
    return joined(header, body)
