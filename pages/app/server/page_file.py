"""A page as one HTML file that opens without a server and makes no request.

It holds every script once (the modules of the components it has, and plotly.js if a chart is among them, both as gzip in base64),
and the recorded items as JSON. ``components/shared/page_boot.js`` unpacks the modules into ``blob:`` addresses, each after those
it imports; ``components/shared/page_host.js`` then draws the items. A content security policy allows these
two kinds of script alone, and nothing from outside.
"""

import base64
import gzip
import hashlib
import json
import posixpath
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from graphlib import TopologicalSorter
from typing import Any

from core.figures.parts.style import escape
from pages.app.server.page_recording import Item
from pages.app.server.static_assets import COMPONENTS, common_style, plotly_script

HOST, BOOT, FRAME = "shared/page_host.js", "shared/page_boot.js", "shared/page_frame.css"
LEFT_OUT = {"transport", "scenes", "lecture"}  # components that do nothing without a server
PLOTTING = {"live_figure", "run_view"}
IMPORT = re.compile(r"""^(import .*?"|import "|\} from ")(\.[^"]+)(";)$""", re.MULTILINE)
POLICY = (
    "default-src 'none'; script-src 'sha256-{boot}' blob:; style-src 'unsafe-inline'; img-src data: blob:; "
    "base-uri 'none'; form-action 'none'"
)
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{frame}</style>
</head>
<body>
<main><noscript>This page draws with JavaScript, which is off in this browser.</noscript></main>
<script type="application/json" id="page">{page}</script>
<script type="text/plain" id="scripts">{scripts}</script>
{plotly}<script>{boot}</script>
</body>
</html>
"""


def page_file(title: str, items: Sequence[Item], *, link: str = "") -> bytes:
    """The file that shows ``items``; ``link`` leads to the live page, if there is an address of one."""
    shown = [item for item in items if item.get("name") not in LEFT_OUT]
    names = {name for item in shown if item["is"] == "component" for name in (item["name"], *item["parts"])}
    boot = _read(BOOT)
    policy = POLICY.format(boot=base64.b64encode(hashlib.sha256(boot.encode()).digest()).decode())
    text = PAGE.format(
        policy=policy,
        title=escape(title),
        frame=_read(FRAME),
        page=embedded({"title": title, "link": link, "items": shown}),
        scripts=_packed(json.dumps({"modules": modules(names), "styles": _styles(names)}).encode()),
        plotly=f'<script type="text/plain" id="plotly">{_plotly()}</script>\n' if names & PLOTTING else "",
        boot=boot,
    )
    return text.encode(errors="replace")


def embedded(value: Any) -> str:
    """JSON that no text in it can end: it holds no ``<``."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c")


def modules(names: Collection[str]) -> list[tuple[str, str]]:
    """Path and source of all that the host and these components import, each after those it imports.

    An import names the path of the other one: ``"module:shared/paper.js"``. ``CycleError`` where two import each other.
    """
    sources: dict[str, str] = {}
    imports: dict[str, list[str]] = {}
    wanted = [HOST, *(f"{name}/{name}.js" for name in sorted(names))]
    while wanted:
        path = wanted.pop()
        if path in sources:
            continue
        source = _read(path)
        imports[path] = [_below(path, match[2]) for match in IMPORT.finditer(source)]
        sources[path] = _renamed(path, source)
        wanted += imports[path]
    return [(path, sources[path]) for path in TopologicalSorter(imports).static_order()]


def _renamed(path: str, source: str) -> str:
    return IMPORT.sub(lambda match: f"{match[1]}module:{_below(path, match[2])}{match[3]}", source)


def _below(path: str, other: str) -> str:
    """The path of what ``path`` imports as ``other``."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), other))


def _styles(names: Iterable[str]) -> Mapping[str, str]:
    """The style sheets of these components by name, without what all share; that is ``""``."""
    return {"": common_style().decode()} | {name: _read(f"{name}/{name}.css") for name in sorted(names)}


def _read(path: str) -> str:
    return (COMPONENTS / path).read_text(encoding="utf-8")


def _packed(data: bytes) -> str:
    return base64.b64encode(gzip.compress(data, mtime=0)).decode()


@cache
def _plotly() -> str:
    return _packed(plotly_script())
