"""What the browser loads by HTTP: the components' scripts and styles, and plotly.js from the installed plotly package.

All of it is compressed once, in memory: no file is written. Each address holds a digest of the content, so that a browser, or a
proxy in front of the server, may keep a copy for ever and still never sees an old one. A component's inline script is then one
line (Streamlit sends it again with every update), and plotly.js is fetched once.
"""

import gzip
import hashlib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import plotly
import streamlit as st
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from core.figures.parts.style import css_tokens

COMPONENTS = Path(__file__).parents[1] / "components"
SERVED_AT = "app/static"  # relative to the page, so that a base path in front of it is kept
KINDS = {".js": "text/javascript", ".css": "text/css"}
HEADERS = {
    "Access-Control-Allow-Origin": "*",
    "Cache-Control": "public, max-age=31536000, immutable",
    "Vary": "Accept-Encoding",
    "X-Content-Type-Options": "nosniff",
}


@cache
def components_url() -> str:
    """Where the browser finds every component's .js and .css.

    Files keep their folders, so that a script's imports are those that an editor sees.
    """
    return f"{SERVED_AT}/components-{_digest(_components())}"


@cache
def plotly_url() -> str:
    """Where the browser finds plotly.js."""
    return f"{SERVED_AT}/plotly-{_digest(_plotly())}/plotly.min.js"


def route() -> Route:
    """By which a server answers for them, below its base path."""
    base = st.get_option("server.baseUrlPath").strip("/")
    return Route(f"{'/' * bool(base)}{base}/{SERVED_AT}/{{path:path}}", _answer, methods=["GET", "HEAD"])


@cache
def published() -> Mapping[str, bytes]:
    """All that is served, compressed, by its address below ``SERVED_AT``."""
    files = {f"{components_url()}/{name}": data for name, data in _components().items()}
    files |= {plotly_url(): data for data in _plotly().values()}
    return {url.removeprefix(f"{SERVED_AT}/"): gzip.compress(data, mtime=0) for url, data in files.items()}


def _answer(request: Request) -> Response:
    path = request.path_params["path"]
    if path not in published():
        return Response(status_code=404)
    content, headers = published()[path], dict(HEADERS)
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
    else:
        content = gzip.decompress(content)
    return Response(content, media_type=KINDS[Path(path).suffix], headers=headers)


@cache
def _components() -> Mapping[str, bytes]:
    """The files of all components by their names there.

    Each style sheet is whole, with the palette and what all components share before its own rules: a component that is hidden
    until its sheet arrives is then never seen half-dressed.
    """
    files = sorted(path for path in COMPONENTS.rglob("*") if path.suffix in KINDS)
    look = common_style()
    return {
        path.relative_to(COMPONENTS).as_posix(): (look if path.suffix == ".css" else b"") + path.read_bytes() for path in files
    }


def common_style() -> bytes:
    """The palette, and what all components share."""
    return css_tokens().encode() + (COMPONENTS / "shared" / "paper.css").read_bytes()


def plotly_script() -> bytes:
    """plotly.js, as the installed package has it."""
    return (Path(plotly.__file__).parent / "package_data" / "plotly.min.js").read_bytes()


@cache
def _plotly() -> Mapping[str, bytes]:
    return {"plotly.min.js": plotly_script()}


def _digest(files: Mapping[str, bytes]) -> str:
    parts: Iterable[bytes] = (part for name, data in files.items() for part in (name.encode(), data))
    return hashlib.sha256(b"".join(parts)).hexdigest()[:12]
