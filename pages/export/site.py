"""A folder of scenes: a page for each, an index of their questions, and the scripts that all pages share."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from core.config.language import gettext as _, language, lazy_gettext
from core.config.link import STEP_PARAMETER, link
from core.config.settings import DEFAULTS
from pages.app.server.page_recording import RecordedState, record, record_text, recording
from pages.content.lecture import opened, query_of
from pages.content.scene import Scene
from pages.content.scenes import CHAPTERS, SCENES
from pages.export.page_file import PageFile, SceneLinks, component_names, shared_scripts
from pages.export.scene_app import SceneApp
from pages.export.scene_states import SceneStates, states_of

INDEX = "index.html"
LONGEST_NAME = 40  # characters of the name of a scene in that of its file
INTRO = lazy_gettext(
    "Questions to ask, and what there is to notice. P presents: then Page Down and Page Up lead on. "
    "N shows what there is to notice, “?” lists all keys."
)
RIGHTS = lazy_gettext(
    "The networks learn the reference manual of Python, © Python Software Foundation, under the PSF licence "
    "(docs.python.org/3/license.html), and generated texts. Short passages of the manual are quoted; all else was computed."
)


class Lecture(NamedTuple):
    """The scenes to write, in chapters."""

    title: str
    chapters: Mapping[str, Sequence[Scene]]

    @property
    def scenes(self) -> list[Scene]:
        return [scene for scenes in self.chapters.values() for scene in scenes]

    @property
    def site_links(self) -> SceneLinks:
        """The file name of each scene, and of the index."""
        files = {
            scene.key: f"{number:02}-{scene.key if scene.key in SCENES else _file_name(scene.name)}.html"
            for number, scene in enumerate(self.scenes, 1)
        }
        return {"files": files, "all": INDEX}


ALL = Lecture(lazy_gettext("Recurrent networks"), CHAPTERS)


def lecture_in(file: Path | None) -> Lecture:
    """The lecture in a file, with the file's name as its title; the seventeen scenes if there is no file. ``OSError`` or
    ``ValueError`` with a sentence if the file cannot be read."""
    if file is None:
        return ALL
    scenes = opened(file.read_text(encoding="utf-8"))
    if not scenes:
        raise ValueError("This lecture has no scenes.")
    return Lecture(file.stem, {"": tuple(scenes.values())})


def write_site(folder: Path, lecture: Lecture = ALL, *, live: str = "") -> Iterator[str]:
    """Write the files one after the other, and yield their names. ``live``: the URL of a dashboard to which pages link."""
    folder.mkdir(parents=True, exist_ok=True)
    app, names = SceneApp([scene for scene in lecture.scenes if scene.key not in SCENES], language()), set[str]()
    files = lecture.site_links["files"]
    for scene in lecture.scenes:
        app.open(scene)
        page = scene_page(scene, states_of(app, scene), lecture.site_links, live=live)
        names |= component_names(page.page_data()["items"])
        (folder / files[scene.key]).write_bytes(page.html())
        yield files[scene.key]
    for name, content in {INDEX: index_page(lecture).html(), **shared_scripts(names)}.items():
        (folder / name).write_bytes(content)
        yield name


def scene_page(scene: Scene, recorded: SceneStates, site_links: SceneLinks | None = None, *, live: str = "") -> PageFile:
    """The page of a scene with its recorded states; ``site_links`` if the page is in a folder of pages."""
    states = [_with_do(state, recorded.task) for state in recorded.states]
    live_url = _address(scene, live) if live else ""
    at = scene.view or ("sections" if "section" in scene.place else "")
    step = scene.place.get(STEP_PARAMETER, "")
    title = _question(scene)
    return PageFile(title, states, live_url, recorded.initial_state, recorded.chosen, at, step, site_links)


def index_page(lecture: Lecture) -> PageFile:
    """The index: the questions of all scenes, linked to their pages."""
    numbers = {scene.key: number for number, scene in enumerate(lecture.scenes, 1)}
    files = lecture.site_links["files"]
    chapters = [
        (_(name), [(numbers[scene.key], _question(scene), files[scene.key]) for scene in scenes])
        for name, scenes in lecture.chapters.items()
    ]
    with recording(items := []):
        record_text("title", _(lecture.title), _(INTRO))
        record("contents", words=chapters)
        if any(scene.settings.corpus == DEFAULTS.corpus for scene in lecture.scenes):
            record_text("note", _(RIGHTS))
    return PageFile(_(lecture.title), [RecordedState("", items)], ways=lecture.site_links)


def _file_name(name: str) -> str:
    """The name of a scene as part of a file's name: letters and digits of any script, with - between words."""
    return "-".join(re.findall(r"\w+", name.lower()))[:LONGEST_NAME].strip("-") or "scene"


def _question(scene: Scene) -> str:
    """The question of a scene; those of the reader's own scenes are not translated."""
    text = scene.question or scene.name
    return _(text) if scene.key in SCENES else text


def _address(scene: Scene, live: str) -> str:
    if scene.key in SCENES:
        return f"{live.rstrip('/')}/{scene.address}"
    return link(f"{live.rstrip('/')}/{scene.page}", query_of(scene))[0]


def _with_do(state: RecordedState, do: str) -> RecordedState:
    """The state with ``do`` as the task in its scene bar; unchanged if ``do`` is empty."""
    if not do:
        return state
    return state._replace(
        items=[item | {"data": item["data"] | {"do": do}} if item.get("name") == "scene_bar" else item for item in state.items]
    )
