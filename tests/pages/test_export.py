"""A folder of scenes: its pages have the numbers of the dashboard, and texts of a lecture's author are escaped in them."""

import json
import logging
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jaxtyping
import pytest

from core.training.experiments.sweep_worker import Budget
from core.training.run.live_run import LiveRun
from pages.content.lecture import own_scene, saved
from pages.content.scene import Scene
from pages.content.scenes import SCENES
from pages.export.__main__ import main
from pages.export.page_file import PageFile, PageFileData
from pages.export.scene_app import SceneApp
from pages.export.scene_states import BY_SCENE, TASKS, states_of
from pages.export.site import ALL, INDEX, Lecture, scene_page, write_site
from pages.perplexity import against_counting
from pages.truncation import echo_bound
from tests.pages.app_session import HOSTILE
from tests.pages.test_page_file import Elements

MOST, EACH = 12e6, 2.5e6  # maximal bytes of the folder of all scenes, and of one page with the scripts that it loads


def drawn(page: PageFile, state: int = 0) -> dict[str, Any]:
    """The data of the components of a page in a state, by their keys, as decoded by the browser."""
    shown = json.loads(json.dumps(page.page_data()))
    items = [shown["items"][place] for place in shown["states"][state][1]]
    return {item["key"]: item["data"] for item in items if item["is"] == "component"}


def written(folder: Path, name: str) -> PageFileData:
    return Elements((folder / name).read_text(encoding="utf-8")).page()


@pytest.fixture(autouse=True)
def logs_of_later_tests() -> Iterator[None]:
    """Enable logging again, which the command disables for its process."""
    yield
    logging.disable(logging.NOTSET)


@pytest.fixture
def app(visit: Any) -> Iterator[SceneApp]:
    app = SceneApp()
    yield app
    for run in app.session.runs:
        run.pause()


def recorded(app: SceneApp, scene: Scene) -> PageFile:
    """The page of a scene in its initial state."""
    app.open(scene)
    return scene_page(scene, states_of(app, scene))


@pytest.mark.parametrize("key", ["machine", "vanishing", "branching"])
def test_a_scene_has_the_numbers_of_its_page(visit, app, key):
    scene = SCENES[key]
    given = drawn(recorded(app, scene))
    live = visit(scene.page, **scene.query)
    shown = [data for _, data in live.components()]
    assert len(given) > 3
    for name, data in given.items():
        if name != "scene_bar":
            assert data in shown, name
    assert given["scene_bar"]["question"] == live.scene_bar()["question"]
    assert not given["scene_bar"]["done"]


def test_the_buttons_of_a_scene_show_its_states(app):
    page = recorded(app, SCENES["vanishing"])
    radii = [drawn(page, state)["what_if"]["rows"][0][0]["value"] for state in range(4)]
    assert radii == ["0.5", "0.5", "1.05", "2.0"]
    assert page.at == "sections"
    assert BY_SCENE.keys() | TASKS.keys() <= SCENES.keys()


def test_the_window_that_resets_and_the_one_that_carries_are_both_recorded(app, monkeypatch):
    monkeypatch.setattr(echo_bound, "IN_SCENE", (4, 16))
    monkeypatch.setattr(echo_bound, "SHORT", Budget(tokens=2000))
    page = recorded(app, SCENES["reach"])
    assert [state.name for state in page.states] == ["", "Train", "carried"]
    bars = [drawn(page, state)["proof_bar"]["rows"] for state in range(3)]
    assert [one["value"] for rows in bars for row in rows for one in row if one["name"] == "handed"] == [
        "reset",
        "reset",
        "carried",
    ]


def test_a_run_is_recorded_until_its_scene_is_done(app):
    page = recorded(app, SCENES["lag"])
    runs = [drawn(page, state) for state in range(len(page.states))]
    assert [state.name for state in page.states][:2] == ["update 0", "update 10"]
    assert [one["scene_bar"]["done"] for one in runs] == [False] * (len(runs) - 1) + [True]
    assert float(runs[-1]["run_view"]["readout"]["number"]) < 1.25


