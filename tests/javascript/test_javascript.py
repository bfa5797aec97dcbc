"""The browser components' scripts: linting, formatting, types, and logic."""

from pages.app.server.static_assets import COMPONENTS
from tests.javascript import data_types
from tests.javascript.node import HERE, run, tool


def test_scripts_are_formatted_and_without_lint():
    cache = ("--cache", "--cache-strategy=content", f"--cache-location={HERE}/node_modules/.cache/eslint")
    run(tool("eslint/bin/eslint.js"), *cache, "--config", str(HERE / "eslint.config.js"), "pages", "tests/javascript")


def test_the_types_of_data_are_those_of_python():
    assert data_types.FILE.read_text(encoding="utf-8") == data_types.declarations()


def test_the_script_of_every_component_names_the_type_of_its_data():
    for name in data_types.components():
        script = (COMPONENTS / name / f"{name}.js").read_text(encoding="utf-8")
        assert f'Component<"{name}">' in script or f'follower("{name}"' in script


def test_types_agree():
    run(tool("typescript/bin/tsc"), "--project", str(HERE))


def test_logic():
    run(str(HERE / "all.js"))
