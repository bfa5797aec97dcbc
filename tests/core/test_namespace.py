"""The names of ``core`` that notebooks use."""

import subprocess
import sys
from importlib import import_module

import pytest

import core

PUBLIC = (
    "Settings load_corpus init_params forward backward perplexity fit tokens_of baselines "
    "RnnReader read_prompt next_distribution generate Trainer MonitoredTrainer gradient_flow"
)


def test_the_names_are_these():
    """A name that goes or is new is a change for everybody who has a notebook: say so in the changelog."""
    assert core.__all__ == PUBLIC.split()


@pytest.mark.parametrize("name", core.__all__)
def test_a_name_is_that_of_its_module(name):
    assert getattr(core, name) is getattr(import_module(core.NAMES[name]), name)
    assert name in dir(core)


def test_a_name_that_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'Perceptron'"):
        _ = core.Perceptron


def test_importing_core_imports_nothing_and_its_names_need_no_streamlit():
    ask = """import sys, core
assert not {'numpy', 'streamlit', 'pages'} & set(sys.modules)
from core import *
assert 'numpy' in sys.modules and not {'streamlit', 'pages', 'plotly'} & set(sys.modules)
print(perplexity.__name__)"""
    ran = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True)
    assert (ran.stdout, ran.stderr) == ("perplexity\n", "")
