"""A bar of sliders, switches, selects and buttons: all of them act at once, and what was not offered is ignored."""

from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple, TypedDict, get_args, get_type_hints

from pages.app.widgets.component_factory import component


class Slider(NamedTuple):
    """Its stops have names, ``words``; ``at`` is the chosen one, and ``marked`` ones are underlined (the sources' own). Their
    ``values`` are what handlers get, so that a move means what was drawn, whatever has changed since.

    Components with the same ``link`` follow a move at once, in the browser.
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
    """A slider that says its present value, one of ``words``, above itself; or ``says``, where it stands between its places.
    The places' ``values`` are what handlers get.

    Words below its ``ends``, and marks on its track at the places ``ticks``. A value can be ``typed``, too; ``error`` is why
    the last one was refused. One that ``settles`` sends its value only when the drag ends.
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
    """``options`` are (value, words); ``help`` is read out where it is not the label; ``about`` is shown to who asks."""

    name: str
    label: str
    options: list[tuple[str | int, str]]
    value: str | int
    help: str = ""
    about: str = ""


class Select(Switch):
    """As a switch, for many options."""


class Button(NamedTuple):
    """``icon`` of shared/icons.js, or none; ``filled`` is the one that matters. Without ``words`` it is hidden."""

    name: str
    words: str
    icon: str = ""
    filled: bool = False
    disabled: bool = False
    help: str = ""


class Title(NamedTuple):
    """What the controls beside it are, with a few quiet words."""

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
    look: str = "bar",
    aside: Collection[str] = (),
    key: str,
) -> None:
    """``on_move(name, value, done)`` is called at every move and choice, ``on_press(name)`` every button,
    ``on_type(name, text)`` what is typed as the value of a knob.

    All are called before the page is drawn. ``look``: "bar", "sections" (the bar above a page of them), "rows", "column" or
    "live" (the knobs of the run). ``aside``: names of those that are left out while a scene is presented.
    """
    offered = {control.name: control for row in rows for control in row}

    def moved(name: str, place: int, done: bool) -> None:
        if isinstance(control := offered.get(name), Slider | Knob) and 0 <= place < len(control.words):
            on_move(name, control.values[place], done)

    def chosen(name: str, value: str) -> None:
        if isinstance(control := offered.get(name), Switch) and value in {str(option) for option, _ in control.options}:
            on_move(name, value, True)

    def pressed(name: str) -> None:
        if on_press and isinstance(control := offered.get(name), Button) and not control.disabled:
            on_press(name)

    def typed(name: str, text: str) -> None:
        if on_type and isinstance(control := offered.get(name), Knob) and control.typed:
            on_type(name, text)

    shown = [[{**drawn(control), "aside": control.name in aside} for control in row] for row in rows]
    data = {"label": label, "look": look, "rows": shown}
    _controls(data, key=key, on_move=moved, on_type=typed, on_choose=chosen, on_press=pressed)


def drawn(control: Control) -> DrawnControl:
    """What the browser is given: it knows stops by their numbers."""
    return {"is": type(control).__name__.lower(), **{name: part for name, part in control._asdict().items() if name != "values"}}
