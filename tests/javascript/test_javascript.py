"""The browser components' scripts: linted and formatted, their types, and their logic."""

import pytest

from tests.javascript.node import HERE, run, tool


def test_scripts_are_formatted_and_without_lint():
    run(tool("eslint/bin/eslint.js"), "--config", str(HERE / "eslint.config.js"), "pages", "tests/javascript")


def test_types_agree():
    run(tool("typescript/bin/tsc"), "--project", str(HERE))


@pytest.mark.parametrize("script", sorted(HERE.glob("*.test.js")), ids=lambda script: script.name.removesuffix(".test.js"))
def test_logic_of(script):
    run(str(script))
