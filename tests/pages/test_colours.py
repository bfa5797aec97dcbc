"""What a browser is told of the colours is what Streamlit would tell it, put together once."""

from operator import attrgetter

import pytest
from streamlit import config
from streamlit.proto.NewSession_pb2 import NewSession
from streamlit.runtime import app_session

from pages.ui.colours import put_colours_together

SECTIONS = ("theme", "theme.light", "theme.dark", "theme.sidebar", "theme.light.sidebar", "theme.dark.sidebar")


def told() -> NewSession:
    """As AppSession fills the message with which a script begins."""
    message = NewSession()
    for section in SECTIONS:
        app_session._populate_theme_msg(attrgetter(section.replace("theme", "custom_theme", 1))(message), section)
    return message


@pytest.fixture
def read_again(monkeypatch):
    """Tells that the configuration was read again."""
    monkeypatch.setattr(app_session, "_populate_theme_msg", app_session._populate_theme_msg)
    hear = []
    monkeypatch.setattr(config, "on_config_parsed", lambda do, **_: hear.append(do))
    return lambda: [do() for do in hear]


def test_it_is_what_streamlit_tells(read_again):
    as_streamlit = told()
    put_colours_together()
    assert as_streamlit.custom_theme.light.primary_color
    assert told() == as_streamlit
    assert told() == as_streamlit


def test_a_section_that_says_nothing_is_left_out(read_again, monkeypatch):
    monkeypatch.setattr(config, "get_options_for_section", lambda _: {})
    put_colours_together()
    assert not told().HasField("custom_theme")


def test_the_options_are_looked_through_once_and_again_when_they_were_read_anew(read_again, monkeypatch):
    asked, options = [], config.get_options_for_section
    monkeypatch.setattr(config, "get_options_for_section", lambda section: asked.append(section) or options(section))
    put_colours_together()
    for _ in range(3):
        told()
    assert sorted(asked) == sorted(SECTIONS)
    read_again()
    told()
    assert len(asked) == 2 * len(SECTIONS)
