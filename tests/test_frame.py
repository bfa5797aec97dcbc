"""Files around the code are correct: README and its pictures, requirements, Streamlit's settings, thread limits."""

import importlib.metadata
import json
import os
import re
import subprocess
import sys
import tomllib

import pytest
from packaging.requirements import Requirement
from PIL import Image

from core.config.settings import KNOBS
from core.text.remote import REMOTES
from pages.figures.parts.style import TOKENS
from tests.dashboard_server import ROOT

README, RUNNING, CODE = ((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "docs/running.md", "docs/code.md"))
WITH_PICTURES = ("README.md", "README.zh.md", "docs/tour.md", "docs/tour.zh.md")
SHOWN = [
    (ROOT / page, shown)
    for page in WITH_PICTURES
    for shown in re.findall(r"<picture>(.*?)</picture>", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)
]
LINK = re.compile(r"\[[^\]]+\]\(([^)#:]+)\)")  # to a file
CONFIG = tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))


def requirements(name: str) -> list[Requirement]:
    """The requirements of a file and of the files that it includes with ``-r``."""
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    below = [one for line in lines if line.startswith("-r ") for one in requirements(line.removeprefix("-r "))]
    return below + [Requirement(line) for line in lines if line and not line.startswith(("#", "-r "))]


TESTING = requirements("requirements-dev.txt")
BOUNDED = {"streamlit", "starlette", "pytest"}  # tested up to a minor version; the requirements files say why


def flat(table: dict, prefix: str = "") -> dict:
    """``{"a": {"b": 1}}`` as ``{"a.b": 1}``."""
    return {
        name: value
        for key, inner in table.items()
        for name, value in (flat(inner, f"{prefix}{key}.") if isinstance(inner, dict) else {prefix + key: inner}).items()
    }


