"""The import rule: ``settings, text <- models <- {training, analysis} <- lessons, figures <- pages <- dashboard``."""

import ast
import graphlib

import pytest

from tests.dashboard_server import ROOT

STAGES = {  # part of the code: the parts it may import, beside itself
    "core/knob": "",
    "core/limits": "",
    "core/guide": "",
    "core/glossary": "core/notation",
    "core/notation": "",
    "core/settings": "core/knob",
    "core/query": "core/limits core/knob core/settings",
    "core/link": "core/settings core/query",
    "core/text": "core/limits core/settings",
    "core/models": "core/settings core/text",
    "core/training": "core/limits core/settings core/text core/models",
    "core/analysis": "core/settings core/text core/models",
    "core/lessons": "core/settings core/text core/models core/training core/analysis core/figures",
    "core/scenes": "core/settings core/link core/text core/lessons",
    "core/figures": "core/settings core/notation core/query core/text core/models core/training core/analysis core/lessons "
    "core/scenes",
    "pages": "core/limits core/settings core/query core/link core/text core/models core/training core/analysis core/lessons "
    "core/figures core/guide core/glossary core/notation core/scenes",
    "dashboard": "core/settings core/text core/models core/training core/analysis core/lessons core/figures pages",
}
ONLY_IN = {  # library: where it may be imported
    "streamlit": ("pages/", "dashboard.py"),
    "plotly": ("core/figures/", "pages/ui/assets.py"),  # there for the path of plotly.min.js
    "threading": (
        "core/training/live_run.py",
        "core/training/tally.py",
        "core/training/turns.py",
        "core/text/downloads.py",
        "pages/ui/draw_limit.py",
    ),
    "pooch": ("core/text/remote.py",),
    "requests": ("core/text/remote.py",),
    "segno": ("core/figures/parts/handout.py",),
    "joblib": ("core/training/sweep.py",),
    "safetensors": ("core/training/safe_file.py",),
    "pickle": (),
}


def breaches(sources: dict[str, str]) -> list[str]:
    """What the rule forbids in these modules (path from the root: source), one sentence each."""
    modules = {path.removesuffix(".py").removesuffix("/__init__").replace("/", "."): path for path in sources}
    found, graph = [], {}
    for module, path in modules.items():
        names = _imported(sources[path], module, is_package=path.endswith("__init__.py"))
        graph[module] = {_longest(name, modules) for name in names} - {None, module}
        for name in sorted(names):
            library = name.split(".")[0]
            if library in ONLY_IN and not path.startswith(ONLY_IN[library]):
                found.append(f"{path} imports {library}")
            mine, other = _stage(module), _stage(name)
            if library in ("core", "pages", "dashboard", "tests") and other not in (mine, *STAGES.get(mine, "").split()):
                found.append(f"{path} imports {name}")
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        found.append("a cycle of imports: " + " -> ".join(error.args[1]))
    return found


def _imported(source: str, module: str, is_package: bool) -> set[str]:
    """Full names of all that is imported anywhere in a module; ``from a import b`` counts as ``a.b``."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = module.split(".")[: len(module.split(".")) - node.level + is_package] if node.level else []
            base = ".".join([*above, *filter(None, [node.module])])
            names |= {base if alias.name == "*" else f"{base}.{alias.name}" for alias in node.names}
    return names


def _longest(name: str, modules: dict[str, str]) -> str | None:
    """The module of ours that importing ``name`` runs: itself, or the one it is a name in."""
    while name and name not in modules:
        name = name.rpartition(".")[0]
    return name or None


def _stage(name: str) -> str:
    return "/".join(name.split(".")[: 2 if name.startswith("core") else 1])


def _ours() -> dict[str, str]:
    paths = [*ROOT.glob("core/**/*.py"), *ROOT.glob("pages/**/*.py"), *ROOT.glob("dashboard.py")]
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in paths}


def test_the_code_keeps_the_rule():
    assert len(_ours()) > 1
    assert breaches(_ours()) == []


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("core/settings.py", "from core.text import corpus"),
        ("core/models/rnn.py", "from core.training.tbptt import Trainer"),
        ("core/models/rnn.py", "from core import figures"),
        ("core/models/rnn.py", "from ..analysis import truncation"),
        ("core/training/tbptt.py", "def f():\n    import core.analysis.truncation"),
        ("core/analysis/truncation.py", "from core.training import tbptt"),
        ("core/figures/parts/style.py", "import pages.ui.stage"),
        ("core/figures/parts/style.py", "import streamlit.components"),
        ("core/unplanned.py", "import core.settings"),
        ("pages/3_training.py", "import dashboard"),
        ("pages/3_training.py", "import plotly.graph_objects as go"),
        ("pages/3_training.py", "from tests.core import test_settings"),
        ("core/training/tbptt.py", "from threading import Thread"),
        ("core/training/checkpoint.py", "import pickle"),
    ],
)
def test_a_breach_is_caught(path, source):
    assert len(breaches({path: source})) == 1


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("core/text/corpus.py", "from core.settings import Settings"),
        ("core/models/rnn.py", "from . import loss\nfrom core.models.sampling import *"),
        ("core/training/live_run.py", "import threading"),
        ("core/figures/perplexity.py", "from core.analysis import perplexity\nimport plotly.graph_objects"),
        ("pages/ui/assets.py", "import plotly\nimport streamlit as st"),
        ("dashboard.py", "import streamlit\nfrom pages.ui import stage"),
    ],
)
def test_what_is_allowed_is_let_through(path, source):
    assert breaches({path: source}) == []


def test_a_cycle_is_caught():
    cycle = {"core/text/a.py": "from core.text.b import x", "core/text/b.py": "def f():\n    from .a import y"}
    assert len(breaches(cycle)) == 1
