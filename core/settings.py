"""Every hyperparameter, once: name, default, range, unit, kind and help.

The field names of :class:`Settings` are the widget keys, the URL parameters and the fields of a lesson. Each is one of three
kinds, and its control says which:

* ``live``: acts on the run that is training, at its next update;
* ``restart``: a change starts a new run and leaves the old curve as a ghost;
* ``view``: only how a run is looked at; never changes training.
"""

from dataclasses import asdict, dataclass, field, fields, replace
from numbers import Integral, Real
from typing import Any, Literal

Kind = Literal["live", "restart", "view"]
NONE_WORD = "none"  # how None is spelled in a URL


@dataclass(frozen=True)
class Knob:
    """What is known about one field of :class:`Settings` beside its value.

    ``low`` and ``high`` bound a number (inclusive); ``choices`` lists the values of a word. ``stops`` are the values a
    slider offers where they are not a plain range. ``optional`` fields may be None, and ``none_means`` says what that is.
    """

    kind: Kind
    label: str
    help: str
    symbol: str = ""
    unit: str = ""
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    stops: tuple[float, ...] = ()
    none_means: str = ""

    @property
    def optional(self) -> bool:
        return bool(self.none_means)


def _setting(default: Any, kind: Kind, label: str, help: str, **knob: Any) -> Any:
    return field(default=default, metadata={"knob": Knob(kind, label, help, **knob)})


@dataclass(frozen=True)
class Settings:
    """One training run, and how it is looked at. Immutable; make another with :meth:`but`.

    Raises ``ValueError`` with a sentence for a value of the wrong type or out of range.
    """

    # The text
    corpus: str = _setting(
        "python_manual", "restart", "Text", "What the network learns to predict.", choices=("python_manual", "lag", "echo", "own")
    )
    unit: str = _setting(
        "char", "restart", "Unit", "What one token is: a character, or a word between blanks.", choices=("char", "word")
    )
    cleaning: str = _setting(
        "keep",
        "restart",
        "Cleaning",
        "keep: as it is. letters: only a to z in lower case, all else becomes one blank.",
        choices=("keep", "letters"),
    )
    vocab_cap: int = _setting(
        5000,
        "restart",
        "Vocabulary at most",
        "The most frequent symbols are kept, the others become <unk>.",
        symbol="V",
        unit="symbols",
        low=2,
        high=20_000,
    )
    max_tokens: int = _setting(
        0,
        "restart",
        "Length at most",
        "Only the first tokens of the text; 0 is all of it.",
        unit="tokens",
        low=0,
        high=20_000_000,
    )
    validation_share: float = _setting(
        0.1,
        "restart",
        "Held-out share",
        "The last part of the text, never trained on; it judges the network.",
        low=0.0,
        high=0.5,
    )
    lag: int = _setting(
        4,
        "restart",
        "Lag",
        "Lag language and echo task only: each answer is the bit this far back.",
        symbol="k",
        unit="tokens",
        low=1,
        high=32,
    )
    # The network
    hidden_size: int = _setting(
        128, "restart", "Hidden units", "How many numbers the state h has.", symbol="H", unit="units", low=1, high=4096
    )
    embedding_size: int = _setting(
        0,
        "restart",
        "Embedding",
        "Width of a learnt vector per token; 0 is one-hot input.",
        symbol="D",
        unit="numbers",
        low=0,
        high=1024,
    )
    activation: str = _setting(
        "tanh",
        "restart",
        "Activation",
        "The function φ that turns the pre-activation into the state.",
        symbol="φ",
        choices=("tanh", "relu", "sigmoid"),
    )
    init: str = _setting(
        "orthogonal",
        "restart",
        "Initial weights",
        "xavier: std 1/√fan-in. normal001: N(0, 0.01²). uniform001: U(−0.01, 0.01). "
        "orthogonal, identity: W_hh so, the rest as xavier.",
        choices=("xavier", "normal001", "uniform001", "orthogonal", "identity"),
    )
    gain: float = _setting(
        1.0,
        "restart",
        "Gain",
        "Multiplies the initial W_hh.",
        low=0.0,
        high=5.0,
    )
    input_scale: float | None = _setting(
        1.0,  # smaller, and memory settles in states of its own before it has heard much: perplexity falls late, and not steadily
        "restart",
        "Input scale",
        "Standard deviation of the initial W_xh.",
        low=0.0,
        high=10.0,
        none_means="as the initialisation says",
    )
    output_scale: float | None = _setting(
        0.01,
        "restart",
        "Output scale",
        "Standard deviation of the initial W_hq.",
        low=0.0,
        high=10.0,
        none_means="as the initialisation says",
    )
    dtype: str = _setting("float32", "restart", "Precision", "Of every number in training.", choices=("float32", "float64"))
    # How it is trained
    batch_size: int = _setting(
        32, "restart", "Batch size", "Sequences read side by side in one update.", symbol="N", unit="sequences", low=1, high=1024
    )
    num_steps: int = _setting(
        32, "restart", "Time steps", "Tokens each sequence moves on in one update.", symbol="T", unit="tokens", low=1, high=1000
    )
    optimizer: str = _setting(
        "adam", "restart", "Optimiser", "How a gradient becomes a step.", choices=("sgd", "adagrad", "adam")
    )
    seed: int = _setting(0, "restart", "Seed", "The same seed gives the same run.", low=0, high=2**31 - 1)
    learning_rate: float = _setting(
        0.003, "live", "Learning rate", "How far one update goes.", symbol="η", low=1e-8, high=1e6, stops=(1e-4, 10.0)
    )
    clip_norm: float = _setting(
        1.0,
        "live",
        "Clip norm",
        "A longer gradient is shortened to this length; 0 is off.",
        low=0.0,
        high=1e6,
        stops=(0.01, 100.0),
    )
    truncation: int | None = _setting(
        None,
        "live",
        "Truncation",
        "How many steps back a gradient may go inside the window.",
        symbol="τ",
        unit="tokens",
        low=1,
        high=1000,
        stops=(1, 2, 3, 5, 8, 13, 20, 35),
        none_means="the whole window",
    )
    carry_state: bool = _setting(True, "live", "Between windows", "Carry the state on into the next window, or reset it to zero.")
    # How it is looked at
    speed: float = _setting(
        0.0, "view", "Speed", "Updates per second; 0 is as fast as it goes.", unit="updates/s", low=0.0, high=1000.0
    )
    temperature: float = _setting(
        1.0, "view", "Temperature", "Below 1 the sample plays safe, above 1 it is bolder.", low=0.05, high=10.0
    )
    across: str = _setting("updates", "view", "Across", "What runs along the chart.", choices=("updates", "tokens", "seconds"))

    def __post_init__(self) -> None:
        for name in KNOBS:
            value = getattr(self, name)
            if isinstance(value, Integral | Real) and not isinstance(value, int | float):  # a number of NumPy's
                value = int(value) if isinstance(value, Integral) else float(value)
                object.__setattr__(self, name, value)
            _check(name, value)

    def but(self, **changes: Any) -> "Settings":
        """The same settings with some fields replaced."""
        return replace(self, **changes)

    def moved(self, **knobs: Any) -> "Settings":
        """These settings with live knobs moved: what a run can go on with. ``ValueError`` with a sentence if it cannot."""
        new = self.but(**knobs)
        fixed = self.differing(new, "restart", "view")
        if fixed:
            raise ValueError(f"{', '.join(fixed)} cannot change while a run goes on; start a new one.")
        return new

    def differing(self, other: "Settings", *kinds: Kind) -> list[str]:
        """Names of the fields (of these kinds; all when none are named) in which two settings differ, in table order."""
        return [
            name
            for name, knob in KNOBS.items()
            if (not kinds or knob.kind in kinds) and getattr(self, name) != getattr(other, name)
        ]

    def to_query(self) -> dict[str, str]:
        """URL parameters: the fields that differ from their default, as text. Inverse of :func:`from_query`."""
        return {name: to_text(getattr(self, name)) for name in self.differing(DEFAULTS)}

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