def run(*command: str) -> subprocess.CompletedProcess:
    """Run a command in a fresh process, in the top folder and without the environment variables of pytest and Streamlit."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "STREAMLIT"))}
    return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)


def test_every_text_that_is_downloaded_is_named_where_running_is_described():
    names = [KNOBS["corpus"].words[name].lower() for name in REMOTES]
    assert [name for name in names if name not in RUNNING.lower()] == []


def test_the_readme_s_three_lines_of_python_train_until_they_are_stopped():
    (block,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    assert len([line for line in block.splitlines() if line]) == 3
    stop = "import builtins, sys; show = print; builtins.print = lambda n, p: show(n, p) if n < 40 else sys.exit()\n"
    ran = run(sys.executable, "-W", "error", "-c", stop + block)
    assert ran.returncode == 0, ran.stderr
    steps = [line.split() for line in ran.stdout.splitlines()]
    assert float(steps[-1][1]) < float(steps[0][1])  # the loss has decreased


def test_three_lines_train_a_sweep_on_another_backend():
    (block,) = re.findall(r"```python\n(.*?)```", CODE, re.DOTALL)
    assert len(block.splitlines()) == 3
    head = "import joblib\nfrom core.config.settings import Settings\nfrom core.training.experiments.sweep_worker import Budget\n"
    head += "from core.training.experiments.sweep import Sweep\n"
    head += "sweep = Sweep([Settings(corpus='lag', max_tokens=4000, hidden_size=4)], Budget(tokens=3000))\n"
    ran = run(sys.executable, "-W", "error", "-c", head + block.replace("dask", "threading"))
    assert (ran.returncode, ran.stdout.split()[0]) == (0, "a"), ran.stderr


def test_files_modules_and_pages_that_the_papers_name_exist():
    named = set(re.findall(r"`((?:core|pages|tests|docs)/[\w./-]*|[\w./-]+\.(?:py|toml|ipynb)|LICENSE)`", README + CODE))
    assert len(named) > 5
    assert [path for path in named if not (ROOT / path).exists()] == []
    modules = set(re.findall(r"^\| `(\w+)` \|", CODE.partition("## Benchmarks")[2], re.MULTILINE))
    assert modules
    assert [name for name in modules if not (ROOT / "benchmarks" / f"{name}.py").exists()] == []
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]
    linked = [page.parent / link for page in pages for link in LINK.findall(page.read_text(encoding="utf-8"))]
    assert len(linked) > len(pages)
    assert [path for path in linked if not path.exists()] == []


def test_the_readme_is_short():
    assert len(README.split()) <= 1200


def test_both_ways_of_set_up_start_the_dashboard_and_run_the_tests():
    lines = [line for block in re.findall(r"```sh\n(.*?)```", README + RUNNING, re.DOTALL) for line in block.splitlines()]
    for tool in ("pip install -r", "--with-requirements"):
        commands = {re.search(rf"{tool} (\S+)", line)[1]: line.split()[-1] for line in lines if tool in line}
        assert commands == {"requirements.txt": "dashboard.py", "requirements-dev.txt": "pytest"}


def test_every_requirement_has_a_lower_bound_that_is_met():
    for requirement in TESTING:
        bounds = sorted(bound.operator for bound in requirement.specifier)
        assert bounds == (["<", ">="] if requirement.name in BOUNDED else [">="]), requirement
        assert requirement.specifier.contains(importlib.metadata.version(requirement.name), prereleases=True), requirement


def test_streamlit_accepts_every_config_option_without_warnings():
    given = flat({name: CONFIG[name] for name in CONFIG if name != "server"})
    wanted = given | {f"server.{name}": value for name, value in CONFIG["server"].items()} | {"server.enableAgentApi": False}
    ask = "import json, sys, streamlit as st; print(json.dumps({name: st.get_option(name) for name in json.loads(sys.argv[1])}))"
    ran = run(sys.executable, "-c", ask, json.dumps(list(wanted)))
    assert ran.stderr == ""
    assert json.loads(ran.stdout) == wanted
    assert wanted["server.address"] == "127.0.0.1"  # reachable from this machine only


def test_every_way_to_serve_other_machines_overrides_the_address_of_this_one():
    pages = {page.name: page.read_text(encoding="utf-8") for page in (*ROOT.glob("docs/*.md"), *ROOT.glob("*.md"))}
    commands = {
        name: [line for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL) for line in block.splitlines()]
        for name, text in pages.items()
    }
    servers = [line for lines in commands.values() for line in lines if "--server.headless" in line]
    assert servers
    assert all("--server.address=0.0.0.0" in line for line in servers)
    assert {line.split()[0] for line in commands["deploying.md"]} == {"docker"}  # whose image sets the address
    assert "STREAMLIT_SERVER_ADDRESS=0.0.0.0" in (ROOT / "Dockerfile").read_text(encoding="utf-8")


def test_blas_uses_one_thread_by_default():
    ask = "import dashboard, threadpoolctl; print(*{one['num_threads'] for one in threadpoolctl.threadpool_info()})"
    ran = run("env", "-u", "OPENBLAS_NUM_THREADS", sys.executable, "-c", ask)
    assert ran.stdout.split() == ["1"], ran.stderr


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_theme_colours_in_the_config_equal_the_palette(theme):
    palette = {name: pair[theme == "dark"] for name, pair in TOKENS.items()}
    colours = flat(CONFIG["theme"][theme])
    assert set(colours.values()) <= set(palette.values())
    assert colours.keys() == flat(CONFIG["theme"]["light"]).keys()
    used = {"primaryColor": "forward", "orangeColor": "backward", "textColor": "text", "backgroundColor": "background"}
    surfaces = dict.fromkeys(("secondaryBackgroundColor", "sidebar.backgroundColor"), "surface")
    assert {option: palette[name] for option, name in (used | surfaces).items()}.items() <= colours.items()


@pytest.mark.parametrize(("page", "shown"), SHOWN, ids=range(len(SHOWN)))
def test_each_picture_is_there_in_both_themes_and_in_words(page, shown):
    (dark,), (light,) = re.findall(r'prefers-color-scheme: dark\)" srcset="([^"]+)"', shown), re.findall(r' src="([^"]+)"', shown)
    assert len(re.search(r'\balt="([^"]+)"', shown)[1]) > 10
    assert dark == light.replace("-light", "-dark")
    with Image.open(page.parent / light) as one, Image.open(page.parent / dark) as other:
        assert one.size == other.size
