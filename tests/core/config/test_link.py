"""A link preserves its target; any query string becomes a valid run; no link is too long."""

import string
from urllib.parse import parse_qs, parse_qsl, urlsplit

import pytest
from hypothesis import example, given, strategies as st

from core.config import link as links
from core.config.link import HIDEABLE, LinkTarget, divided, link, parse, parse_query, target_query
from core.config.settings import DEFAULTS, KNOBS, Settings
from pages.app.navigation.url_state import LONGEST_TYPED
from tests.core.any_settings import NUMBERS, any_settings, any_value, values

BEYOND = str(links.FURTHEST_UPDATE + 1)
AT = "https://" + "x" * (links.LONGEST_LINK - links.MAX_QUERY_LENGTH - 9)
hidden = st.sets(st.sampled_from(HIDEABLE)).map(lambda some: tuple(name for name in HIDEABLE if name in some))
scene = st.just("") | st.from_regex(links.KEY_PATTERN, fullmatch=True)
any_target = st.builds(LinkTarget, any_settings, st.integers(0, links.FURTHEST_UPDATE), hidden, st.booleans(), scene)
names = st.sampled_from([*sorted(links.TARGET_PARAMETERS), "section", "text", links.STEP_PARAMETER, links.VIEW])
typed_texts = st.dictionaries(st.sampled_from(["typed", "prompt", "beginning"]), st.text(max_size=LONGEST_TYPED))
texts = any_value | st.lists(st.sampled_from(HIDEABLE) | st.text()).map(",".join)
query_strings = st.text() | st.dictionaries(names | st.text(), texts, max_size=20).map(
    lambda query: "&".join(f"{name}={text}" for name, text in query.items())
)


@given(any_target)
def test_parsing_a_link_restores_its_target(target):
    url, left_out = link(AT, target_query(target))
    assert left_out == []
    assert parse_query(dict(parse_qsl(urlsplit(url).query, strict_parsing=bool(target_query(target))))) == (target, [])


@given(query_strings)
@example("&".join(f"{name}={'9' * 5000}" for name in KNOBS))
@example("&".join(f"{name}=nan" for name in KNOBS) + "&moved=")  # an attribute of Settings that is not a setting
@example("hide=" + "%00," * 1000)
@example("a=%ff&a=%d7%ff&update=%F0%9F")
def test_any_query_string_asks_for_a_valid_run_and_its_own_link_is_short(query_string):
    query = {name: said[-1] for name, said in parse_qs(query_string, keep_blank_values=True).items()}
    target, notices = parse_query(query)
    assert Settings(**{name: getattr(target.settings, name) for name in KNOBS}) == target.settings
    for name in KNOBS.keys() & query.keys():
        try:
            assert getattr(target.settings, name) == parse(name, query[name])
        except ValueError:
            assert getattr(target.settings, name) == getattr(DEFAULTS, name)
    assert target.update in range(links.FURTHEST_UPDATE + 1)
    assert set(target.hidden) <= set(HIDEABLE)
    assert all(notices)
    place = divided(query)[1]
    url, _ = link(AT, target_query(target) | place)
    assert len(url) <= links.LONGEST_LINK
    assert parse_query(divided(dict(parse_qsl(urlsplit(url).query)))[0]) == (target, [])


@given(any_target, typed_texts)
@example(LinkTarget(), {"typed": "~é&=<b> "})
def test_a_link_that_is_too_long_leaves_out_typed_texts_and_never_the_run(target, texts):
    url, left_out = link(AT, target_query(target) | texts)
    assert len(url) <= links.LONGEST_LINK
    assert set(left_out) <= set(texts)
    assert set(links.encoded(texts)) <= {*string.ascii_letters, *string.digits, *"-._=+%&"}  # nothing that browsers escape again
    kept = dict(parse_qsl(urlsplit(url).query, keep_blank_values=True))
    assert all(kept[name] == text for name, text in texts.items() if name not in left_out)


