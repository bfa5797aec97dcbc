"""A bar of sliders, switches, selects and buttons. Events of unknown controls are ignored."""

from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple, TypedDict, get_args, get_type_hints

from pages.app.widgets.component_factory import component


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
    the last typed value was refused. ``settles``: whether it sends its value only when the drag ends.
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


class Switch(NamedTuple):
    """A row of ``options``, pairs (value, words). ``help``: accessible name, by default the label; ``about``: text on request."""

    name: str
    label: str
    options: list[tuple[str | int, str]]
    value: str | int
    help: str = ""
    about: str = ""


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

    ``variant``: "bar", "sections" (tabs), "rows", "column", "live" (the live settings), "presets" or "names".
    ``hidden_in_scenes``: names of the controls that are hidden while a scene is presented.
    """
    offered = {control.name: control for row in rows for control in row}

    def moved(name: str, place: int, done: bool) -> None:
        if isinstance(control := offered.get(name), Slider | Knob) and 0 <= place < len(control.words):
            on_move(name, control.values[place], done)

    def chosen(name: str, value: str) -> None:
        control = offered.get(name)
        options = {str(option): option for option, _ in control.options} if isinstance(control, Switch) else {}
        if value in options:
            on_move(name, options[value], True)

    def pressed(name: str) -> None:
        if on_press and isinstance(control := offered.get(name), Button) and not control.disabled:
            on_press(name)

    def typed(name: str, text: str) -> None:
        if on_type and isinstance(control := offered.get(name), Knob) and control.typed:
            on_type(name, text)

    shown = [[{**control_data(control), "aside": control.name in hidden_in_scenes} for control in row] for row in rows]
    data = {"label": label, "look": variant, "rows": shown}
    _controls(data, key=key, on_move=moved, on_type=typed, on_choose=chosen, on_press=pressed)


def control_data(control: Control) -> DrawnControl:
    """The data for the browser, without ``values``: the browser sends indices."""
    return {"is": type(control).__name__.lower(), **{name: part for name, part in control._asdict().items() if name != "values"}}
