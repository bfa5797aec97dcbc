"""What containers are made of: the Dockerfile is without lint, and the files that start it agree with each other."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.dashboard_server import ROOT

DOCKERFILE, COMPOSE, PROXY, IGNORED = (
    (ROOT / name).read_text() for name in ("Dockerfile", "compose.yaml", "haproxy.cfg", ".dockerignore")
)


def test_the_dockerfile_is_without_lint():
    linter = shutil.which("hadolint", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")
    if linter is None:
        pytest.skip("hadolint is missing")
    ran = subprocess.run([linter, ROOT / "Dockerfile"], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_what_the_dockerfile_copies_is_there_and_reaches_it():
    copied = [line.split()[1] for line in DOCKERFILE.splitlines() if re.match(r"COPY (?!--)", line)]
    let_through = re.findall("^!([^/\n]+)$", IGNORED, re.MULTILINE)
    assert sorted(copied) == sorted(let_through)
    assert all((ROOT / name).exists() for name in copied)


def test_the_proxy_is_told_all_that_it_asks_for():
    asked = set(re.findall(r"\$\{(\w+)\}", PROXY))
    told = set(re.findall(r"^ {6}(\w+):", COMPOSE.partition("\n  proxy:")[2], re.MULTILINE))
    assert asked == told
