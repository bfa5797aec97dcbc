"""The format of a checkpoint: a table of its arrays, which saving, loading and checking go by, and what older formats lack.

Nothing here makes an array of a size that a file only claims: types and lengths are compared first, with what is there.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np

from core.config.language import gettext as _
from core.config.settings import KNOBS, Settings
from core.models.params import count, shapes_of
from core.training.history import History
from core.training.optimizers import make_optimizer
from core.training.snapshots import Moment
from core.training.tbptt import Update

LATER = {"1": {"cosine_until": 0, "weight_decay": 0.0}}  # of each format: live knobs that it did not have, all of them off
FORMAT = len(LATER) + 1  # today's: one more whenever a reader of the format before would misunderstand a file
MOST_UPDATES = 10**12  # 300 years at 100 a second; from 10**14 on, two updates can have one place on a logarithmic axis
MOST_SEEN = 2**18  # points of a curve: every update of seven hours of slow motion
MOST_FLAGS = 2**13  # a move every two seconds for four hours; each is a mark in a chart that is sent five times a second
SIGNED = ("m_sum",)  # what an optimiser remembers that may be below zero
BYTES = ".bytes"  # how the word for the length of a text ends
TEXT = "text"  # the type of a column of texts
LIVE = tuple(name for name, knob in KNOBS.items() if knob.kind == "live")  # the columns of ``moments.knobs``
LAST = 5  # numbers of an update: its step, loss, gradient norm before and after clipping, learning rate
Arrays = Mapping[str, np.ndarray]


class Part(NamedTuple):
    """The type of one array. In a shape a word is any length, and the same word the same length."""

    dtype: str
    shape: tuple[int | str, ...]
    holds: Callable[[np.ndarray], bool]


def anything(array: np.ndarray) -> bool:
    return True


def finite(array: np.ndarray) -> bool:
    return bool(np.isfinite(array).all())


def sizes(array: np.ndarray) -> bool:
    """Finite, and none below zero."""
    return finite(array) and not bool((array < 0).any())


def losses(array: np.ndarray) -> bool:
    """None below zero; but a network whose numbers overflowed was judged, too."""
    return not bool((array < 0).any())


def whole_rows(array: np.ndarray) -> bool:
    """Rows of sizes, or of no numbers at all."""
    none = np.isnan(array).all(axis=-1)
    return sizes(array[~none])


def updates(array: np.ndarray) -> bool:
    """Numbers of updates."""
    return sizes(array) and not bool((array > MOST_UPDATES).any())


def in_order(array: np.ndarray) -> bool:
    """Numbers of updates, none before the one before it."""
    return updates(array) and not bool((array[1:] < array[:-1]).any())


class Column(NamedTuple):
    """One array of a table of rows (points of a curve, flags, moments): its name after the table's, and its value of a row."""

    name: str
    value: Callable[..., Any]
    dtype: str = "<f8"
    shape: tuple[int | str, ...] = ()  # of a row
    holds: Callable[[np.ndarray], bool] = sizes


def number_of(value: Any) -> float:
    """The value of a live knob as a number; not a number for None."""
    return math.nan if value is None else float(value)


def value_of(name: str, number: float) -> Any:
    """The value of the live knob ``name`` that ``number_of`` made this number of. ``ValueError`` where there is none such."""
    knob = KNOBS[name]
    value = None if math.isnan(number) and knob.optional else knob.type(number) if math.isfinite(number) else number
    knob.check(value)
    if number_of(value) != number and value is not None:
        raise ValueError(_("{number} is no value of {setting}.", number=number, setting=_(knob.label)))
    return value


def _numbers(last: Update | None) -> list[float]:
    """An update as the numbers that the others can be computed from."""
    return [last.step, last.loss, last.grad_norm, last.clipped_norm, last.learning_rate] if last else [math.nan] * LAST


def _knobs(moment: Moment) -> list[float]:
    return [number_of(getattr(moment.settings, name)) for name in LIVE]


