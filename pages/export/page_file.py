"""A page as one HTML file that opens without a server and makes no request.

The file contains the recorded states of the page as JSON, in which equal items are stored once, the script of all components, and
plotly.js if the page has a chart. All three are compressed with gzip and encoded in base64. Pages in one folder share the scripts
as two separate files. ``components/shared/page_boot.js`` unpacks the scripts into ``blob:`` URLs; then
``components/shared/page_host.js`` draws the items. The content security policy allows only these scripts and no
other requests.
"""

import base64
import gzip
import hashlib
import json
from collections.abc import Collection, Iterable, Sequence
from functools import cache, lru_cache
from typing import Any, Literal, NamedTuple, NotRequired, TypedDict

from core.config.language import gettext as _, language
from pages.app.server.page_recording import Item, RecordedState
from pages.app.server.static_assets import COMPONENTS, PLOTLY, content_of, saved_page_script
from pages.figures.parts.style import escape

BOOT, FRAMES = "shared/page_boot.js", ("shared/page_frame.css", "shared/asked.css")
LEFT_OUT = {"transport", "scenes", "lecture"}  # components that have no function without a server
PLOTTING = {"live_figure", "run_view"}
POLICY = (
    "default-src 'none'; script-src{beside} 'sha256-{boot}' blob:; style-src 'unsafe-inline'; img-src data: blob:; "
    "base-uri 'none'; form-action 'none'"
)
PAGE = """<!DOCTYPE html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="icon" href="data:image/svg+xml;base64,{icon}">
<style>{frame}</style>
</head>
<body>
<main><noscript>{noscript}</noscript></main>
<script type="text/plain" id="page">{page}</script>
{scripts}<script>{boot}</script>
</body>
</html>
"""


class SceneLinks(TypedDict):
    """The links of a page in a folder of pages: the file of each scene, by the key of the scene, and ``all``, the index page."""

    files: dict[str, str]
    all: str


StateControl = Literal["bar", "buttons", "components"]  # what selects a state: a bar, buttons, or a component's buttons


class PageFileData(TypedDict):
    """The data for ``page_host.js``. ``states``: the name of each state and the indices of its items in ``items``."""

    title: str
    live: str  # the URL of the live page; empty if there is none
    items: list[Item]
    states: list[tuple[str, list[int]]]
    begins: int  # the index of the state that is shown first
    chosen: StateControl
    at: str  # the key of the place at the top of the viewport at first; empty for the top of the page
    step: str  # the initial position of the play head, as in the URL parameter; empty for the default
    ways: NotRequired[SceneLinks]


class PageFile(NamedTuple):
    """A page in one or more recorded states."""

    title: str
    states: Sequence[RecordedState]
    live: str = ""
    begins: int = 0
    chosen: StateControl = "bar"
    at: str = ""
    step: str = ""
    ways: SceneLinks | None = None

    def html(self) -> bytes:
        """The content of the file. With ``ways`` it needs the files of :func:`shared_scripts` in the same folder."""
        page_data, boot = self.page_data(), _read(BOOT)
        scripts = _scripts(component_names(page_data["items"]))
        if self.ways:
            tags = [f'<script src="{name}.js"></script>\n' for name in scripts]
        else:
            tags = [f'<script type="text/plain" id="{name}">{text}</script>\n' for name, text in scripts.items()]
        digest = base64.b64encode(hashlib.sha256(boot.encode()).digest()).decode()
        text = PAGE.format(
            policy=POLICY.format(boot=digest, beside=" 'self'" if self.ways else ""),
            title=escape(self.title),
            language=language(),
            noscript=escape(_("This page draws with JavaScript, which is off in this browser.")),
            icon=base64.b64encode((COMPONENTS / "favicon.svg").read_bytes()).decode(),
            frame="".join(map(_read, FRAMES)),
            page=_packed(_json(page_data).encode(errors="replace")),
            scripts="".join(tags),
            boot=boot,
        )
        return text.encode(errors="replace")

    def page_data(self) -> PageFileData:
        indices: dict[str, int] = {}  # by the JSON of an item: an item that is equal in several states is stored once
        states = []
        for name, drawn in self.states:
            written = [_json(_published(item)) for item in drawn if item.get("name") not in LEFT_OUT]
            states.append((name, [indices.setdefault(item, len(indices)) for item in written]))
        named = {name: value for name, value in self._asdict().items() if value is not None}
        return named | {"items": [json.loads(item) for item in indices], "states": states}


def _published(item: Item) -> Item:
    """The item for publication: a scene bar without the lecturer's notes and without its scroll position."""
    return item | {"data": item["data"] | {"notes": "", "view": ""}} if item.get("name") == "scene_bar" else item


def component_names(items: Iterable[Item]) -> set[str]:
    """The names of the components of these items, and of the components nested in them."""
    return {name for item in items if item["is"] == "component" for name in (item["name"], *item["parts"])}


def shared_scripts(names: Collection[str]) -> dict[str, bytes]:
    """The script files for a folder of pages with these components: file name -> content."""
    return {f"{name}.js": f'(window.packed ??= {{}}).{name} = "{text}";\n'.encode() for name, text in _scripts(names).items()}


def _scripts(names: Collection[str]) -> dict[str, str]:
    """The packed scripts that these components need: name -> gzip in base64."""
    return {"scripts": _components(language())} | ({"plotly": _plotly()} if PLOTTING & {*names} else {})


@lru_cache(maxsize=16)
def _components(code: str) -> str:
    return _packed(saved_page_script(code))


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _read(path: str) -> str:
    return (COMPONENTS / path).read_text(encoding="utf-8")


def _packed(data: bytes) -> str:
    return base64.b64encode(gzip.compress(data, mtime=0)).decode()


@cache
def _plotly() -> str:
    return _packed(content_of(PLOTLY))
