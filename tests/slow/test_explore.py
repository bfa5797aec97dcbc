"""Properties hold for examples that no run before has seen: all Hypothesis tests again, with random ones and more of them."""

import os
import subprocess
import sys

from tests.dashboard_server import ROOT

COMMAND = "pytest -q -n 0 -p no:cacheprovider -m hypothesis --hypothesis-profile=explore tests/core tests/pages"


def test_properties_hold_for_new_examples():
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTEST_ADDOPTS", "RNN_CHECK_SHAPES")}
    ran = subprocess.run([sys.executable, "-m", *COMMAND.split()], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout[-20_000:]
