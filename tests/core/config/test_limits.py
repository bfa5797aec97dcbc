"""Limits are read from the environment or refused, and docs/running.md has a table of all limits."""

import os
import subprocess
import sys
from dataclasses import fields, replace

import pytest
from hypothesis import given, strategies as st

from core.config.limits import ERRORS, LIMITS, PREFIX, Limits, read, table
from tests.dashboard_server import ROOT


def test_default_limits_are_valid_and_those_of_the_documentation():
    assert Limits() == replace(LIMITS, examples=Limits().examples)  # tests/conftest.py sets this one
    assert ERRORS == []
    for one in fields(Limits):
        assert one.metadata["between"][0] <= one.default <= one.metadata["between"][1]
    assert "\n".join(table(Limits())) in (ROOT / "docs" / "running.md").read_text(encoding="utf-8")


@given(st.sampled_from(fields(Limits)), st.data())
def test_a_valid_limit_of_the_environment_is_used(one, data):
    value = data.draw(st.integers(*one.metadata["between"]))
    limits, wrong = read({PREFIX + one.name.upper(): f" {value:_} ", "HOME": "/"})
    assert limits == Limits(**{one.name: value})
    assert not wrong


@given(st.sampled_from(fields(Limits)), st.text() | st.integers().map(str) | st.floats().map(str))
def test_any_other_value_is_refused_with_the_range(one, text):
    limits, wrong = read({PREFIX + one.name.upper(): text})
    least, most = one.metadata["between"]
    if wrong:
        assert limits == Limits()
        assert all(f"{bound:,}" in wrong[0] for bound in (least, most))
    else:
        assert least <= getattr(limits, one.name) <= most


@pytest.mark.parametrize("text", ["", "x", "-1", "1e3", "1.5", "9" * 5000, "0x10", "²", "١"])
def test_a_text_that_is_no_number_is_refused(text):
    assert len(read({PREFIX + "SESSIONS": text})[1]) == 1


def test_a_misspelled_limit_is_refused():
    limits, wrong = read({"RNN_LIMIT_SESION": "5", "RNN_LIMIT_MOMENTS": "5"})
    assert limits == Limits(moments=5)
    assert len(wrong) == 1
    assert "RNN_LIMIT_SESION" in wrong[0]


@pytest.mark.parametrize(("value", "ends"), [("7", 0), ("many", 1)])
def test_the_command_prints_the_table_and_fails_for_wrong_values(value, ends):
    env = os.environ | {"RNN_LIMIT_SESSIONS": value}
    ran = subprocess.run([sys.executable, "-m", "core.config.limits"], cwd=ROOT, env=env, capture_output=True, text=True)
    assert ran.returncode == ends
    assert ("RNN_LIMIT_SESSIONS" in ran.stderr) == bool(ends)
    assert ("| 7 |" in ran.stdout) == (not ends)
