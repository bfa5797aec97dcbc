"""The linters that pyproject.toml configures find nothing, and annotations are checked where tests/conftest.py says so."""

import os
import subprocess
import sys
from pathlib import Path

import jaxtyping
import numpy as np
import pytest

from core.models.loss import softmax
from tests.dashboard_server import ROOT

COMMANDS = ("ruff check --no-cache .", "ruff format --check --no-cache .", "lint-imports --no-cache", "deptry .")


@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_is_found_by(command):
    program, *arguments = command.split()
    ran = subprocess.run([Path(sys.executable).with_name(program), *arguments], cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.skipif(not os.environ.get("RNN_CHECK_SHAPES"), reason="RNN_CHECK_SHAPES is not set")
def test_an_array_of_the_wrong_dtype_is_refused_by_its_annotation():
    with pytest.raises(jaxtyping.TypeCheckError):
        softmax(np.zeros((2, 3), dtype=np.int32))
