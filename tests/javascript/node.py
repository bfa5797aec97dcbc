"""Run Node with the tools of ``package.json``. Without them tests are skipped, or fail if ``RNN_REQUIRE_JAVASCRIPT`` is set."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.dashboard_server import ROOT

HERE = Path(__file__).parent
REQUIRED = "RNN_REQUIRE_JAVASCRIPT"
LIMIT = 120.0  # seconds


def run(*command: str) -> None:
    """Run node with these arguments in the top folder; fail with its output if it fails."""
    node = shutil.which("node")
    if node is None or not (HERE / "node_modules").is_dir():
        reason = "node is missing" if node is None else "its tools are missing: npm ci --prefix tests/javascript"
        pytest.fail(reason) if os.environ.get(REQUIRED) else pytest.skip(reason)
    ran = subprocess.run([node, *command], cwd=ROOT, capture_output=True, text=True, timeout=LIMIT, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def tool(path: str) -> str:
    return str(HERE / "node_modules" / path)
