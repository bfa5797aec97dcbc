"""Every scene of the thread stands on a page that there is, in words that are read, and its link is short and opens it."""

from urllib.parse import parse_qsl, urlsplit

import pytest

from core.link import LONGEST, PAGES, Asked, read
from core.scenes.thread import CHAPTERS, SCENES, beside
from core.settings import KNOBS, Settings

MOST = 60  # seconds that a scene may take


@pytest.fixture(params=SCENES.values(), ids=list(SCENES))
def scene(request):
    return request.param


def test_the_thread_is_long_enough_and_has_every_scene_once():
    assert len(SCENES) >= 14
    assert sum(map(len, CHAPTERS.values())) == len(SCENES)
    assert all(key == scene.key for key, scene in SCENES.items())
    assert len({scene.name for scene in SCENES.values()}) == len(SCENES)


def test_its_settings_and_its_page_are_there(scene):
    assert Settings(**{name: getattr(scene.settings, name) for name in KNOBS}) == scene.settings
    assert scene.page in PAGES
    assert 0 < scene.seconds < MOST


def test_its_words_are_short(scene):
    for words, most in ((scene.name, 40), (scene.question, 110), (scene.do, 110), (scene.notice, 190)):
        assert 0 < len(words) <= most, words
    assert scene.question.endswith("?")
    assert scene.done.kind != "pressed" or f"“{scene.done.what}”" in scene.do


def test_its_link_is_short_and_opens_it(scene):
    assert len(scene.address) <= LONGEST
    query = dict(parse_qsl(urlsplit(scene.address).query))
    place = {name: query.pop(name) for name in scene.place}
    assert place == scene.place
    assert read(query) == (Asked(scene.settings, scene.update, scene=scene.key), [])


def test_the_thread_leads_through_all_of_them():
    keys, after = [], next(iter(SCENES.values()))
    while after:
        before, now, (_, after) = (keys or [None])[-1], after, beside(after.key)
        assert (beside(now.key)[0] or now).key == (before or now.key)
        keys.append(now.key)
    assert keys == list(SCENES)


def test_beside_no_scene_there_is_none():
    with pytest.raises(ValueError, match="nowhere"):
        beside("nowhere")
