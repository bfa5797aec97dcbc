"""Every scene is on an existing page with valid settings, and its link is short and opens it."""

from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest

from core.config.link import LONGEST, PAGES, LinkTarget, parse_query
from core.config.settings import KNOBS, Settings
from core.content.scenes import CHAPTERS, SCENES, neighbours


def test_scenes_have_keys_and_names_of_their_own():
    assert sum(map(len, CHAPTERS.values())) == len(SCENES)
    assert len({scene.name for scene in SCENES.values()}) == len(SCENES)


@pytest.mark.parametrize("scene", SCENES.values(), ids=list(SCENES))
def test_a_scene_has_valid_settings_and_a_short_link_that_opens_it(scene):
    assert Settings(**{name: getattr(scene.settings, name) for name in KNOBS}) == scene.settings
    assert scene.page in PAGES
    assert 0 < scene.seconds < 60
    assert all((scene.name, scene.question, scene.do, scene.notice))
    assert scene.done.kind != "pressed" or f"“{scene.done.what}”" in scene.do
    assert len(scene.address) <= LONGEST
    query = dict(parse_qsl(urlsplit(scene.address).query))
    place = {name: query.pop(name) for name in scene.place}
    assert place == scene.place
    assert parse_query(query) == (LinkTarget(scene.settings, scene.update, scene=scene.key), [])


def test_the_lecturers_page_lists_every_scene_with_its_minutes():
    page = Path(__file__).parents[3].joinpath("docs", "lecturers.md").read_text()
    for number, scene in enumerate(SCENES.values(), 1):
        assert f"| {number} | {scene.name} | {scene.minutes} |" in page


def test_next_and_previous_lead_through_all_scenes():
    scenes = [None, *SCENES.values(), None]
    assert [(neighbours(key)[0], neighbours(key)[-1]) for key in SCENES] == list(zip(scenes, scenes[2:], strict=False))
    with pytest.raises(ValueError):
        neighbours("nowhere")
