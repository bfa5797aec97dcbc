"""For every test: shapes and types are checked, examples repeat, nothing has a deadline, BLAS has one thread."""

import os
from pathlib import Path
from typing import Any

import hypothesis
import numpy as np  # noqa: F401  its BLAS must be loaded before it can be limited
import pytest
from threadpoolctl import threadpool_limits

from core.text.remote import FOLDER, MIRROR
from tests.annotations import check_annotations
from tests.two_processes import OneBrowser

os.environ |= {FOLDER: str(Path(__file__).parent / "nothing was fetched"), MIRROR: "http://127.0.0.1:9"}  # no test is online
check_annotations()
threadpool_limits(limits=1)
hypothesis.settings.register_profile(
    "repeatable", derandomize=True, deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("repeatable")


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """All tests run in two processes; a choice of tests runs in this one."""
    chosen = config.args_source is not pytest.Config.ArgsSource.TESTPATHS or config.option.keyword or config.option.markexpr
    return 0 if chosen else min(2, os.cpu_count() or 1)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> OneBrowser:
    return OneBrowser(config, log)