KNOBS: dict[str, Knob] = {f.name: f.metadata["knob"] for f in fields(Settings)}
TYPES: dict[str, type] = {
    f.name: next(t for t in (bool, int, float, str) if t is f.type or t in getattr(f.type, "__args__", ()))
    for f in fields(Settings)
}


def to_text(value: Any) -> str:
    """A value as it is spelled in a URL. ``parse(name, to_text(value)) == value`` for every valid value."""
    if value is None:
        return NONE_WORD
    if isinstance(value, bool):
        return "yes" if value else "no"
    return repr(float(value)) if isinstance(value, float) else str(value)


def parse(name: str, text: str) -> Any:
    """The value of field ``name`` spelled by ``text``; ``ValueError`` with a sentence if it has none."""
    if name not in KNOBS:
        raise ValueError(f"There is no setting called {name[:40]!r}.")
    word = text.strip().lower()
    if word == NONE_WORD and KNOBS[name].optional:
        return None
    try:
        value = _READERS[TYPES[name]](word)
    except (ValueError, KeyError, OverflowError):
        raise ValueError(f"{KNOBS[name].label} cannot be {text[:40]!r}.") from None
    _check(name, value)
    return value


def from_query(query: dict[str, str], base: Settings | None = None) -> tuple[Settings, list[str]]:
    """Any URL parameters become valid settings: what cannot be read keeps its value in ``base`` (the defaults) and is told.

    Returns the settings and one sentence per parameter that was passed over.
    """
    values, notices = {}, []
    for name, text in query.items():
        try:
            values[name] = parse(name, text)
        except ValueError as error:
            notices.append(str(error))
    return (base or DEFAULTS).but(**values), notices


_READERS = {
    str: str,
    int: int,
    float: float,
    bool: {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}.__getitem__,
}


def _check(name: str, value: Any) -> None:
    """``ValueError`` with a sentence unless ``value`` is a valid value of field ``name``."""
    knob, kind = KNOBS[name], TYPES[name]
    if value is None and knob.optional:
        return
    wanted = (int, float) if kind is float else kind
    if not isinstance(value, wanted) or (isinstance(value, bool) and kind is not bool):
        raise ValueError(f"{knob.label} cannot be {str(value)[:40]!r}.")
    if knob.choices and value not in knob.choices:
        raise ValueError(f"{knob.label} is one of {', '.join(knob.choices)}; {str(value)[:40]!r} is not.")
    if knob.low is not None and not knob.low <= value <= knob.high:
        raise ValueError(f"{knob.label} must lie between {knob.low:g} and {knob.high:g}; {str(value)[:40]} does not.")


DEFAULTS = Settings()
