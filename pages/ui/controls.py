"""What the pages' controls offer: the places of each live slider, and the native widgets for what restarts training."""

from functools import cache
from typing import Any

import streamlit as st

from core.figures.parts import words
from core.settings import KNOBS, Settings
from core.text.corpus import READERS_OWN, source_of
from pages.ui.state import Stage

PER_DECADE = 24


def live_sliders(settings: Settings) -> list[dict[str, Any]]:
    """The live numbers: the places of each one's slider, their words, and where it stands."""
    return [_slider(name, settings) for name, knob in KNOBS.items() if knob.kind == "live" and knob.type is not bool]


def _slider(name: str, settings: Settings) -> dict[str, Any]:
    knob, value, places = KNOBS[name], getattr(settings, name), _places(name, settings)
    limit = knob.within and str(getattr(settings, knob.within))

    def said(place: Any) -> str:
        return limit if limit and place is None else words.value(name, place)

    return {
        "is": "knob",
        "name": name,
        "label": knob.title,
        "help": knob.help,
        "values": list(places),
        "words": [said(place) for place in places],
        "says": said(value),
        "at": _nearest(places, value),
        "ends": [
            said(places[0]) if len(places) > 1 else "",
            said(places[-1]) + (": no cut" if limit else ", log scale" * bool(knob.ends)),
        ],
        "ticks": [places.index(mark) for mark in knob.marks if mark in places],
    }


def _places(name: str, settings: Settings) -> tuple[Any, ...]:
    knob = KNOBS[name]
    places = (*knob.stops, *_decades(*knob.ends))
    return (*[place for place in places if place < getattr(settings, knob.within)], None) if knob.within else places


def _nearest(places: tuple[Any, ...], value: Any) -> int:
    if value in places:
        return places.index(value)
    numbers = [float("inf") if place is None else place for place in places]
    return min(range(len(places)), key=lambda i: abs(numbers[i] - value))


@cache
def _decades(low: float = 1.0, high: float = 0.0) -> tuple[float, ...]:
    """PER_DECADE places a decade, each rounded to two figures: the numbers that people say. None between no ends."""
    places, i = [low], 1
    while places[-1] < high:
        places.append(float(f"{low * 10 ** (i / PER_DECADE):.1e}"))
        i += 1
    return tuple(dict.fromkeys(places)) if low < high else ()


def restarting(stage: Stage, group: str) -> None:
    """The widgets of one group of settings that restart training, in the order of the table."""
    for name, knob in KNOBS.items():
        if knob.group == group and (name != "lag" or source_of(stage.settings).has_lag):
            setting(stage, name)


def setting(stage: Stage, name: str) -> None:
    """The native widget of a setting that restarts training: a change starts a new run at once."""
    knob, value = KNOBS[name], getattr(stage.settings, name)
    if name == "corpus" and stage.wants_text:
        value = READERS_OWN  # chosen, but nothing of it has come yet
    key = f"{name}_{stage.widgets}"
    if key not in st.session_state or st.session_state[key] != value:  # else the browser would take it for a correction
        st.session_state[key] = value
    common = {"key": key, "help": knob.help, "on_change": _restart, "args": (stage, name, stage.widgets)}
    if knob.choices:
        st.selectbox(knob.title, knob.choices, format_func=lambda choice: words.value(name, choice), **common)
    elif not knob.stops:
        st.number_input(knob.title, min_value=int(knob.low), max_value=int(knob.high), step=1, **common)
    else:
        options = sorted({*knob.stops, value}, key=lambda option: (option is not None, option))
        st.select_slider(knob.title, options, format_func=lambda option: words.value(name, option), **common)


def _restart(stage: Stage, name: str, widgets: int) -> None:
    """Start a new run with the widget's value, if it is another one: a widget whose key is new reports its first value too."""
    if widgets != stage.widgets:
        return
    value = st.session_state[f"{name}_{widgets}"]
    if name == "corpus":
        stage.wants_text = value == READERS_OWN and not stage.own_text
        if stage.wants_text:
            return
    stage.restart(widgets, **{name: value if value is None else KNOBS[name].type(value)})
