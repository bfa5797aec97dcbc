"""Static files: one script with all components and their styles, plotly.js from the plotly package, and the scripts and style
sheets of Streamlit itself.

Each file is compressed once, in memory; nothing is written to disk. Each URL contains a digest of the content, so a browser or a
proxy may cache the file for ever without ever serving an old version. A component's inline script, which Streamlit sends again
with every update, is therefore only one line, and plotly.js is fetched once.

A first visit needs about ninety of Streamlit's files. Streamlit sends them uncompressed and reads each one in a thread at every
request, as it expects a proxy to compress them (``streamlit/web/server/starlette/starlette_gzip_middleware.py``). A server in a
classroom has no such proxy.
"""

import gzip
import hashlib
import json
from collections.abc import Callable, Mapping
from functools import cache, lru_cache, partial
from pathlib import Path, PurePosixPath
from typing import Any

import plotly
import streamlit as st
from babel.messages.catalog import Message
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from core.config.language import ENGLISH, SCRIPTS, catalogue, languages
from pages.app.server.component_bundle import bundle
from pages.figures.parts.style import css_tokens

COMPONENTS = Path(__file__).parents[1] / "components"
SAVED_PAGE_PREFIX = "shared/page_"  # the prefix of scripts that only pages saved as files use
SERVED_AT = "app/static"  # relative to the page, so that a base path of the server is kept
COMPONENTS_SCRIPT, PLOTLY = "components.js", "plotly.min.js"  # two of our own files; the others are messages, such as zh.json
KINDS = {".js": "text/javascript", ".css": "text/css", ".json": "application/json"}
HEADERS = {
    "Access-Control-Allow-Origin": "*",
    "Cache-Control": "public, max-age=31536000, immutable",
    "Vary": "Accept-Encoding",
    "X-Content-Type-Options": "nosniff",
}


@lru_cache(maxsize=100)  # more than the number of our own files
def url_of(name: str) -> str:
    """The URL of one of our own files: ``COMPONENTS_SCRIPT``, ``PLOTLY`` or the messages of a language."""
    return f"{SERVED_AT}/{hashlib.sha256(content_of(name)).hexdigest()[:12]}/{name}"


@lru_cache(maxsize=100)
def content_of(name: str) -> bytes:
    """The content of one of our own files. That of a language is JSON for ``shared/messages.js``."""
    if name == COMPONENTS_SCRIPT:
        return _bundled(SAVED_PAGE_PREFIX, {code: url_of(f"{code}.json") for code in _translations()})
    if name == PLOTLY:
        return (Path(plotly.__file__).parent / "package_data" / PLOTLY).read_bytes()
    return _messages(name.removesuffix(".json"))


def base_path() -> str:
    """The path below which the pages are, with a slash at both ends."""
    return f"/{st.get_option('server.baseUrlPath').strip('/')}/".replace("//", "/")


class StaticFiles:
    """ASGI middleware that serves these files, and passes all other requests on to Streamlit."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.base = base_path()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        read = scope["type"] == "http" and scope["method"] in ("GET", "HEAD") and scope["path"].startswith(self.base)
        path = scope["path"].removeprefix(self.base) if read else ""
        answer = _answer(path, Headers(scope=scope)) if path in sources() else self.app
        await answer(scope, receive, send)


@cache
def sources() -> Mapping[str, Callable[[], bytes]]:
    """The function that reads each file: path below the base path -> function."""
    frontend = Path(st.__file__).parent / "static"
    files = {
        path.relative_to(frontend).as_posix(): path.read_bytes for path in frontend.glob("static/*/*") if path.suffix in KINDS
    }
    own = (COMPONENTS_SCRIPT, PLOTLY, *(f"{code}.json" for code in _translations()))
    return files | {url_of(name): partial(content_of, name) for name in own}


def prepare() -> None:
    """Compress the files that every page needs; other files are compressed at their first request."""
    opening = (Path(st.__file__).parent / "static" / "index.html").read_text(encoding="utf-8")
    for path in sources():
        if path in opening or path in (url_of(COMPONENTS_SCRIPT), url_of(PLOTLY)):
            _compressed(path)


@lru_cache(maxsize=4096)  # larger than the number of files
def _compressed(path: str) -> bytes:
    return gzip.compress(sources()[path](), mtime=0)


def _answer(path: str, asked: Headers) -> Response:
    content, headers = _compressed(path), dict(HEADERS)
    if "gzip" in asked.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
    else:
        content = gzip.decompress(content)
    return Response(content, media_type=KINDS[PurePosixPath(path).suffix], headers=headers)


def saved_page_script(code: str) -> bytes:
    """The script of all components and of pages saved as files, with the messages of this language."""
    catalogues = {code: json.loads(_messages(code))} if code in _translations() else {}
    return _bundled(f"{SAVED_PAGE_PREFIX}boot.js", catalogues)


def _bundled(left_out: str, catalogues: Mapping[str, Any]) -> bytes:
    """All scripts except those whose path begins with ``left_out``, the style sheets of components, and the catalogues."""
    scripts = {path: text for path, text in _texts("js").items() if not path.startswith(left_out)}
    styles = {PurePosixPath(path).stem: text for path, text in _texts("css").items() if not path.startswith(SAVED_PAGE_PREFIX)}
    styles["shared"] = css_tokens() + styles.pop("component")
    return bundle(scripts, styles, catalogues).encode()


def _translations() -> list[str]:
    """The codes of the languages with messages of their own: all but English."""
    return [code for code in languages() if code != ENGLISH]


def _messages(code: str) -> bytes:
    of_scripts = [one for one in catalogue(code) if one.id and (SCRIPTS, None) in one.locations]
    forms = {_key(one): one.string if one.pluralizable else [one.string] for one in of_scripts}
    forms = {key: strings for key, strings in forms.items() if all(strings)}  # untranslated messages are shown in English
    return json.dumps(forms, ensure_ascii=False).encode()


def _key(message: Message) -> str:
    english = message.id[0] if message.pluralizable else message.id
    return f"{message.context}\x04{english}" if message.context else english


def _texts(kind: str) -> dict[str, str]:
    """The text of each file with this suffix: path below ``components/`` -> text."""
    files = sorted(COMPONENTS.rglob(f"*.{kind}"))
    return {path.relative_to(COMPONENTS).as_posix(): path.read_text(encoding="utf-8") for path in files}
