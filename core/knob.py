"""What is known about one setting beside its value, and which values it may have."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

Kind = Literal["live", "restart", "view"]
Group = Literal["", "text", "network", "training"]


@dataclass(frozen=True)
class Knob:
    """One line of the table of settings. It is of one of three kinds, and its control says which:

    * ``live``: acts on the run that is training, at its next update;
    * ``restart``: a change starts a new run and leaves the old curve as a ghost;
    * ``view``: only how a run is looked at; never changes training.

    ``between`` bounds a number (inclusive). A slider stands at one of ``stops``; with ``ends`` also anywhere between
    these two on a logarithmic scale; ``marks`` are the places with a tick. ``within`` names the setting that a value stays
    below, None being as much as that. ``words`` are values that the screen says otherwise than they are spelled; of a setting
    that is a word they are all its choices, and None is a value where it has words. ``short`` is the name where there is
    little room: unless said the symbol, or the label in lower case.
    """

    kind: Kind
    label: str
    help: str
    group: Group = ""  # where it stands among what restarts training
    symbol: str = ""
    short: str | None = None
    between: tuple[float, float] | None = None
    words: Mapping[Any, str] = field(default_factory=dict)
    stops: tuple[float | None, ...] = ()
    ends: tuple[float, ...] = ()
    marks: tuple[float, ...] = ()
    within: str = ""
    of_text: bool = False  # it decides which text is read: perplexities of runs that differ in it cannot be compared
    in_loading: bool = False  # it decides no more than how a text is drawn or whether it is long enough
    type: type = str

    def of(self, annotation: Any) -> "Knob":
        """The same with the type that a field's annotation names."""
        named = (annotation, *getattr(annotation, "__args__", ()))
        return replace(self, type=next(one for one in (bool, int, float, str) if one in named))

    @property
    def choices(self) -> tuple[str, ...]:
        """The values of a word."""
        return tuple(self.words) if self.type is str else ()

    @property
    def optional(self) -> bool:
        """Whether None is a value."""
        return None in self.words

    @property
    def low(self) -> float | None:
        """The least value of a number."""
        return self.between and self.between[0]

    @property
    def high(self) -> float | None:
        """The largest value of a number."""
        return self.between and self.between[1]

    @property
    def title(self) -> str:
        """Its label and its symbol."""
        return f"{self.label} {self.symbol}".strip()

    @property
    def name(self) -> str:
        """Its short name: "rate", "τ"."""
        return (self.symbol or self.label.lower()) if self.short is None else self.short

    def check(self, value: Any) -> None:
        """``ValueError`` with a sentence unless ``value`` is a valid value."""
        if value is None and self.optional:
            return
        wanted = (int, float) if self.type is float else self.type
        if not isinstance(value, wanted) or (isinstance(value, bool) and self.type is not bool):
            raise ValueError(f"{self.label} cannot be {str(value)[:40]!r}.")
        if self.choices and value not in self.choices:
            raise ValueError(f"{self.label} is one of {', '.join(self.choices)}; {str(value)[:40]!r} is not.")
        if self.between and not self.low <= value <= self.high:
            raise ValueError(f"{self.label} must lie between {self.low:g} and {self.high:g}; {str(value)[:40]} does not.")


def as_spelled(*choices: str) -> dict[str, str]:
    """Choices that the screen says as they are spelled."""
    return {choice: choice for choice in choices}
