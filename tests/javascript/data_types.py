"""The data types of every browser component as TypeScript: ``python -m tests.javascript.data_types`` writes the file.

The ``data_type`` of a component is a Python type; ``tsc`` fails on a script that reads a name which this type does not have.
"""

import importlib
import json
from collections.abc import Mapping, Sequence
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from pages.app.server.static_assets import COMPONENTS
from pages.app.widgets.component_factory import DATA_TYPES, DataType
from tests.dashboard_server import ROOT

FILE = COMPONENTS / "data.d.ts"
HEAD = "// Written by tests/javascript/data_types.py from the types of Python.\n\n"
WIDEST = 100  # maximal characters of a type in one line
PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", NoneType: "null", Any: "any"}


def components() -> Mapping[str, DataType]:
    """The type of the data of every component, by the component's name."""
    for path in ROOT.glob("pages/app/**/*.py"):
        importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
    return DATA_TYPES


def declarations() -> str:
    """The content of ``FILE``: an interface for every class, and ``Sent``, the data of every component by its name."""
    interfaces: dict[type, str] = {}
    sent = _members(dict(sorted(components().items())), interfaces)
    written = {kind.__name__: f"interface {kind.__name__} {members}\n\n" for kind, members in interfaces.items()}
    assert len(written) == len(interfaces), "two classes have one name"
    return HEAD + "".join(written[name] for name in sorted(written)) + f"interface Sent {sent}\n"


def _members(kind: Any, interfaces: dict[type, str]) -> str:
    """All members of a TypedDict or dataclass, or of a mapping of names to types."""
    hints = kind if isinstance(kind, Mapping) else get_type_hints(kind)
    optional = getattr(kind, "__optional_keys__", ())
    lines = [f"{name}{'?' * (name in optional)}: {_written(of, interfaces)};" for name, of in hints.items()]
    if "\n" not in (flat := f"{{ {' '.join(lines)} }}") and len(flat) <= WIDEST:
        return flat
    return "\n".join(["{", *(f"  {line}" for member in lines for line in member.split("\n")), "}"])


def _written(kind: Any, interfaces: dict[type, str]) -> str:
    """The TypeScript notation of a type; a class is added to ``interfaces``."""
    if isinstance(kind, Mapping):
        return _members(kind, interfaces)
    if kind in PLAIN:
        return PLAIN[kind]
    origin, args = get_origin(kind), get_args(kind)
    if origin is None:
        if kind not in interfaces:
            interfaces[kind] = ""  # the class may contain itself
            interfaces[kind] = _members(kind, interfaces)
        return kind.__name__
    if origin is Literal:
        return " | ".join(map(json.dumps, args))
    of = [_written(one, interfaces) for one in args if one is not Ellipsis]
    if origin in (Union, UnionType):
        return " | ".join(of)
    if origin is dict:
        return f"Record<{of[0]}, {of[1]}>"
    if origin is tuple and Ellipsis not in args:
        return f"[{', '.join(of)}]"
    assert origin in (list, tuple, Sequence), kind
    return f"({of[0]})[]" if " | " in of[0] else f"{of[0]}[]"


if __name__ == "__main__":
    FILE.write_text(declarations(), encoding="utf-8")
