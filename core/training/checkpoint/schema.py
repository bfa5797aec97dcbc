"""The format of a checkpoint: a table of its arrays for saving, loading and checking, and the migration of older formats.

No array is allocated with a size that a file only claims: types and lengths are first compared with the data in the file.
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

LATER = {"1": {"cosine_until": 0, "weight_decay": 0.0}}  # by format: the live knobs that it lacks, off as in its runs
FORMAT = len(LATER) + 1  # the current one: incremented whenever older versions would misread a file
MOST_UPDATES = 10**12  # 300 years at 100 a second; from 10**14 on, two updates can coincide on a logarithmic axis
MOST_SEEN = 2**18  # points of a curve: every update of seven hours of slow motion
MOST_FLAGS = 2**13  # a move every two seconds for four hours; each is a mark in a chart that is sent five times a second
SIGNED = ("m_sum",)  # the optimiser state that may be negative
BYTES = ".bytes"  # suffix of the name for the length of a text in a shape
TEXT = "text"  # the type of a column of texts
LIVE = tuple(name for name, knob in KNOBS.items() if knob.kind == "live")  # the columns of ``moments.knobs``
NO_UPDATE = (math.nan,) * len(Update._fields)  # ``last`` of a network without an update
Arrays = Mapping[str, np.ndarray]
HOLDS: dict[str, Callable[[np.ndarray], Any]] = {  # what has to be true of the numbers in an array
    "anything": lambda numbers: True,
    "finite": lambda numbers: np.isfinite(numbers).all(),
    "sizes": lambda numbers: ((numbers >= 0) & (numbers < np.inf)).all(),
    "losses": lambda numbers: not (numbers < 0).any(),  # infinite or nan where a network has overflowed
    "sizes or nan": lambda rows: (np.isnan(rows).all(axis=-1, keepdims=True) | ((rows >= 0) & (rows < np.inf))).all(),  # by row
    "updates": lambda numbers: ((numbers >= 0) & (numbers <= MOST_UPDATES)).all(),
    "in order": lambda numbers: HOLDS["updates"](numbers) and (numbers[1:] >= numbers[:-1]).all(),
}


class Part(NamedTuple):
    """The required type of an array. A string in ``shape`` stands for any length; equal strings, for equal lengths.
    ``holds`` is a key of ``HOLDS``."""

    dtype: str
    shape: tuple[int | str, ...]
    holds: str


class Column(NamedTuple):
    """One column of a table (points of a curve, flags, moments): its name without the table's, and a function for its values."""

    name: str
    value: Callable[..., Any]
    dtype: str = "<f8"
    shape: tuple[int | str, ...] = ()  # of one value
    holds: str = "sizes"


def number_of(value: Any) -> float:
    """The value of a live knob as a number; nan for None."""
    return math.nan if value is None else float(value)


def value_of(name: str, number: float) -> Any:
    """The value of the live knob ``name`` for a number: inverse of ``number_of``. ``ValueError`` if there is none."""
    knob = KNOBS[name]
    value = None if math.isnan(number) and knob.optional else knob.type(number) if math.isfinite(number) else number
    knob.check(value)
    if number_of(value) != number and value is not None:
        raise ValueError(_("{number} is no value of {setting}.", number=number, setting=_(knob.label)))
    return value


def _knobs(moment: Moment) -> list[float]:
    return [number_of(getattr(moment.settings, name)) for name in LIVE]


def _moves(_: Moment, history: History) -> list[int]:
    """The indices of the flags that can be undone."""
    moves = set(map(id, history.moves))
    return [i for i, flag in enumerate(history.flags) if id(flag) in moves]


