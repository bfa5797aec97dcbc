"""What a session holds is gone through also where another script of it adds something meanwhile."""

import pytest
from streamlit.runtime.state import SessionState

from pages.ui.two_scripts import GOES_THROUGH_ALL, again, bear_two_scripts


class Disturbed(SessionState):
    """Another script adds something just as the names are asked for, as often as it is told."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self._new_session_state |= {"one": 1, "two": 2}
        self.times = times

    def _get_widget_id(self, name: str) -> str:
        if self.times:
            self.times -= 1
            self._new_session_state[f"added {self.times}"] = 0
        return name


@pytest.fixture
def patched(monkeypatch):
    for name in GOES_THROUGH_ALL:
        monkeypatch.setattr(SessionState, name, getattr(SessionState, name))
    bear_two_scripts()


def test_all_names_are_found(patched):
    assert Disturbed(3)._keys() == {"one", "two", "added 0", "added 1", "added 2"}


def test_a_script_begins_with_all_that_was_there(patched):
    state = Disturbed(1)
    state.on_script_will_rerun(None)
    assert dict(state._old_state) == {"one": 1, "two": 2, "added 0": 0}


def test_what_never_rests_is_an_error_in_the_end():
    with pytest.raises(RuntimeError):
        again(SessionState._keys)(Disturbed(10**6))


def test_streamlit_itself_fails_there():
    """If it no longer does, ``two_scripts`` can go."""
    with pytest.raises(RuntimeError):
        Disturbed(1)._keys()