def _moves(_: Moment, history: History) -> list[int]:
    """Which of the flags can still be put back."""
    moves = set(map(id, history.moves))
    return [i for i, flag in enumerate(history.flags) if id(flag) in moves]


CURVE = (Column("updates", attrgetter("update"), "<i8", (), in_order), Column("seconds", attrgetter("seconds")))
NATS = Column("nats", attrgetter("nats"))
TABLES = {
    "judged": (*CURVE, NATS._replace(holds=losses)),
    "training": (*CURVE, NATS),
    "epochs": (*CURVE, NATS),
    "flags": (
        Column("updates", attrgetter("point.update"), "<i8", (), updates),
        Column("seconds", attrgetter("point.seconds")),
        Column("values", lambda flag: (number_of(flag.old), number_of(flag.new)), "<f8", (2,), anything),
        Column("names", attrgetter("name"), TEXT),
    ),
    "moments": (
        Column("seconds", attrgetter("point.seconds")),
        Column("last", lambda moment: _numbers(moment.last), "<f8", (LAST,), whole_rows),
        Column("knobs", _knobs, "<f8", (len(LIVE),), anything),
        Column("before_move", attrgetter("before_move"), "|u1", (), anything),
        Column("samples", lambda moment: moment.sample or "", TEXT),
    ),
}
OF_RUN = (  # of a whole run: of the moment that it is now, and its history
    Column("seconds", lambda now, _: now.point.seconds),
    Column("last", lambda now, _: _numbers(now.last), "<f8", (LAST,), whole_rows),
    Column("training.smooth", lambda _, history: history.training.smooth, "<f8", ("training",), finite),
    Column("training.filling", lambda _, history: history.training.filling, "<f8", (2,)),
    Column("epochs.filling", lambda _, history: history.epochs.filling, "<f8", (2,)),
    Column("moves", _moves, "<i8", ("moves",), in_order),
)


def arrays_of(table: str, rows: Sequence[Any]) -> dict[str, np.ndarray]:
    """A table of these rows as arrays, one for each column. Inverse of :func:`rows_of`."""
    arrays: dict[str, np.ndarray] = {}
    for column in TABLES[table]:
        name, values = f"{table}.{column.name}", [column.value(row) for row in rows]
        texts = column.dtype == TEXT
        arrays |= pack_texts(name, values) if texts else {name: np.array(values, column.dtype).reshape(-1, *column.shape)}
    return arrays


def rows_of(table: str, arrays: Arrays) -> list[tuple[Any, ...]]:
    """The rows of a table, a value for each column. ``ValueError`` where a text is none."""
    named = [(f"{table}.{column.name}", column.dtype) for column in TABLES[table]]
    columns = [texts_of(name, arrays) if dtype == TEXT else arrays[name].tolist() for name, dtype in named]
    return list(zip(*columns, strict=True))


def pack_texts(name: str, texts: Iterable[str]) -> dict[str, np.ndarray]:
    """Texts as their UTF-8 bytes, one after the other, and where each ends. Half characters, which UTF-8 has not, are kept."""
    pieces = [text.encode("utf-8", "surrogatepass") for text in texts]
    ends = np.cumsum([len(piece) for piece in pieces], dtype=np.int64)
    return {name: np.frombuffer(b"".join(pieces), np.uint8), f"{name}.ends": ends}


def texts_of(name: str, arrays: Arrays) -> list[str]:
    """The texts of :func:`pack_texts`, which end where the bytes do. ``ValueError`` where they are none."""
    whole, ends = arrays[name].tobytes(), arrays[f"{name}.ends"].tolist()
    return [whole[start:end].decode("utf-8", "surrogatepass") for start, end in pairwise([0, *ends])]


