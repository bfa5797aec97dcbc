"""The rehearsal: every scene is carried out, and what is slow, fails, or needs a network is said."""

import itertools
import logging
import socket
import sys
from collections.abc import Iterator

import pytest

from core.text.remote import FOLDER
from pages.content.lecture import own_scene, saved
from pages.content.scene import Scene
from pages.content.scenes import SCENES
from pages.export import rehearsal
from pages.export.rehearsal import Rehearsed, main, phone_addresses, rehearse, summary
from pages.export.scene_app import SceneApp

ONE, OTHER = SCENES["branching"], SCENES["machine"]


@pytest.fixture(autouse=True)
def logs_of_later_tests() -> Iterator[None]:
    """Enable logging again, which the command disables for its process."""
    yield
    logging.disable(logging.NOTSET)


def test_scenes_are_carried_out_and_timed_one_after_the_other(visit):
    ticks = itertools.accumulate(itertools.chain([0], itertools.cycle([1, 10, 100])))
    found = list(rehearse([ONE, OTHER], clock=lambda: next(ticks)))
    assert [(one.scene.key, one.opens, one.done, one.failed) for one in found] == [
        ("branching", 1, 10, ""),
        ("machine", 1, 10, ""),
    ]


@pytest.mark.parametrize("error", [RuntimeError("Not trained within 600 seconds."), KeyError("choices"), ValueError()])
def test_what_fails_is_said_and_the_next_one_is_carried_out(visit, monkeypatch, error):
    open_it = SceneApp.open

    def broken(app: SceneApp, scene) -> None:
        if scene is ONE:
            raise error
        open_it(app, scene)

    monkeypatch.setattr(SceneApp, "open", broken)
    failed, done = rehearse([ONE, OTHER])
    assert failed.remarks == f"failed: {str(error) or type(error).__name__}"
    assert done.failed == ""


@pytest.fixture
def far_away(tmp_path, monkeypatch) -> Scene:
    """A scene on a text that is not on this machine."""
    monkeypatch.setenv(FOLDER, str(tmp_path / "texts"))
    return own_scene("training", {"corpus": "time_machine"}, name="Far away", question="Who travels?")


def test_a_scene_that_needs_a_download_is_refused_and_no_other_page_is_measured(visit, far_away):
    first, refused, last = rehearse([ONE, far_away, OTHER])
    assert (refused.download, refused.done) == ("time_machine", 0.0)
    assert "download" in refused.failed
    assert "needs the internet once, for time_machine" in refused.remarks
    assert not any(one.failed or one.download for one in (first, last))
    assert any("time_machine" in sentence and "internet" in sentence for sentence in summary([first, refused, last], []))


def test_a_scene_that_is_refused_cannot_be_opened_whatever_was_open_before(visit, far_away):
    app = SceneApp([far_away])
    for before in ([], [OTHER]):
        for scene in before:
            app.open(scene)
        with pytest.raises(RuntimeError, match="download"):
            app.open(far_away)
    app.open(ONE)
    assert app.session.scene == ONE


def test_slow_scenes_downloads_and_addresses_are_named(monkeypatch):
    monkeypatch.setattr(rehearsal, "is_downloaded", lambda _name: False)
    slow = Rehearsed(ONE, rehearsal.OPENS + 1, rehearsal.DONE + 1)
    far = Rehearsed(OTHER, 1.0, 1.0, download="time_machine")
    assert slow.remarks == "slow to open, slow to be done"
    first, second, third = summary([slow, far], ["http://10.0.0.2:8501"])
    assert ONE.name in first
    assert OTHER.name not in first
    assert "time_machine" in second
    assert "http://10.0.0.2:8501" in third
    assert not any("http" in sentence for sentence in summary([], []))


def test_a_phone_is_not_given_an_address_that_only_this_machine_can_open(monkeypatch):
    found = [(socket.AF_INET, 0, 0, "", (host, 0)) for host in ("127.0.1.1", "192.168.1.5")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_args: found)
    assert "http://192.168.1.5:80" in phone_addresses(80)
    assert not any("127." in address for address in phone_addresses(80))


@pytest.fixture
def command(tmp_path, monkeypatch):
    """``command(*scenes)``: the exit status of the command for a lecture of these scenes."""
    file = tmp_path / "mine.json"
    monkeypatch.setattr(sys, "argv", ["", "--lecture", str(file)])

    def command(*scenes: Scene) -> int:
        file.write_text(saved({scene.key: scene for scene in scenes}), encoding="utf-8")
        return main()

    return command


def test_the_command_carries_out_a_lecture_from_a_file(visit, command, monkeypatch, capsys):
    mine = own_scene("unrolled", {"text": "machine", "network": "small"}, name="Mine")
    assert command(mine) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2 + 3  # a head, the scene, and the summary
    assert "Mine" in lines[1]
    monkeypatch.setattr(rehearsal, "OPENS", -1.0)
    assert command(mine) == 1
    assert "slow to open" in capsys.readouterr().out


def test_the_command_fails_if_a_scene_or_the_file_does(visit, command, far_away, capsys):
    assert command(far_away) == 2
    assert far_away.name in capsys.readouterr().out.splitlines()[-3]
    assert command() == 2  # no scenes
    assert capsys.readouterr().out == ""