def test_a_lecture_is_a_folder_in_which_no_word_is_markup(visit, tmp_path, monkeypatch, capsys):
    lecture = {}
    for number, words in enumerate([*HOSTILE[:3], "</script><script>alert(1)</script>"]):
        query = {"text": "machine", "network": "small", "step": str(number + 1)}
        scene = own_scene("unrolled", query, name="A", question=words, do=words, notice=words, notes="for me alone")
        lecture[scene.key] = scene
    file = tmp_path / "mine.json"
    file.write_text(saved(lecture), encoding="utf-8")
    folder = tmp_path / "site"
    monkeypatch.setattr(sys, "argv", ["", str(folder), "--lecture", str(file), "--live", "https://x.org/rnn/"])
    assert main() == 0
    assert capsys.readouterr().out.count("\n") == len(lecture) + 3  # an index, the scripts and plotly.js
    for number, scene in enumerate(lecture.values(), 1):
        text = (folder / f"{number:02}-a.html").read_text(encoding="utf-8")
        assert [tag for tag, *_ in Elements(text).found].count("script") == 4
        page = written(folder, f"{number:02}-a.html")
        assert "for me alone" not in json.dumps(page)
        (bar,) = (item["data"] for item in page["items"] if item.get("name") == "scene_bar")
        assert [bar[field] for field in ("question", "do", "notice")] == [scene.question, scene.do, scene.notice]
        assert page["step"] == str(number)
        assert page["live"].startswith("https://x.org/rnn/unrolled?")
    contents = next(item for item in written(folder, INDEX)["items"] if item["is"] == "contents")
    assert [page[1] for _, pages in contents["words"] for page in pages] == [scene.question for scene in lecture.values()]


def test_a_file_that_is_no_lecture_is_refused(tmp_path, monkeypatch, capsys):
    for text in ("{}", saved({})):
        file = tmp_path / "none.json"
        file.write_text(text, encoding="utf-8")
        monkeypatch.setattr(sys, "argv", ["", str(tmp_path / "site"), "--lecture", str(file)])
        assert main() == 2
        assert capsys.readouterr().err
    assert not (tmp_path / "site").exists()


def test_the_pages_of_a_folder_share_their_scripts(visit, tmp_path):
    scenes = [SCENES["vanishing"], SCENES["cut"]]
    names, files = set(write_site(tmp_path, Lecture("Two", {"Back": scenes}))), {path.name for path in tmp_path.iterdir()}
    assert names == files == {"01-vanishing.html", "02-cut.html", INDEX, "scripts.js", "plotly.js"}
    elements = Elements((tmp_path / "01-vanishing.html").read_text(encoding="utf-8"))
    assert [of["src"] for tag, of, _ in elements.found if "src" in of] == ["scripts.js", "plotly.js"]
    assert "script-src 'self' 'sha256-" in elements.policy()
    assert written(tmp_path, "01-vanishing.html")["ways"]["files"]["cut"] == "02-cut.html"


@pytest.mark.slow
def test_every_scene_is_a_page_that_ends_done(visit, tmp_path, monkeypatch):
    join = LiveRun.join

    def train(run: LiveRun, *given: float) -> bool:
        """Train without shape checks: all updates have the same shapes, and other tests check them."""
        with monkeypatch.context() as patch:
            patch.setattr(jaxtyping.config, "jaxtyping_disable", True)
            return join(run, *given)

    monkeypatch.setattr(LiveRun, "join", train)
    monkeypatch.setattr(against_counting, "EPOCHS", 3)  # all networks train to their end, but the slowest ones on fewer tokens
    monkeypatch.setattr(echo_bound, "IN_SCENE", (4, 16))
    list(write_site(tmp_path))
    sizes = {path.name: path.stat().st_size for path in tmp_path.iterdir()}
    shared = sizes["scripts.js"] + sizes["plotly.js"]
    assert sum(sizes.values()) < MOST
    for key, file in ALL.site_links["files"].items():
        assert sizes[file] + shared < EACH
        page = written(tmp_path, file)
        items = [page["items"][place] for _, places in page["states"] for place in places]
        bars = [item["data"] for item in items if item.get("name") == "scene_bar"]
        assert len(bars) == len(page["states"])
        assert not bars[0]["done"]
        if SCENES[key].done.kind in ("below", "read"):
            assert bars[-1]["done"], key
