"""The HTML page with which a visit begins: which answers it replaces, and what it says."""

import gzip
import re
from collections.abc import Callable
from pathlib import Path

import pytest
import streamlit as st

from pages.app.layout.index_page import IndexPage
from pages.app.server.static_assets import COMPONENTS_SCRIPT, url_of
from pages.content.scenes import SCENES
from tests.websocket_client import run_async


def answer(path: str, query: str = "", kind: str = "text/html; charset=utf-8", **headers: str) -> tuple[dict[str, str], str]:
    """Headers and body that a browser gets where Streamlit answers with "original"."""
    sent = []

    async def application(scope: dict, receive: Callable, send: Callable) -> None:
        assert b"if-none-match" not in dict(scope["headers"]) or "html" not in headers.get("accept", "")
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", kind.encode())]})
        await send({"type": "http.response.body", "body": b"original"})

    async def send(message: dict) -> None:
        sent.append(message)

    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": "GET", "path": path, "query_string": query.encode(), "headers": raw}
    run_async(IndexPage(application)(scope, None, send))
    start, body = sent
    found = {name.decode(): value.decode() for name, value in start["headers"]}
    content = gzip.decompress(body["body"]) if found.get("content-encoding") == "gzip" else body["body"]
    return found, content.decode()


def test_each_page_and_scene_has_a_title_and_a_description_of_its_own():
    pages = [answer(path, query)[1] for path, query in (("/", ""), ("/truncation", ""), ("/", "scene=vanishing"))]
    heads = [page[: page.index("</head>")] for page in pages]
    assert len(set(heads)) == len(heads)
    for head in heads:
        assert all(head.count(name) == 1 for name in ("<title>", 'name="description"', '"og:title"', '"og:description"'))
    assert "Truncation · " in heads[1]
    assert SCENES["vanishing"].question in heads[2]


def test_what_every_page_needs_is_fetched_at_once():
    fetched = re.findall(r'<link rel="(?:module)?preload"[^>]* href="([^".][^"]*)"', answer("/unrolled")[1])
    fonts = [path for path in fetched if (Path(st.__file__).parent / "static" / path).exists()]
    assert len(fonts) == 2
    assert set(fetched) == {url_of(COMPONENTS_SCRIPT), *fonts}


@pytest.mark.parametrize(("query", "accept"), [("lang=zh", "en"), ("", "zh-CN,zh;q=0.9,en;q=0.8")])
def test_it_is_in_the_language_of_the_url_or_of_the_browser(query: str, accept: str):
    page = answer("/truncation", query, accept_language=accept)[1]
    assert '<html lang="zh">' in page
    assert "截断" in page[: page.index("</head>")]


def test_it_is_compressed_if_accepted_and_never_taken_for_one_without_styles():
    packed, plain = answer("/", accept_encoding="gzip, br", accept="text/html", if_none_match='"1"'), answer("/")
    assert packed[1] == plain[1]
    assert packed[0]["content-encoding"] == "gzip"
    assert packed[0]["cache-control"] == "no-cache"


def test_markup_in_the_address_is_not_in_the_page():
    assert "<b>" not in answer("/<b>", "scene=<b>&lang=<b>")[1]


def test_files_and_other_answers_are_passed_on():
    for path, kind in (("/media/page.html", "text/html"), ("/_stcore/health", "text/html"), ("/favicon.png", "image/png")):
        assert answer(path, kind=kind)[1] == "original"


def test_only_pages_below_the_base_path_are_replaced(monkeypatch: pytest.MonkeyPatch):
    option = st.get_option
    monkeypatch.setattr(st, "get_option", lambda name: "class/one" if name == "server.baseUrlPath" else option(name))
    assert "<title>" in answer("/class/one/unrolled")[1]
    assert answer("/class/one/media/page.html")[1] == "original"