def layout(settings: Settings, vocab_size: int) -> dict[str, Part]:
    """Name -> what it has to be, for every array of a run with these settings."""
    shapes, state = shapes_of(vocab_size, settings.hidden_size, settings.embedding_size), _state(settings, vocab_size)
    parts = {
        **{f"params.{name}": Part(_dtype(settings), shape, finite) for name, shape in shapes.items()},
        **{name: part for name, part in state.items() if name != "params"},
        **{f"moments.{name}": part._replace(shape=("moments", *part.shape)) for name, part in state.items()},
        **{name: Part(dtype, shape, holds) for name, _, dtype, shape, holds in OF_RUN},
        **_strings("vocabulary", vocab_size),
        **_strings("text", "texts"),
    }
    for table, columns in TABLES.items():
        for name, _file, dtype, shape, holds in columns:
            whole = f"{table}.{name}"
            parts |= _strings(whole, table) if dtype == TEXT else {whole: Part(dtype, (table, *shape), holds)}
    return parts


def schema_error(arrays: Arrays, parts: Mapping[str, Part]) -> str:
    """The name of an array that is missing or not what it has to be; "" when all are right. An unknown name is not returned: only
    the file says it, and it may hold any characters."""
    lengths: dict[str, int] = {}
    if missing := sorted(parts.keys() - arrays.keys()):
        return missing[0]
    if len(arrays) > len(parts):
        return "list of arrays"
    return next((name for name, part in parts.items() if not _is(arrays[name], part, lengths)), "")


def _is(array: np.ndarray, part: Part, lengths: dict[str, int]) -> bool:
    if array.dtype.str != part.dtype or array.ndim != len(part.shape):
        return False
    both = zip(part.shape, array.shape, strict=True)
    wanted = tuple(lengths.setdefault(size, there) if isinstance(size, str) else size for size, there in both)
    few = all(size.endswith(BYTES) or lengths[size] <= MOST_SEEN for size in part.shape if isinstance(size, str))
    return few and array.shape == wanted and part.holds(array)


def _state(settings: Settings, vocab_size: int) -> dict[str, Part]:
    """The arrays of :meth:`core.training.tbptt.Trainer.state`."""
    dtype, size = _dtype(settings), count(vocab_size, settings.hidden_size, settings.embedding_size)
    return {
        "params": Part(dtype, (size,), finite),
        "h": Part(dtype, (settings.batch_size, settings.hidden_size), finite),
        **_optimizer(settings, size),
        "step": Part("<i8", (), updates),
        "position": Part("<i8", (), updates),
    }


def _optimizer(settings: Settings, size: int) -> dict[str, Part]:
    """The state of the optimiser. One without parameters gives the names, and which arrays have a number for each parameter."""
    remembered = make_optimizer(settings.optimizer, 0, settings.dtype).state
    return {
        f"optimizer.{name}": Part(array.dtype.str, array.shape if array.size else (size,), finite if name in SIGNED else sizes)
        for name, array in remembered.items()
    }


def _strings(name: str, length: int | str) -> dict[str, Part]:
    """Several texts as one: all in UTF-8, and where each of them ends."""
    return {name: Part("|u1", (name + BYTES,), anything), f"{name}.ends": Part("<i8", (length,), in_order)}


def _dtype(settings: Settings) -> str:
    return np.dtype(settings.dtype).newbyteorder("<").str


def since(version: str) -> Mapping[str, Any]:
    """The settings that are newer than this format, with the values of runs before them."""
    return LATER.get(version, {})


def migrate(arrays: Arrays, version: str) -> Arrays:
    """The arrays of a file of this format as those of today's: its moments have a column for every live knob."""
    knobs = arrays.get("moments.knobs")
    if knobs is None or knobs.ndim != 2 or not since(version):
        return arrays
    known = [name for name in LIVE if name not in since(version)]
    places = [sum(LIVE.index(one) < LIVE.index(name) for one in known) for name in since(version)]
    return {**arrays, "moments.knobs": np.insert(knobs, places, 0, axis=1)} if knobs.shape[1] == len(known) else arrays
