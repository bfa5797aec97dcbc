"""All browser components in one ES module, so that a page fetches one file instead of the many in ``pages/app/components/``.

The files stay ES modules, which editors, linters and tests read. In the bundle, each file is a function that runs at its first
import. Each import and export must begin a line, as in ``import { el } from "./component.js";`` and ``export function el(``.
Circular imports are not supported.
"""

import json
import re
from collections.abc import Mapping
from posixpath import normpath
from typing import Any

IMPORT = re.compile(r'^import (?:(?P<names>[^";]+) from )?"(?P<path>[^"]+)";', re.MULTILINE)
EXPORT = re.compile(r"^export (?P<kind>(?:async )?function|const|class) (?P<name>\w+)", re.MULTILINE)
DEFAULT_FUNCTION = re.compile(r"^export default (?P<kind>(?:async )?function) \(", re.MULTILINE)
DEFAULT_VALUE = re.compile(r"^export default (?!(?:async )?function\b)", re.MULTILINE)
DEFAULT = "exported"  # the name of a default export within its function in the bundle
UNKNOWN = re.compile(r"^(?:import\b(?!\()|export\b).*", re.MULTILINE)
BEGIN = """\
// Made by pages/app/server/component_bundle.py from the files in pages/app/components/.
const modules = {}, loaded = {};
const load = (name) => (loaded[name] ??= modules[name]());
"""
END = """
const component = (name) => load(`${name}/${name}.js`);
load("shared/styles.js").provide(STYLES);
load("shared/messages.js").provide(CATALOGUES);
export { component, load };
export default (sent, name) => load("shared/mount.js").default(sent, name, component);
"""


def bundle(scripts: Mapping[str, str], styles: Mapping[str, str], catalogues: Mapping[str, Any]) -> str:
    """The source of the module. Its default export is ``draw(component, name)`` (``components/shared/mount.js``); ``load(path)``
    returns the exports of a file, ``component(name)`` those of a component's script.

    ``scripts``: the source of each file, by its path below ``components/``. ``styles``: the style sheet of each component by its
    name, and the common style sheet as "shared". ``catalogues``: the URL or the content of each language's messages, by language
    code. Raises ``ValueError`` for an import or export that does not have the form above.
    """
    exports = {name: _exports(source) for name, source in scripts.items()}
    functions = [f'\nmodules["{name}"] = () => {{\n{_body(name, source, exports)}\n}};\n' for name, source in scripts.items()]
    provided = {"STYLES": styles, "CATALOGUES": catalogues}
    end = re.sub("|".join(provided), lambda found: json.dumps(provided[found[0]], ensure_ascii=False), END)
    return BEGIN + "".join(functions) + end


def _exports(source: str) -> dict[str, str]:
    """The exports of a file: exported name -> name of the variable within the function."""
    named = {found["name"]: found["name"] for found in EXPORT.finditer(source)}
    return named | ({"default": DEFAULT} if "export default" in source else {})


def _body(name: str, source: str, exports: Mapping[str, Mapping[str, str]]) -> str:
    """The body of a file's function, which returns the exports of the file as an object."""
    body = IMPORT.sub(lambda found: _loaded(name, found, exports), source)
    body = EXPORT.sub(r"\g<kind> \g<name>", body)
    body = DEFAULT_FUNCTION.sub(rf"\g<kind> {DEFAULT}(", body)
    body = DEFAULT_VALUE.sub(f"const {DEFAULT} = ", body)
    if unknown := UNKNOWN.search(body):
        raise ValueError(f"{name}: {unknown[0]!r} has a form that the bundle does not know.")
    returned = ", ".join(f"{export}: {inner}" for export, inner in exports[name].items())
    return f"{body.rstrip()}\nreturn {{ {returned} }};"


def _loaded(name: str, found: re.Match[str], exports: Mapping[str, Mapping[str, str]]) -> str:
    """An import statement as a ``const``: ``{ a as b }`` becomes ``{ a: b }``, a default import ``{ default: name }``."""
    names, path = found["names"] or "{}", normpath(f"{name}/../{found['path']}")
    taken = names.replace(" as ", ": ") if names.startswith("{") else f"{{ default: {names} }}"
    asked = set(re.findall(r"[{,]\s*(\w+)", taken))
    if missing := asked - exports.get(path, {}).keys():
        raise ValueError(f"{name}: {path} exports no {', '.join(sorted(missing))} in a statement of its own.")
    return f'const {taken} = load("{path}");' if asked else f'load("{path}");'
