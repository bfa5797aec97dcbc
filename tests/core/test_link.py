"""What an address asks for survives it; whatever it says, what is read of it is valid; and it never grows too long."""

from urllib.parse import parse_qs, parse_qsl, urlsplit

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.link import (
    HIDE,
    HIDEABLE,
    LONGEST,
    NAME,
    PRESENT,
    ROOM,
    SCENE,
    Asked,
    link,
    only_for_this_machine,
    read,
    shortened,
    spelled,
    written,
)
from core.query import FURTHEST, MOMENT
from core.settings import KNOBS, Settings
from pages.ui.address import LONGEST as LONGEST_TYPED
from pages.ui.address import PLACE
from tests.core.any_settings import any_settings

AT = "https://" + "x" * (LONGEST - ROOM - 9)
hidden = st.sets(st.sampled_from(HIDEABLE)).map(lambda some: tuple(name for name in HIDEABLE if name in some))
scene = st.just("") | st.from_regex(NAME, fullmatch=True)
anything_asked = st.builds(Asked, any_settings, st.integers(0, FURTHEST), hidden, st.booleans(), scene)
names = st.sampled_from([*KNOBS, *PLACE, HIDE, MOMENT, PRESENT, SCENE])
typed_texts = st.dictionaries(st.sampled_from(["typed", "prompt", "beginning"]), st.text(max_size=LONGEST_TYPED))
values = st.text() | st.integers().map(str) | st.floats().map(str) | st.lists(st.sampled_from(HIDEABLE) | st.text()).map(",".join)
query_strings = st.text() | st.lists(st.tuples(names | st.text(), values)).map(
    lambda pairs: "&".join(f"{name}={value}" for name, value in pairs)
)


@given(anything_asked)
def test_what_is_asked_survives_the_link(asked):
    there, left_out = link(AT, written(asked))
    assert left_out == []
    assert read(dict(parse_qsl(urlsplit(there).query, strict_parsing=bool(written(asked))))) == (asked, [])


@settings(max_examples=10_000)
@given(query_strings)
@example("&".join(f"{name}={'9' * 5000}" for name in KNOBS))
@example("hide=" + "%00," * 1000)
@example("a=%ff&a=%d7%ff&update=%F0%9F")
def test_any_query_string_asks_for_a_valid_run_and_its_own_address_is_short(query_string):
    query = {name: said[-1] for name, said in parse_qs(query_string, keep_blank_values=True).items()}
    asked, notices = read(query)
    assert Settings(**{name: getattr(asked.settings, name) for name in KNOBS}) == asked.settings
    assert asked.update in range(FURTHEST + 1)
    assert set(asked.hidden) <= set(HIDEABLE)
    assert all(notices)
    place = {name: text for name, text in query.items() if name in PLACE}
    there, _ = link(AT, written(asked) | place)
    assert len(there) <= LONGEST
    again = {name: said for name, said in parse_qsl(urlsplit(there).query) if name not in PLACE}
    assert read(again) == (asked, [])


@given(anything_asked, typed_texts)
def test_what_a_link_is_too_long_for_is_never_the_run(asked, texts):
    there, left_out = link(AT, written(asked) | texts)
    assert len(there) <= LONGEST
    assert set(left_out) <= set(texts)
    kept = parse_qs(urlsplit(there).query, keep_blank_values=True)
    assert {name: kept[name] for name in texts if name not in left_out} == {
        name: [text] for name, text in texts.items() if name not in left_out
    }


def test_the_longest_spelling_of_every_setting_leaves_room():
    longest = {
        name: max((str(choice) for choice in knob.choices), key=len, default="-1.2345678901234567e-308")
        for name, knob in KNOBS.items()
    }
    assert len(spelled(longest | {MOMENT: str(FURTHEST), PRESENT: "1", HIDE: ",".join(HIDEABLE), SCENE: "x" * 40})) < ROOM


def test_the_longest_texts_are_left_out_first():
    query = {"seed": "1", "typed": "é" * 500, "prompt": "x" * 900}
    assert shortened(query) == ({"seed": "1", "prompt": "x" * 900}, ["typed"])
    assert shortened(query, 20) == ({"seed": "1"}, ["typed", "prompt"])


@given(st.text())
def test_a_browser_that_spells_it_anew_makes_no_query_longer(text):
    assert set(spelled({"typed": text})) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._=+%")


@pytest.mark.parametrize(("said", "read_as", "told"), [
    ("sidebar", ("sidebar",), 0),
    (" Bar , SIDEBAR,,bar", ("sidebar", "bar"), 0),
    ("", (), 0),
    ("everything", (), 1),
    ("knobs,<script>,x", ("knobs",), 1),
])  # fmt: skip
def test_names_of_what_is_hidden(said, read_as, told):
    asked, notices = read({HIDE: said})
    assert asked.hidden == read_as
    assert len(notices) == told


@pytest.mark.parametrize(("said", "presented", "told"), [
    ("1", True, 0),
    (" Yes", True, 0),
    ("0", False, 0),
    ("", False, 1),
    ("large", False, 1),
])  # fmt: skip
def test_whether_it_is_presented(said, presented, told):
    asked, notices = read({PRESENT: said})
    assert asked.presented is presented
    assert len(notices) == told


@pytest.mark.parametrize(("at", "only_here"), [
    ("http://localhost:8501/", True),
    ("http://127.0.0.1:8501/unrolled", True),
    ("http://127.1.2.3/", True),
    ("http://[::1]:8501/", True),
    ("http://rnn.localhost/", True),
    ("http://192.168.1.20:8501/", False),
    ("https://rnn.example.org/lecture/", False),
    ("http://localhost.example.org/", False),
    ("", False),
])  # fmt: skip
def test_an_address_that_others_cannot_open(at, only_here):
    assert only_for_this_machine(at) is only_here