def test_the_longest_values_of_all_settings_fit_and_the_longest_texts_are_left_out():
    longest = {name: max(map(str, knob.choices), key=len, default="-1.2345678901234567e-308") for name, knob in KNOBS.items()}
    longest |= {
        links.MOMENT: str(links.FURTHEST_UPDATE),
        links.PRESENT: "1",
        links.HIDE: ",".join(HIDEABLE),
        links.SCENE: "x" * 40,
    }
    assert len(links.encoded(longest)) < links.MAX_QUERY_LENGTH
    query = {"seed": "1", "typed": "é" * 500, "prompt": "x" * 900}
    assert links.shortened(query) == ({"seed": "1", "prompt": "x" * 900}, ["typed"])
    assert links.shortened(query, 20) == ({"seed": "1"}, ["typed", "prompt"])
    room = len(links.encoded(query))
    assert links.shortened(query, room) == (query, [])
    assert links.shortened(query, room - 1)[1] == ["typed"]


@pytest.mark.parametrize(("query", "target", "notices"), [
    ({links.HIDE: "Scene_bar,"}, LinkTarget(hidden=("scene_bar",)), 0), ({links.HIDE: ""}, LinkTarget(), 0),
    ({links.HIDE: " Bar , SIDEBAR,,bar"}, LinkTarget(hidden=("sidebar", "bar")), 0),
    ({links.HIDE: "everything"}, LinkTarget(), 1), ({links.HIDE: "knobs,<script>,x"}, LinkTarget(hidden=("knobs",)), 1),
    ({links.PRESENT: " Yes"}, LinkTarget(presented=True), 0), ({links.PRESENT: "0"}, LinkTarget(), 0),
    *((query, LinkTarget(), 1) for query in ({links.PRESENT: "large"}, {links.SCENE: "cut<b>"}, {links.MOMENT: BEYOND})),
])  # fmt: skip
def test_parameters_beside_the_settings_and_notices_for_invalid_ones(query, target, notices):
    found, said = parse_query(query)
    assert found == target
    assert len(said) == notices


def test_addresses_of_this_machine_only():
    for host in ("localhost:8501", "127.0.0.1:8501", "127.1.2.3", "[::1]:8501", "rnn.localhost"):
        assert links.only_for_this_machine(f"http://{host}/unrolled")
    for host in ("192.168.1.20:8501", "rnn.example.org/lecture", "localhost.example.org", "[::1", ""):
        assert not links.only_for_this_machine(host and f"http://{host}/")


spelt = any_value | st.integers(1, 6000).map(lambda digits: "9" * digits)


@given(any_settings)
def test_settings_that_the_query_leaves_out_have_their_defaults(settings):
    query = {name: links.to_text(getattr(settings, name)) for name in list(KNOBS)[::2]}
    target, notices = parse_query(query)
    assert notices == []
    for number, name in enumerate(KNOBS):
        assert getattr(target.settings, name) == getattr(DEFAULTS if number % 2 else settings, name)


@given(st.sampled_from(NUMBERS), st.integers(0, 60), st.data())
def test_leading_zeros_do_not_change_a_number(name, zeros, data):
    value = data.draw(values(name).filter(lambda value: value is not None and value >= 0))
    assert parse(name, "0" * zeros + links.to_text(abs(value))) == value
    update = data.draw(st.integers(0, links.FURTHEST_UPDATE))
    assert parse_query({links.MOMENT: "0" * zeros + links.to_text(update)}) == (LinkTarget(update=update), [])


@given(spelt | st.sampled_from(["9" * 5000, BEYOND, "-1", "1.5", "", "none"]))
def test_a_moment_out_of_range_is_refused_with_the_range(text):
    target, notices = parse_query({links.MOMENT: text})
    assert target.update in range(links.FURTHEST_UPDATE + 1)
    assert target == LinkTarget() or not notices
    assert all(str(links.FURTHEST_UPDATE) in sentence and len(sentence) < 200 for sentence in notices)


def test_the_words_of_a_value_are_read_as_the_value():
    for name, value in [(name, value) for name, knob in KNOBS.items() for value in knob.words]:
        assert parse(name, f" {KNOBS[name].words[value].upper()} ") == value
