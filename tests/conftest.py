"""Configuration of all tests: marks by folder, no internet, one BLAS thread, Hypothesis profiles and checked array shapes.

Tests in a folder ``browser`` or ``server`` get the mark of that name. Tests marked ``slow`` run only if ``-m`` names this mark.
Tests of one file in ``server`` run in one worker: they share the servers that its fixtures start.

With the environment variable ``RNN_CHECK_SHAPES`` (``.ci/run`` sets it), and where pytest is given files or folders of tests,
every call within core is checked against its annotations: types, dtypes and shapes of arrays. Calculations take twice as long.
"""

import os
import sys

os.environ["RNN_LIMIT_EXAMPLES"] = "0"  # before core reads it: the server trains no examples unless a test enables it
from collections import Counter
from pathlib import Path

import hypothesis
import jaxtyping
import numpy as np  # noqa: F401  its BLAS must be loaded before it can be limited
import pytest
from threadpoolctl import threadpool_limits

CHECKED = ["core.text", "core.models", "core.training", "core.analysis", "pages.content.lessons", "pages.figures"]
TESTS = Path(__file__).parent
if any(TESTS in Path(argument.partition("::")[0]).resolve().parents for argument in sys.argv[1:]):
    os.environ["RNN_CHECK_SHAPES"] = "1"  # the workers of pytest-xdist have it, too
if os.environ.get("RNN_CHECK_SHAPES"):  # before core is imported; PEP 484 tower: an int is accepted for a float
    jaxtyping.install_import_hook(CHECKED, "beartype.beartype(conf=beartype.BeartypeConf(is_pep484_tower=True))")

from core.text.remote import FOLDER, MIRROR

os.environ |= {FOLDER: str(Path(__file__).parent / "nothing was fetched"), MIRROR: "http://127.0.0.1:9"}  # no test is online
threadpool_limits(limits=1)

EVERY = {"deadline": None, "suppress_health_check": [hypothesis.HealthCheck.too_slow]}
hypothesis.settings.register_profile("dev", derandomize=True, max_examples=25, **EVERY)
hypothesis.settings.register_profile("ci", derandomize=False, max_examples=100, print_blob=True, **EVERY)  # new examples each run
hypothesis.settings.load_profile("dev")

KINDS = ("slow", "browser", "server")  # a test with several of these marks counts as the first


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the groups
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        marks = set(KINDS) & {*item.path.relative_to(config.rootpath).parts}
        for mark in marks:
            item.add_marker(mark)
        if "server" in marks:
            item.add_marker(pytest.mark.xdist_group(item.path.stem))
    if "slow" not in config.option.markexpr:
        config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker("slow")])
        items[:] = [item for item in items if not item.get_closest_marker("slow")]
    items.sort(key=lambda item: not item.get_closest_marker("slow"))  # slow ones first, so that no long test is left at the end


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the seconds of all workers together, by kind of test."""
    seconds, tests = Counter(), Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                kind = next((kind for kind in KINDS if kind in report.keywords), "other")
                seconds[kind] += report.duration
                tests[kind] += report.when == "call"
    for kind in sorted(seconds):
        terminalreporter.write_line(f"{kind}: {tests[kind]:,} tests, {seconds[kind]:.0f} s")
