"""The browser components' scripts: linted and formatted, their types, and their logic, by the tools that package.json names.

Without node, or without ``npm ci --prefix tests/javascript``, these tests are skipped, or fail where
``RNN_REQUIRE_JAVASCRIPT`` is set.
"""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
REQUIRED = "RNN_REQUIRE_JAVASCRIPT"
LIMIT = 120.0  # seconds


def run(*command: str) -> None:
    """Run node with these arguments in the top folder; what it prints is the failure."""
    node = shutil.which("node")
    if node is None or not (HERE / "node_modules").is_dir():
        reason = "node is missing" if node is None else "its tools are missing: npm ci --prefix tests/javascript"
        pytest.fail(reason) if os.environ.get(REQUIRED) else pytest.skip(reason)
    ran = subprocess.run([node, *command], cwd=ROOT, capture_output=True, text=True, timeout=LIMIT, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def tool(path: str) -> str:
    return str(HERE / "node_modules" / path)


def test_scripts_are_formatted_and_without_lint():
    run(tool("eslint/bin/eslint.js"), "--config", str(HERE / "eslint.config.js"), "pages", "tests/javascript")


def test_types_agree():
    run(tool("typescript/bin/tsc"), "--project", str(HERE))


@pytest.mark.parametrize("script", sorted(HERE.glob("*.test.js")), ids=lambda script: script.name.removesuffix(".test.js"))
def test_logic_of(script):
    run(str(script))