CURVE = (Column("updates", attrgetter("update"), "<i8", (), "in order"), Column("seconds", attrgetter("seconds")))
NATS = Column("nats", attrgetter("nats"))
TABLES = {
    "judged": (*CURVE, NATS._replace(holds="losses")),
    "training": (*CURVE, NATS),
    "epochs": (*CURVE, NATS),
    "flags": (
        Column("updates", attrgetter("point.update"), "<i8", (), "updates"),
        Column("seconds", attrgetter("point.seconds")),
        Column("values", lambda flag: (number_of(flag.old), number_of(flag.new)), "<f8", (2,), "anything"),
        Column("names", attrgetter("name"), TEXT),
    ),
    "moments": (
        Column("seconds", attrgetter("point.seconds")),
        Column("last", lambda moment: moment.last or NO_UPDATE, "<f8", (len(NO_UPDATE),), "sizes or nan"),
        Column("knobs", _knobs, "<f8", (len(LIVE),), "anything"),
        Column("before_move", attrgetter("before_move"), "|u1", (), "anything"),
        Column("samples", lambda moment: moment.sample or "", TEXT),
    ),
}
OF_RUN = (  # columns of the run: from its current moment and its history
    Column("seconds", lambda now, _: now.point.seconds),
    Column("last", lambda now, _: now.last or NO_UPDATE, "<f8", (len(NO_UPDATE),), "sizes or nan"),
    Column("training.smooth", lambda _, history: history.training.smooth, "<f8", ("training",), "finite"),
    Column("training.filling", lambda _, history: history.training.filling, "<f8", (2,)),
    Column("epochs.filling", lambda _, history: history.epochs.filling, "<f8", (2,)),
    Column("moves", _moves, "<i8", ("moves",), "in order"),
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
    """The rows of a table, a value for each column. ``ValueError`` if a text cannot be decoded."""
    named = [(f"{table}.{column.name}", column.dtype) for column in TABLES[table]]
    columns = [texts_of(name, arrays) if dtype == TEXT else arrays[name].tolist() for name, dtype in named]
    return list(zip(*columns, strict=True))


def pack_texts(name: str, texts: Iterable[str]) -> dict[str, np.ndarray]:
    """Texts as concatenated UTF-8 bytes, and the end of each text. Lone surrogates are kept."""
    pieces = [text.encode("utf-8", "surrogatepass") for text in texts]
    ends = np.cumsum([len(piece) for piece in pieces], dtype=np.int64)
    return {name: np.frombuffer(b"".join(pieces), np.uint8), f"{name}.ends": ends}


def texts_of(name: str, arrays: Arrays) -> list[str]:
    """Inverse of :func:`pack_texts`. ``ValueError`` if the bytes cannot be decoded."""
    whole, ends = arrays[name].tobytes(), arrays[f"{name}.ends"].tolist()
    return [whole[start:end].decode("utf-8", "surrogatepass") for start, end in pairwise([0, *ends])]


def layout(settings: Settings, vocab_size: int) -> dict[str, Part]:
    """The required type of every array of a run with these settings, by name."""
    shapes, state = shapes_of(vocab_size, settings.hidden_size, settings.embedding_size), _state(settings, vocab_size)
    parts = {
        **{f"params.{name}": Part(_dtype(settings), shape, "finite") for name, shape in shapes.items()},
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
    """The name of an array that is missing or has a wrong type; "" if all are right. An unknown name is not returned: it is from
    the file and may hold any characters."""
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
    return few and array.shape == wanted and bool(HOLDS[part.holds](array))


def _state(settings: Settings, vocab_size: int) -> dict[str, Part]:
    """The arrays of :meth:`core.training.tbptt.Trainer.state`."""
    dtype, size = _dtype(settings), count(vocab_size, settings.hidden_size, settings.embedding_size)
    return {
        "params": Part(dtype, (size,), "finite"),
        "h": Part(dtype, (settings.batch_size, settings.hidden_size), "finite"),
        **_optimizer(settings, size),
        "step": Part("<i8", (), "updates"),
        "position": Part("<i8", (), "updates"),
    }


def _optimizer(settings: Settings, size: int) -> dict[str, Part]:
    """The state of the optimiser. Names and types are from one of size 0: its empty arrays have ``size`` numbers here."""
    parts = {}
    for name, array in make_optimizer(settings.optimizer, 0, settings.dtype).state.items():
        shape, holds = array.shape if array.size else (size,), "finite" if name in SIGNED else "sizes"
        parts[f"optimizer.{name}"] = Part(array.dtype.str, shape, holds)
    return parts


def _strings(name: str, length: int | str) -> dict[str, Part]:
    """The two arrays of several texts: UTF-8 bytes, and the end of each text."""
    return {name: Part("|u1", (name + BYTES,), "anything"), f"{name}.ends": Part("<i8", (length,), "in order")}


def _dtype(settings: Settings) -> str:
    return np.dtype(settings.dtype).newbyteorder("<").str


def migrate(arrays: Arrays, later: Mapping[str, Any]) -> Arrays:
    """The arrays of a file in the current format: ``moments.knobs`` gets a column of zeros for every live knob in ``later``."""
    knobs, known = arrays.get("moments.knobs"), [i for i, name in enumerate(LIVE) if name not in later]
    if knobs is None or knobs.shape[1:] != (len(known),):
        return arrays
    with_later = np.zeros((len(knobs), len(LIVE)), knobs.dtype)
    with_later[:, known] = knobs
    return {**arrays, "moments.knobs": with_later}
