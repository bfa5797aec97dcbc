"""The HTML page with which every visit begins. Streamlit sends it without a title and a description for search engines and
previews of links, without the style sheets, so that all moves when they arrive with the first script run, and without a
sentence for browsers that are too old. What every page needs besides is fetched at once instead of after the first script run.
"""

import gzip
import json
from functools import lru_cache
from html import escape
from pathlib import Path
from urllib.parse import parse_qs

import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from core.config.language import closest_language, gettext as _, languages, lazy_gettext, use_language
from core.config.link import PAGE_PATHS, SCENE
from pages.app.server.static_assets import COMPONENTS_SCRIPT, base_path, url_of
from pages.content.lecture import title_of
from pages.content.scenes import SCENES

STREAMLIT = Path(st.__file__).parent / "static"
STYLE, LOADING_STYLE = (Path(__file__).with_name(f"{name}.css").read_text() for name in ("elements", "loading"))
SCRIPT = Path(__file__).with_name("index_page.js").read_text()
ABOUT = lazy_gettext(
    "A recurrent network written in NumPy learns to predict text while you watch: language models, perplexity, "
    "backpropagation through time, truncation."
)
FONTS = ("KaTeX_Math-Italic", "KaTeX_Main-Regular")  # those that components/shared/loading.js waits for
OLDEST = "Safari 17.4, Firefox 128, Chrome 120"  # the first versions with all that the components use


class IndexPage:
    """ASGI middleware that replaces the HTML page which Streamlit sends for the URL of every page."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.base = base_path()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        read = scope["type"] == "http" and scope["method"] in ("GET", "HEAD")
        if not read or "/" in scope["path"].removeprefix(self.base):  # as the path of a file to download
            return await self.app(scope, receive, send)
        replaced = False

        async def forward(message: Message) -> None:
            nonlocal replaced
            if message["type"] == "http.response.start":
                kind = Headers(raw=message["headers"]).get("content-type", "")
                replaced = message["status"] == 200 and kind.startswith("text/html")
            if not replaced:
                await send(message)

        await self.app(_unconditional(scope), receive, forward)
        if replaced:
            await _answer(scope)(scope, receive, send)
        return None


def _unconditional(scope: Scope) -> Scope:
    """The request without conditions on an earlier version of a page, which was not the one that is sent here."""
    headers = MutableHeaders(raw=list(scope["headers"]))
    if "text/html" in headers.get("accept", ""):
        del headers["if-none-match"], headers["if-modified-since"]
    return {**scope, "headers": headers.raw}


def _answer(scope: Scope) -> Response:
    asked = Headers(scope=scope)
    query = {name: values[0] for name, values in parse_qs(scope["query_string"].decode("latin-1")).items()}
    code = query.get("lang", "")
    code = code if code in languages() else closest_language(asked.get("accept-language", "").split(",")[0])
    scene, page = query.get(SCENE, ""), scope["path"].rsplit("/", 1)[-1]
    content = index_page(code, page if page in PAGE_PATHS else "", scene if scene in SCENES else "")
    headers = {"Cache-Control": "no-cache", "Vary": "Accept-Encoding, Accept-Language"}
    if "gzip" in asked.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
    else:
        content = gzip.decompress(content)
    return Response(content, media_type="text/html", headers=headers)


@lru_cache(maxsize=200)  # two languages, seven pages and seventeen scenes, some of them more than once
def index_page(code: str, page: str, scene: str) -> bytes:
    """The page in this language, compressed by gzip; ``page`` is the URL path of a page, ``scene`` the key of a scene, or ""."""
    html = (STREAMLIT / "index.html").read_text(encoding="utf-8")
    use_language(code)
    names = [_(SCENES[scene].name) if scene else title_of(page) if page else "", _("Recurrent networks")]
    title = " · ".join(filter(None, names))
    about = _(SCENES[scene].question if scene else ABOUT)
    html = html.replace('<html lang="en">', f'<html lang="{code}">').replace("<title>Streamlit</title>", "")
    html = html.replace("<head>", f"<head>{_head(title, about)}", 1)
    old = _("This browser is too old for these pages. The first versions that show them: {versions}.", versions=OLDEST)
    style = f'<style>{name_style()}{STYLE}</style><style id="loading">{LOADING_STYLE}</style>'
    look = "margin:0;padding:12px 16px;font:600 18px sans-serif"
    begin = f'{style}<p id="too-old" role="alert" style="{look}" hidden>{escape(old)}</p><script>{SCRIPT}</script>'
    return gzip.compress(html.replace("<body>", f"<body>{begin}", 1).encode(), mtime=0)


def _head(title: str, about: str) -> str:
    previewed = {"og:type": "website", "og:title": title, "og:description": about}
    tags = [f'<meta property="{name}" content="{escape(text)}">' for name, text in previewed.items()]
    return "".join([f'<title>{escape(title)}</title><meta name="description" content="{escape(about)}">', *tags, *_fetched()])


def _fetched() -> list[str]:
    """Links to what every page needs, which the browser fetches at once."""
    files = [file.relative_to(STREAMLIT) for name in FONTS for file in STREAMLIT.glob(f"static/media/{name}.*.woff2")]
    fonts = [f'<link rel="preload" as="font" crossorigin href="{file.as_posix()}">' for file in files]
    return [f'<link rel="modulepreload" href="{url_of(COMPONENTS_SCRIPT)}">', *fonts]


def name_style() -> str:
    """The name of the dashboard as CSS variables, in the current language."""
    names = {"product": _("Recurrent networks"), "motto": _("one learns while you watch")}
    return ":root {" + "".join(f"--{name}: {json.dumps(words, ensure_ascii=False)};" for name, words in names.items()) + "}"
