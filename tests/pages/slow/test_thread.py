"""Every scene of the thread opens as its link does."""

from core.scenes.thread import SCENES
from tests.pages.app_session import START


def test_every_scene_opens_at_its_update_without_a_notice(visit):
    session = visit(START)
    for key, scene in SCENES.items():
        assert session.open_scene(key).wait().thread()["key"] == key
        assert (session.stage.page, session.stage.settings, session.stage.update) == (scene.page, scene.settings, scene.update)
        assert session.notices == []
