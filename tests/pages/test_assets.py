"""What the browser loads by HTTP lies in ``static/`` as it lies beside the code."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pages.ui import assets

IMPORT = re.compile(r"""(?:from|import)\s*\(?\s*["'`](\.[^"'`]+)["'`]""")


@pytest.fixture
def static(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """An empty folder in the place of ``static/``, and nothing published yet."""
    monkeypatch.setattr(assets, "STATIC", tmp_path / "static")
    assets.components_url.cache_clear()
    yield tmp_path / "static"
    assets.components_url.cache_clear()


def served(static: Path) -> Path:
    return static / Path(assets.components_url()).relative_to(assets.SERVED_AT)


def test_files_of_one_name_in_two_folders_are_both_served(static, monkeypatch, tmp_path):
    for folder in ("shared", "one", "two"):
        (tmp_path / "components" / folder).mkdir(parents=True)
        (tmp_path / "components" / folder / "same.js").write_text(f"// {folder}")
    (tmp_path / "components" / "shared" / "paper.css").write_text("")
    monkeypatch.setattr(assets, "COMPONENTS", tmp_path / "components")
    folder = served(static)
    assert [(folder / name / "same.js").read_text() for name in ("one", "two")] == ["// one", "// two"]


def test_every_import_names_a_file_beside_the_code_and_where_it_is_served(static):
    for root in (assets.COMPONENTS, served(static)):
        scripts = list(root.rglob("*.js"))
        named = [(script, path) for script in scripts for path in IMPORT.findall(script.read_text()) if "$" not in path]
        assert len(named) > len(scripts)
        assert [(script, path) for script, path in named if not (script.parent / path).is_file()] == []


def test_a_component_finds_its_script_and_its_style(static):
    folder = served(static)
    for script in assets.COMPONENTS.glob("*/*.py"):
        assert (folder / script.stem / f"{script.stem}.js").is_file()
        assert (folder / script.stem / f"{script.stem}.css").is_file()
