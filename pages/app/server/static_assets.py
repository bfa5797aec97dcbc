"""What the browser loads by HTTP: one script with all components and their styles, and plotly.js from the plotly package.

All of it is compressed once, in memory: no file is written. Each address holds a digest of the content, so that a browser, or a
proxy in front of the server, may keep a copy for ever and still never sees an old one. A component's inline script is then one
line (Streamlit sends it again with every update), and plotly.js is fetched once.
"""

import gzip
import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path, PurePosixPath

import plotly
import streamlit as st
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from core.figures.parts.style import css_tokens
from pages.app.server.component_bundle import bundle

COMPONENTS = Path(__file__).parents[1] / "components"
SERVED_AT = "app/static"  # relative to the page, so that a base path in front of it is kept
HEADERS = {
    "Access-Control-Allow-Origin": "*",
    "Cache-Control": "public, max-age=31536000, immutable",
    "Vary": "Accept-Encoding",
    "X-Content-Type-Options": "nosniff",
}


@cache
def components_url() -> str:
    """Where the browser finds the script of all components."""
    return _address("components.js", _components())


@cache
def plotly_url() -> str:
    """Where the browser finds plotly.js."""
    return _address("plotly.min.js", _plotly())


def route() -> Route:
    """By which a server answers for them, below its base path."""
    base = st.get_option("server.baseUrlPath").strip("/")
    return Route(f"{'/' * bool(base)}{base}/{SERVED_AT}/{{path:path}}", _answer, methods=["GET", "HEAD"])


@cache
def published() -> Mapping[str, bytes]:
    """All that is served, compressed, by its address below ``SERVED_AT``."""
    files = {components_url(): _components(), plotly_url(): _plotly()}
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
    return Response(content, media_type="text/javascript", headers=headers)


@cache
def _components() -> bytes:
    scripts, styles = _texts("js"), _texts("css")
    named = {PurePosixPath(path).stem: style for path, style in styles.items()}
    shared = css_tokens() + named.pop("paper")
    return bundle(scripts, named | {"shared": shared}).encode()


def _texts(kind: str) -> dict[str, str]:
    """Files of all components by their paths."""
    files = sorted(COMPONENTS.rglob(f"*.{kind}"))
    return {path.relative_to(COMPONENTS).as_posix(): path.read_text(encoding="utf-8") for path in files}


@cache
def _plotly() -> bytes:
    return compiled_while_loading((Path(plotly.__file__).parent / "package_data" / "plotly.min.js").read_bytes())


def compiled_while_loading(script: bytes) -> bytes:
    """plotly.js with its outer functions in parentheses; unchanged where it does not begin and end as expected.

    V8 compiles such functions while the file arrives, in another thread. Others it parses twice, the second time in the main
    thread, for about 0.2 s of 4.8 MB. Source: https://v8.dev/blog/preparser#pife
    """
    outer, inner, end = b": this, () => {\n", b"var Plotly=(()=>{", b"}));"
    if not script.rstrip().endswith(end) or script.count(outer) != 1 or script.count(inner) != 1:
        return script
    opened = script.replace(outer, b": this, (function() {\n").replace(inner, b"var Plotly=(function(){")
    return opened.rstrip().removesuffix(end) + b"})));"


def _address(name: str, content: bytes) -> str:
    return f"{SERVED_AT}/{hashlib.sha256(content).hexdigest()[:12]}/{name}"
