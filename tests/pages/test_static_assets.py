"""The files of browser components, served over HTTP."""

import gzip
import re
from collections.abc import Iterator
from pathlib import PurePosixPath

import pytest
import streamlit as st
from starlette.requests import Request
from starlette.responses import Response

from pages.app.server import static_assets

IMPORT = re.compile(r"""(?:from|import)\s*\(?\s*["'`](\.[^"'`]+)["'`]""")


@pytest.fixture(autouse=True)
def unpublished() -> Iterator[None]:
    """Nothing is published before a test nor after it."""
    clear()
    yield
    clear()


def clear() -> None:
    for found in (
        static_assets.components_url,
        static_assets.plotly_url,
        static_assets.published,
        static_assets._components,
        static_assets._plotly,
    ):
        found.cache_clear()


def fetched(url: str, accepts: str = "gzip, br") -> Response:
    """The answer for the file at an address that a page was given."""
    path = {"path": url.removeprefix(f"{static_assets.SERVED_AT}/")}
    headers = [(b"accept-encoding", accepts.encode())]
    return static_assets._answer(Request({"type": "http", "path_params": path, "headers": headers}))


def test_files_of_one_name_in_two_folders_are_both_served(monkeypatch, tmp_path):
    for folder in ("shared", "one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "same.js").write_text(f"// {folder}")
    (tmp_path / "shared" / "paper.css").write_text("")
    monkeypatch.setattr(static_assets, "COMPONENTS", tmp_path)
    before = static_assets.components_url()
    for name in ("one", "two"):
        assert gzip.decompress(fetched(f"{before}/{name}/same.js").body).decode() == f"// {name}"
    (tmp_path / "one" / "same.js").write_text("// changed")
    clear()
    assert static_assets.components_url() != before


def test_every_script_style_and_import_is_a_file_that_is_served():
    scripts = {name: data.decode() for name, data in static_assets._components().items() if name.endswith(".js")}
    named = [(name, path) for name, script in scripts.items() for path in IMPORT.findall(script) if "$" not in path]
    assert len(named) > len(scripts)
    for folder in {path.parent.name for path in static_assets.COMPONENTS.glob("*/*.js")} - {"shared"}:
        named += [(f"{folder}/{folder}.js", f"./{folder}.{kind}") for kind in ("js", "css")]
    for name, path in named:
        assert (static_assets.COMPONENTS / name).parent.joinpath(path).is_file(), name
        parts: list[str] = []
        for part in (PurePosixPath(name).parent / path).parts:
            parts = parts[:-1] if part == ".." else [*parts, part]
        assert fetched(f"{static_assets.components_url()}/{'/'.join(parts)}").status_code == 200, (name, path)


def test_a_file_is_cached_for_ever_and_compressed_if_accepted():
    packed, plain = fetched(static_assets.plotly_url()), fetched(static_assets.plotly_url(), "br")
    assert gzip.decompress(packed.body) == plain.body
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    for answer in (packed, plain):
        assert answer.media_type == "text/javascript"
        assert "immutable" in answer.headers["cache-control"]
        assert answer.headers["vary"] == "Accept-Encoding"


def test_plotly_js_is_compiled_while_it_loads():
    whole = gzip.decompress(fetched(static_assets.plotly_url()).body)
    assert b": this, (function() {" in whole
    assert b"var Plotly=(function(){" in whole
    assert whole.endswith(b"})));")
    assert static_assets.compiled_while_loading(b"another wrapper();") == b"another wrapper();"


def test_no_other_file_is_served():
    for path in ("nothing.js", "../dashboard.py", "components/../../dashboard.py", ""):
        assert fetched(f"{static_assets.SERVED_AT}/{path}").status_code == 404


@pytest.mark.parametrize(("base", "path"), [("", "/app/static/a/b.js"), ("class/one", "/class/one/app/static/a/b.js")])
def test_the_address_lies_below_the_base_path(monkeypatch, base, path):
    option = st.get_option
    monkeypatch.setattr(st, "get_option", lambda name: base if name == "server.baseUrlPath" else option(name))
    assert static_assets.route().path_regex.match(path)["path"] == "a/b.js"
