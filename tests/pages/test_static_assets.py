"""Files that are served from memory: the components' files in one script, plotly.js, and Streamlit's own files."""

import gzip
import re
from collections.abc import Callable
from pathlib import Path

import plotly
import pytest
import streamlit as st

from pages.app.server import static_assets
from pages.app.server.component_bundle import bundle
from pages.app.server.static_assets import COMPONENTS_SCRIPT, PLOTLY, content_of, url_of
from tests.javascript.node import run
from tests.websocket_client import run_async


def sent_messages(path: str, accepts: str = "gzip, br", method: str = "GET") -> list[dict]:
    """The messages sent for a path by the middleware, or by a placeholder application behind it."""
    sent = []

    async def application(scope: dict, receive: Callable, send: Callable) -> None:
        await send({"type": "the application"})

    async def send(message: dict) -> None:
        sent.append(message)

    headers = [(b"accept-encoding", accepts.encode())]
    scope = {"type": "http", "method": method, "path": path, "headers": headers}
    run_async(static_assets.StaticFiles(application)(scope, None, send))
    return sent


def fetch(path: str, accepts: str = "gzip, br") -> tuple[dict[str, str], bytes]:
    """Headers and body of the response for a file."""
    start, body = sent_messages(f"/{path}", accepts)
    assert start["status"] == 200
    return {name.decode(): value.decode() for name, value in start["headers"]}, body["body"]


def test_the_address_of_the_components_changes_with_their_content(monkeypatch, tmp_path):
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "component.css").write_text("")
    found = {url_of(COMPONENTS_SCRIPT)}
    with monkeypatch.context() as patch:
        patch.setattr(static_assets, "COMPONENTS", tmp_path)
        for content in ("// one", "// other"):
            (tmp_path / "shared" / "one.js").write_text(content)
            clear()
            found.add(url_of(COMPONENTS_SCRIPT))
    clear()
    assert len(found) == 3


def clear() -> None:
    content_of.cache_clear()
    url_of.cache_clear()


def test_a_file_is_cached_for_ever_and_compressed_if_accepted():
    for path in (url_of(COMPONENTS_SCRIPT), url_of(PLOTLY), *sorted(streamlit_files())[:2]):
        (packed, content), (plain, whole) = fetch(path), fetch(path, "br")
        assert gzip.decompress(content) == whole
        assert packed["content-encoding"] == "gzip"
        assert "content-encoding" not in plain
        for headers in (packed, plain):
            assert headers["content-type"].startswith("text/javascript")
            assert "immutable" in headers["cache-control"]
            assert headers["vary"] == "Accept-Encoding"


def streamlit_files() -> set[str]:
    """The Streamlit scripts that its index page loads."""
    return set(re.findall(r"static/js/[^\"]+", (Path(st.__file__).parent / "static" / "index.html").read_text(encoding="utf-8")))


def test_streamlit_s_own_scripts_are_those_that_are_installed():
    for path in streamlit_files():
        assert fetch(path, "br")[1] == (Path(st.__file__).parent / "static" / path).read_bytes()


def test_plotly_js_is_that_of_the_installed_package():
    assert fetch(url_of(PLOTLY), "br")[1] == (Path(plotly.__file__).parent / "package_data" / PLOTLY).read_bytes()


def test_other_paths_are_passed_to_the_application():
    for path in ("/nothing.js", "/app/static/../dashboard.py", "/static/js/../../index.html", "/", ""):
        assert sent_messages(path) == [{"type": "the application"}]
    assert sent_messages(f"/{url_of(COMPONENTS_SCRIPT)}", method="POST") == [{"type": "the application"}]


def test_the_addresses_lie_below_the_base_path(monkeypatch):
    option = st.get_option
    for base in ("class/one", "/class/one/"):
        monkeypatch.setattr(st, "get_option", lambda name, base=base: base if name == "server.baseUrlPath" else option(name))
        assert sent_messages(f"/class/one/{url_of(COMPONENTS_SCRIPT)}")[0]["status"] == 200
        assert sent_messages(f"/{url_of(COMPONENTS_SCRIPT)}") == [{"type": "the application"}]


MOUNT = """
import { one as first, two } from "./other.js";
import add from "../add/add.js";
import { three } from "../add/add.js";
import "./styles.js";

export default function (sent, name, load) { return [first(), two, add(1, 2), three, load(name).default, sent]; }
"""
SCRIPTS = {
    "shared/mount.js": MOUNT,
    "shared/other.js": "export const two = one() + 1;\nexport function one() { return 1; }\n",
    "shared/styles.js": "export function provide({ shared }) { globalThis.provided = shared; }\n",
    "shared/messages.js": "export function provide(found) { globalThis.catalogues = found; }\n",
    "add/add.js": "export default (a, b) => a + b;\nexport class Three {}\nexport const three = new Three().constructor.name;\n",
}


def test_imports_and_exports_are_those_of_the_files(tmp_path):
    whole = tmp_path / "bundle.mjs"
    whole.write_text(bundle(SCRIPTS, {"shared": "p { margin: 0 }"}, {"zh": {"STYLES": ["样式"]}}), encoding="utf-8")
    script = tmp_path / "run.mjs"
    script.write_text(
        'import assert from "node:assert";\nimport draw from "./bundle.mjs";\n'
        'const [one, two, sum, three, add, sent] = draw("data", "add");\n'
        'assert.deepEqual([one, two, sum, three, add(3, 4), sent], [1, 2, 3, "Three", 7, "data"]);\n'
        'assert.equal(globalThis.provided, "p { margin: 0 }");\n'
        'assert.deepEqual(globalThis.catalogues, { zh: { STYLES: ["样式"] } });\n'
    )
    run(str(script))


OTHERS = ("export * from './a.js';", "export { one };", "import * as b from './a.js';", "export let a;")


@pytest.mark.parametrize("statement", OTHERS)
def test_a_statement_of_another_form_is_named(statement):
    with pytest.raises(ValueError, match=r"one\.js: .* has a form"):
        bundle({"shared/one.js": statement}, {}, {})


def test_an_import_that_no_statement_of_its_own_exports_is_named():
    scripts = {"a/a.js": 'import { one, two } from "./b.js";', "a/b.js": "export const one = 1, two = 2;"}
    with pytest.raises(ValueError, match=r"a/a\.js: a/b\.js exports no two"):
        bundle(scripts, {}, {})


def test_the_script_of_all_components_is_one_that_node_can_read(tmp_path):
    whole = tmp_path / "components.mjs"
    whole.write_bytes(content_of(COMPONENTS_SCRIPT))
    run("--check", str(whole))
