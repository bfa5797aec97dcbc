"""The script of all components, run by Node."""

import pytest

from pages.app.server.component_bundle import bundle
from pages.app.server.static_assets import _components
from tests.javascript.node import run

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
    whole.write_bytes(_components())
    run("--check", str(whole))
