"""What the pages' controls offer: the places of each live slider, and the native widgets for what restarts training."""

from functools import cache, lru_cache
from typing import Any

import streamlit as st

from core.figures.parts import words
from core.settings import KNOBS, TYPES, Settings
from pages.ui.state import Stage

PER_DECADE = 24
SIZES = {
    "hidden_size": (1, 2, 4, 8, 16, 32, 64, 100, 128, 256, 512, 1024),
    "embedding_size": (0, 8, 16, 32, 64, 100, 128, 256),
    "batch_size": (1, 2, 4, 8, 10, 16, 32, 64, 128),
    "num_steps": (1, 2, 3, 5, 8, 10, 13, 16, 20, 25, 32, 35, 50, 64, 100),
    "max_tokens": (0, 1000, 10_000, 100_000, 1_000_000),
    "validation_share": (0.0, 0.05, 0.1, 0.2, 0.5),
    "gain": (0.0, 0.25, 0.5, 0.9, 1.0, 1.1, 1.5, 2.0, 3.0),
    "input_scale": (None, 0.01, 0.03, 0.1, 0.3, 0.5, 1.0),
    "output_scale": (None, 0.0, 0.01, 0.03, 0.1, 0.3, 1.0),
    "lag": (1, 2, 3, 4, 5, 6, 8, 10, 12, 16),
    "vocab_cap": (100, 500, 1000, 2000, 5000, 10_000, 20_000),
}


@lru_cache(maxsize=64)
def live_sliders(settings: Settings) -> list[dict[str, Any]]:
    """Learning rate, clip norm and truncation: the places of each slider, their words, and where it stands.

    Cached, for it is drawn five times a second: do not change the result.
    """
    return [
        _slider(
            "learning_rate",
            settings,
            _decades(*KNOBS["learning_rate"].stops),
            low="0.0001",
            high="10, log scale",
            every=PER_DECADE,
        ),
        _slider("clip_norm", settings, (0.0, *_decades(*KNOBS["clip_norm"].stops)), low="off", high="100, log scale", every=0),
        _truncation(settings),
    ]


def _truncation(settings: Settings) -> dict[str, Any]:
    T = settings.num_steps
    places = (*[int(stop) for stop in KNOBS["truncation"].stops if stop < T], None)
    slider = _slider("truncation", settings, places, low="1" if T > 1 else "", high=f"{T}: no cut", every=0)
    slider["words"][-1] = str(T)
    slider["ticks"] = [places.index(stop) for stop in (5, 35) if stop in places]
    return slider | {"says": words.value("truncation", settings.truncation) if settings.truncation else str(T)}


def _slider(name: str, settings: Settings, places: tuple[Any, ...], *, low: str, high: str, every: int) -> dict[str, Any]:
    value = getattr(settings, name)
    return {
        "name": name,
        "label": f"{KNOBS[name].label} {KNOBS[name].symbol}".strip(),
        "help": KNOBS[name].help,
        "places": list(places),
        "words": [words.value(name, place) for place in places],
        "says": words.value(name, value),
        "at": _nearest(places, value),
        "low": low,
        "high": high,
        "ticks": list(range(0, len(places), every)) if every else [],
    }


def _nearest(places: tuple[Any, ...], value: Any) -> int:
    if value in places:
        return places.index(value)
    numbers = [float("inf") if place is None else place for place in places]
    return min(range(len(places)), key=lambda i: abs(numbers[i] - value))


@cache
def _decades(low: float, high: float) -> tuple[float, ...]:
    """PER_DECADE places a decade, each rounded to two figures: the numbers that people say."""
    places, i = [low], 1
    while places[-1] < high:
        places.append(float(f"{low * 10 ** (i / PER_DECADE):.1e}"))
        i += 1
    return tuple(dict.fromkeys(places))


def setting(stage: Stage, name: str) -> None:
    """The native widget of a setting that restarts training: a change starts a new run at once."""
    knob, value = KNOBS[name], getattr(stage.settings, name)
    if name == "corpus" and stage.wants_text:
        value = "own"  # chosen, but nothing of it has come yet
    key = f"{name}_{stage.widgets}"
    if key not in st.session_state or st.session_state[key] != value:  # else the browser would take it for a correction
        st.session_state[key] = value
    label = f"{knob.label} {knob.symbol}".strip()
    common = {"key": key, "help": knob.help, "on_change": _restart, "args": (stage, name, stage.widgets)}
    if knob.choices:
        st.selectbox(label, knob.choices, format_func=lambda choice: words.value(name, choice), **common)
    elif name == "seed":
        st.number_input(label, min_value=int(knob.low), max_value=int(knob.high), step=1, **common)
    else:
        options = sorted({*SIZES[name], value}, key=lambda option: (option is not None, option))
        st.select_slider(label, options, format_func=lambda option: words.value(name, option), **common)


def _restart(stage: Stage, name: str, widgets: int) -> None:
    """Start a new run with the widget's value, if it is another one: a widget whose key is new reports its first value too."""
    if widgets != stage.widgets:
        return
    value = st.session_state[f"{name}_{widgets}"]
    if name == "corpus":
        stage.wants_text = value == "own" and not stage.own_text
        if stage.wants_text:
            return
    stage.restart(widgets, **{name: value if value is None else TYPES[name](value)})
