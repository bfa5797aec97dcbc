"""Files that are not as they were saved: damaged at random, and lying with care."""

import json
import random

import numpy as np
from safetensors.numpy import load, save

from core.training.safe_file import digest


def split(data):
    """The header of a file, and what lies behind it."""
    length = int.from_bytes(data[:8], "little")
    return json.loads(data[8 : 8 + length]), data[8 + length :]


def joined(header, body=b""):
    said = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(said).to_bytes(8, "little") + said + body


def forged(data, words=(), **arrays):
    """The file with other words and arrays (None: without), signed as if it had been saved so. Blanks in a name are dots."""
    about = split(data)[0]["__metadata__"] | dict(words)
    there = load(data) | {name.replace("__", "."): array for name, array in arrays.items()}
    there = {name: np.require(array, requirements="C") for name, array in there.items() if array is not None}
    about.pop("sha256", None)
    return save(there, about | {"sha256": digest(about, there)})


def damaged(data, rng: random.Random):
    """The file after an accident: bits flipped, cut off, a piece doubled, lost, moved, or written over."""
    return rng.choice([_flipped, _cut, _doubled, _lost, _swapped, _zeroed, _lengthened, _renumbered])(data, rng)


def _piece(data, rng):
    start = rng.randrange(len(data))
    return start, min(len(data), start + rng.choice([1, 2, 4, 8, 64, 1024]))


def _flipped(data, rng):
    other = bytearray(data)
    for _ in range(rng.choice([1, 1, 1, 2, 8])):
        other[rng.choice([rng.randrange(8), rng.randrange(len(data))])] ^= 1 << rng.randrange(8)
    return bytes(other)


def _cut(data, rng):
    return data[: rng.randrange(len(data))]


def _doubled(data, rng):
    start, end = _piece(data, rng)
    return data[:end] + data[start:]


def _lost(data, rng):
    start, end = _piece(data, rng)
    return data[:start] + data[end:]


def _swapped(data, rng):
    start, end = _piece(data, rng)
    return data[end:] + data[start:end] + data[:start]


def _zeroed(data, rng):
    start, end = _piece(data, rng)
    return data[:start] + bytes([rng.choice([0, 255, 32])]) * (end - start) + data[end:]


def _lengthened(data, rng):
    return data + rng.randbytes(rng.choice([1, 8, 1000]))


def _renumbered(data, rng):
    """A number in the header, its length included, becomes another."""
    if rng.random() < 0.2:
        return rng.choice([0, 1, 2**14, 2**31, 2**40, 2**63, 2**64 - 1]).to_bytes(8, "little") + data[8:]
    header, body = split(data)
    entry = header[rng.choice([name for name in header if name != "__metadata__"])]
    numbers = entry[rng.choice(["shape", "data_offsets"])]
    if numbers:
        numbers[rng.randrange(len(numbers))] = rng.choice([-1, 0, 1, 3, 4096, 2**31, 2**40, 2**64, 1e300])
    else:
        numbers.append(2**40)
    return joined(header, body)
