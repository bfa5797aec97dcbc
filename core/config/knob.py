"""The description of one setting: its control, its names and its valid values."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from reprlib import repr as quoted
from typing import Any, Literal

from core.config.language import gettext as _

Kind = Literal["live", "restart", "view"]
Group = Literal["", "text", "network", "training"]


@dataclass(frozen=True)
class Knob:
    """One line of the table of settings, of one of three kinds:

    * ``live``: acts on the run that is training, at its next update;
    * ``restart``: a change starts a new run; the curve of the old run remains as a ghost;
    * ``view``: how a run is shown; never changes training.

    ``between`` bounds a typed number (inclusive). A slider has the values ``stops``, with ticks at ``marks``. ``within`` names
    the setting that is the upper bound of this one; the value None stands for that bound. ``only_with``: another setting and the
    value that it must have for this one to act; the control is not shown otherwise. ``words``: displayed names by value;
    its keys are all values of a choice or a boolean, and None is a valid value if it is a key. ``short`` is a short name, by
    default the symbol, or the label in lower case.
    """

    kind: Kind
    label: str
    help: str
    group: Group = ""  # of the settings that restart training
    symbol: str = ""
    short: str | None = None
    between: tuple[float, float] | None = None
    words: Mapping[Any, str] = field(default_factory=dict)
    stops: tuple[float | None, ...] = ()
    marks: tuple[float, ...] = ()
    within: str = ""
    only_with: tuple[str, Any] | None = None
    of_text: bool = False  # perplexities of runs that differ in it cannot be compared, as they read other texts
    in_loading: bool = False  # used in loading only to draw a language, or to check that a text is long enough
    type: type = str

    def of(self, annotation: Any) -> "Knob":
        """A copy with the type in the annotation of a field."""
        named = (annotation, *getattr(annotation, "__args__", ()))
        return replace(self, type=next(one for one in (bool, int, float, str) if one in named))

    def acts(self, settings: Any) -> bool:
        """Whether this setting has an effect beside the others in ``settings``."""
        return self.only_with is None or getattr(settings, self.only_with[0]) == self.only_with[1]

    @property
    def choices(self) -> tuple[str, ...]:
        """The valid values of a setting of type ``str``; empty for other types."""
        return tuple(self.words) if self.type is str else ()

    @property
    def optional(self) -> bool:
        """Whether None is a valid value."""
        return None in self.words

    @property
    def low(self) -> float | None:
        """The smallest valid number, None without ``between``."""
        return self.between and self.between[0]

    @property
    def high(self) -> float | None:
        """The largest valid number, None without ``between``."""
        return self.between and self.between[1]

    def check(self, value: Any) -> None:
        """Raise ``ValueError`` with a sentence unless ``value`` is valid."""
        if value is None and self.optional:
            return
        wanted = (int, float) if self.type is float else self.type
        if not isinstance(value, wanted) or (isinstance(value, bool) and self.type is not bool):
            raise self.refusal(value)
        if (self.choices and value not in self.choices) or (self.between and not self.low <= value <= self.high):
            raise self.refusal(value)

    def refusal(self, value: Any) -> ValueError:
        """The error for an invalid value, which states the valid values."""
        wanted = {"setting": _(self.label), "wanted": self._wanted(), "value": quoted(str(value))}
        return ValueError(_("{setting} has to be {wanted}; {value} is not.", **wanted))

    def _wanted(self) -> str:
        if not self.between:
            return _("one of {choices}", choices=", ".join(self.choices or map(_, self.words.values())))
        named = "".join(_(", or “{words}”", words=_(words)) for words in self.words.values())
        low, high = (format(Decimal(f"{end:.10g}"), "f") for end in self.between)  # without a power of ten: 0.00000001
        ends = {"low": low, "high": high, "or_words": named}
        if self.type is int:
            return _("a whole number from {low} to {high}{or_words}", **ends)
        return _("a number from {low} to {high}{or_words}", **ends)


def per_decade(low: float, high: float) -> tuple[float, ...]:
    """1, 2, 3 and 5 times each power of ten from ``low`` to ``high``: usual values of a learning rate."""
    first, last = Decimal(str(low)).adjusted(), Decimal(str(high)).adjusted()
    return (*(float(f"{place}e{power}") for power in range(first, last) for place in (1, 2, 3, 5)), high)


def as_spelled(*choices: str) -> dict[str, str]:
    """Choices whose displayed name is their value."""
    return {choice: choice for choice in choices}
