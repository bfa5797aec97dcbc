"""What a link asks for survives it; any query string becomes a valid run; and no link is too long."""

import string
from urllib.parse import parse_qs, parse_qsl, urlsplit

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.config import link as links
from core.config.link import (
    FURTHEST,
    HIDE,
    HIDEABLE,
    LONGEST,
    MOMENT,
    NAME,
    PRESENT,
    ROOM,
    SCENE,
    Asked,
    link,
    read,
    shortened,
    spelled,
    written,
)
from core.config.settings import KNOBS, Settings
from pages.app.navigation.url_state import LONGEST as LONGEST_TYPED
from pages.app.navigation.url_state import PLACE
from tests.core.any_settings import any_settings, any_value

AT = "https://" + "x" * (LONGEST - ROOM - 9)
hidden = st.sets(st.sampled_from(HIDEABLE)).map(lambda some: tuple(name for name in HIDEABLE if name in some))
scene = st.just("") | st.from_regex(NAME, fullmatch=True)
anything_asked = st.builds(Asked, any_settings, st.integers(0, FURTHEST), hidden, st.booleans(), scene)
names = st.sampled_from([*KNOBS, *PLACE, HIDE, MOMENT, PRESENT, SCENE])
typed_texts = st.dictionaries(st.sampled_from(["typed", "prompt", "beginning"]), st.text(max_size=LONGEST_TYPED))
texts = any_value | st.lists(st.sampled_from(HIDEABLE) | st.text()).map(",".join)
query_strings = st.text() | st.dictionaries(names | st.text(), texts, max_size=20).map(
    lambda query: "&".join(f"{name}={text}" for name, text in query.items())
)


@given(anything_asked)
def test_what_is_asked_for_survives_the_link(asked):
    there, left_out = link(AT, written(asked))
    assert left_out == []
    assert read(dict(parse_qsl(urlsplit(there).query, strict_parsing=bool(written(asked))))) == (asked, [])


@given(query_strings)
@example("&".join(f"{name}={'9' * 5000}" for name in KNOBS))
@example("hide=" + "%00," * 1000)
@example("a=%ff&a=%d7%ff&update=%F0%9F")
def test_any_query_string_asks_for_a_valid_run_and_its_own_link_is_short(query_string):
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
@example(Asked(), {"typed": "~é&=<b> "})
def test_a_link_that_is_too_long_leaves_out_typed_texts_and_never_the_run(asked, texts):
    there, left_out = link(AT, written(asked) | texts)
    assert len(there) <= LONGEST
    assert set(left_out) <= set(texts)
    assert set(spelled(texts)) <= {*string.ascii_letters, *string.digits, *"-._=+%&"}  # nothing that browsers escape again
    kept = dict(parse_qsl(urlsplit(there).query, keep_blank_values=True))
    assert all(kept[name] == text for name, text in texts.items() if name not in left_out)


def test_the_longest_values_of_all_settings_fit_and_the_longest_texts_are_left_out():
    longest = {name: max(map(str, knob.choices), key=len, default="-1.2345678901234567e-308") for name, knob in KNOBS.items()}
    assert len(spelled(longest | {MOMENT: str(FURTHEST), PRESENT: "1", HIDE: ",".join(HIDEABLE), SCENE: "x" * 40})) < ROOM
    query = {"seed": "1", "typed": "é" * 500, "prompt": "x" * 900}
    assert shortened(query) == ({"seed": "1", "prompt": "x" * 900}, ["typed"])
    assert shortened(query, 20) == ({"seed": "1"}, ["typed", "prompt"])
    room = len(spelled(query))
    assert shortened(query, room) == (query, [])
    assert shortened(query, room - 1)[1] == ["typed"]


@pytest.mark.parametrize(("query", "asked", "notices"), [
    ({HIDE: ""}, Asked(), 0), ({HIDE: " Bar , SIDEBAR,,bar"}, Asked(hidden=("sidebar", "bar")), 0),
    ({HIDE: "everything"}, Asked(), 1), ({HIDE: "knobs,<script>,x"}, Asked(hidden=("knobs",)), 1),
    ({PRESENT: " Yes"}, Asked(presented=True), 0), ({PRESENT: "0"}, Asked(), 0), ({PRESENT: "large"}, Asked(), 1),
    ({SCENE: "cut<b>"}, Asked(), 1), ({MOMENT: str(FURTHEST + 1)}, Asked(), 1),
])  # fmt: skip
def test_parameters_beside_the_settings_and_notices_for_invalid_ones(query, asked, notices):
    found, said = read(query)
    assert found == asked
    assert len(said) == notices


def test_addresses_of_this_machine_only():
    for host in ("localhost:8501", "127.0.0.1:8501", "127.1.2.3", "[::1]:8501", "rnn.localhost"):
        assert links.only_for_this_machine(f"http://{host}/unrolled")
    for host in ("192.168.1.20:8501", "rnn.example.org/lecture", "localhost.example.org", "[::1", ""):
        assert not links.only_for_this_machine(host and f"http://{host}/")
