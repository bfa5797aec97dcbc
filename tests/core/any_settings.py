"""Strategies for settings, and for texts that URL parameters may contain as values."""

from typing import Any

from hypothesis import strategies as st

from core.config.settings import KNOBS, Settings

NUMBERS = [name for name, knob in KNOBS.items() if knob.type in (int, float)]


def values(name: str) -> st.SearchStrategy[Any]:
    """A strategy for all valid values of one field."""
    knob, kind = KNOBS[name], KNOBS[name].type
    if knob.choices:
        valid = st.sampled_from(knob.choices)
    elif kind is bool:
        valid = st.booleans()
    elif kind is int:
        valid = st.integers(int(knob.low), int(knob.high))
    else:
        valid = st.floats(knob.low, knob.high)
    return st.none() | valid if knob.optional else valid


any_settings = st.builds(Settings, **{name: values(name) for name in KNOBS})
some_fields = st.sampled_from(list(KNOBS)).flatmap(lambda name: st.tuples(st.just(name), values(name)))
odd_text = st.sampled_from(
    ["", "none", "yes", "nan", "inf", "-inf", "1e400", "0" * 50 + "5", "٣", "1_0", "9" * 5000, "<b>", "%00"]
)
any_value = st.text() | st.integers().map(str) | st.floats().map(str) | odd_text
