"""A bar of sliders, switches, selects and buttons, and the tabs of sections. Events of unknown controls are ignored.

The name of a control is unique on its page, and means nothing to the browser.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple, TypedDict, get_args, get_type_hints

from pages.app.widgets.component_factory import component
from pages.app.widgets.rerun import owner


class Slider(NamedTuple):
    """A slider over ``values`` with the labels ``words``. ``at``: the current index; ``marked``: indices of underlined values
    (those in the sources). Handlers receive the value that was drawn at the new index.

    Components with the same ``link`` follow a move immediately, in the browser.
    """

    name: str
    label: str
    words: list[str]
    at: int
    values: Sequence[Any]
    marked: Sequence[int] = ()
    help: str = ""
    link: str = ""


class Knob(NamedTuple):
    """A slider over ``values`` with the current value above it: one of ``words``, or ``says`` for a value between two indices.

    ``ends``: labels of both ends. ``ticks``: indices with a tick. ``typed``: whether a value can also be typed; ``error``: why
    the last typed value was refused. ``settles``: whether it sends its value only when the drag ends. ``short``: its name beside
    the names of other knobs.
    """

    name: str
    label: str
    words: list[str]
    at: int
    values: Sequence[Any]
    help: str = ""
    says: str | None = None
    ends: Sequence[str] = ()
    ticks: Sequence[int] = ()
    typed: bool = False
    settles: bool = False
    error: str = ""
    short: str = ""


class Switch(NamedTuple):
    """A row of ``options``, pairs (value, words). ``help``: accessible name, by default the label; ``about``: text on request."""

    name: str
    label: str
    options: list[tuple[str | int, str]]
    value: str | int
    help: str = ""
    about: str = ""
    short: str = ""


class Select(Switch):
    """A drop-down list with the same fields as a switch, for many options."""


class Button(NamedTuple):
    """A button with an optional ``icon`` of shared/icons.js. ``filled``: the primary button. Without ``words`` it is hidden."""

    name: str
    words: str
    icon: str = ""
    filled: bool = False
    disabled: bool = False
    help: str = ""


class Title(NamedTuple):
    """A title for the controls beside it, with a short note."""

    label: str
    words: str
    name: str = "title"


Control = Slider | Knob | Switch | Button | Title
_PARTS = {name: of for kind in get_args(Control) for name, of in get_type_hints(kind).items() if name != "values"}
DrawnControl = TypedDict("DrawnControl", _PARTS | {"is": str, "words": list[str] | str, "aside": bool}, total=False)

_controls = component(
    "controls",
    {"label": str, "look": str, "rows": list[list[DrawnControl]]},
    events={
        "move": {"name": str, "value": int, "done": bool},
        "type": {"name": str, "text": str},
        "choose": {"name": str, "value": str},
        "press": str,
    },
)
_tabs = component(
    "tabs",
    {"label": str, "tabs": list[tuple[str, str]], "open": str, "controls": list[DrawnControl]},
    events={"open_section": str, "choose": {"name": str, "value": str}, "press": str},
)


def controls(
    *rows: Sequence[Control],
    label: str,
    on_move: Callable[[str, Any, bool], None],
    on_press: Callable[[str], None] | None = None,
    on_type: Callable[[str, str], None] | None = None,
    variant: str = "bar",
    hidden_in_scenes: Collection[str] = (),
    key: str,
) -> None:
    """Draw a bar of controls. ``on_move(name, value, done)`` handles moves and choices, ``on_press(name)`` buttons,
    ``on_type(name, text)`` typed values of knobs. All handlers are called before the rerun.

    ``variant``: "bar", "rows", "column", "live" (the live settings), "live.pair" (those of two runs), "presets" or "names".
    ``hidden_in_scenes``: names of the controls that are hidden while a scene is presented.
    ``ValueError`` for a name that another control of the page has.
    """
    offered = _offered([control for row in rows for control in row], key)

    def moved(name: str, place: int, done: bool) -> None:
        if isinstance(control := offered.get(name), Slider | Knob) and 0 <= place < len(control.words):
            on_move(name, control.values[place], done)

    def typed(name: str, text: str) -> None:
        if on_type and isinstance(control := offered.get(name), Knob) and control.typed:
            on_type(name, text)

    data = {"label": label, "look": variant, "rows": [_drawn(row, hidden_in_scenes) for row in rows]}
    on = {"on_move": moved, "on_type": typed, **_choices(offered, lambda *chosen: on_move(*chosen, True), on_press)}
    _controls(data, key=key, **on)


def tabs(
    titles: Sequence[tuple[str, str]],
    opened: str,
    beside: Sequence[Switch | Button],
    *,
    label: str,
    on_open: Callable[[str], None],
    on_choose: Callable[[str, Any], None],
    on_press: Callable[[str], None],
    hidden_in_scenes: Collection[str] = (),
    key: str,
) -> None:
    """Draw the tabs of sections, pairs (name, title), of which ``opened`` is open, and controls ``beside`` them.

    ``on_open(name)`` handles a tab, ``on_choose(name, value)`` a choice, ``on_press(name)`` a button, before the rerun. While a
    scene is presented, the tabs and the controls with the names ``hidden_in_scenes`` are hidden.
    """
    offered = _offered(beside, key)

    def pressed_tab(name: str) -> None:
        if name in dict(titles):
            on_open(name)

    data = {"label": label, "tabs": titles, "open": opened, "controls": _drawn(beside, hidden_in_scenes)}
    _tabs(data, key=key, on_open_section=pressed_tab, **_choices(offered, on_choose, on_press))


def _offered(bar: Sequence[Control], key: str) -> dict[str, Control]:
    """The controls of a bar by name. ``ValueError`` if a name is not unique on the page."""
    offered = {control.name: control for control in bar}
    if len(offered) < len(bar):
        raise ValueError(f"Two controls of the bar {key} have the same name: {', '.join(control.name for control in bar)}.")
    for name in offered:
        if (other := owner(name, key)) != key:
            raise ValueError(f"The bars {other} and {key} of this page both have a control with the name {name}.")
    return offered


def _drawn(bar: Sequence[Control], hidden_in_scenes: Collection[str]) -> list[DrawnControl]:
    return [{**control_data(control), "aside": control.name in hidden_in_scenes} for control in bar]


def _choices(
    offered: Mapping[str, Control], on_choose: Callable[[str, Any], None], on_press: Callable[[str], None] | None
) -> dict[str, Callable[..., None]]:
    """Listeners of a bar that pass on only choices and presses that are ``offered``."""

    def chosen(name: str, value: str) -> None:
        control = offered.get(name)
        options = {str(option): option for option, _ in control.options} if isinstance(control, Switch) else {}
        if value in options:
            on_choose(name, options[value])

    def pressed(name: str) -> None:
        if on_press and isinstance(control := offered.get(name), Button) and not control.disabled:
            on_press(name)

    return {"on_choose": chosen, "on_press": pressed}


def control_data(control: Control) -> DrawnControl:
    """The data for the browser, which sends indices of the ``values``; without a ``short`` name if there is none."""
    left_out = {"values"} if getattr(control, "short", "") else {"values", "short"}
    parts = {name: part for name, part in control._asdict().items() if name not in left_out}
    return {"is": type(control).__name__.lower(), **parts}
