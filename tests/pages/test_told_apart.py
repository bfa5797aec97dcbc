"""Messages are told apart by what they draw; a component is called as Streamlit would call it."""

from hypothesis import given
from hypothesis import strategies as st
from streamlit.components.v2.bidi_component.main import BidiComponentMixin
from streamlit.elements.lib.utils import compute_and_register_element_id
from streamlit.proto.BidiComponent_pb2 import BidiComponent
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.forward_msg_cache import populate_hash_if_needed

from pages.ui.told_apart import _by_its_key, tell_apart

WORDS = st.text(max_size=4)


def message(body: str, fragment: str, place: int) -> ForwardMsg:
    made = ForwardMsg()
    made.delta.new_element.html.body = body
    made.delta.fragment_id = fragment
    made.metadata.delta_path[:] = [0, place]
    return made


@given(WORDS, WORDS, WORDS, WORDS)
def test_two_messages_are_the_same_where_streamlit_says_so(body, other_body, fragment, other_fragment):
    ours, streamlits = ([message(body, fragment, 0), message(other_body, other_fragment, 1)] for _ in range(2))
    for one in ours:
        tell_apart(one)
    for one in streamlits:
        populate_hash_if_needed(one)
    assert all(one.hash for one in ours)
    assert (ours[0].hash == ours[1].hash) == (streamlits[0].hash == streamlits[1].hash)
    assert [one.metadata for one in ours] == [one.metadata for one in streamlits]  # none is to be kept by the browser


def test_a_hash_that_is_there_stays():
    made = message("drawn", "", 0)
    made.hash = "as it was"
    tell_apart(made)
    assert made.hash == "as it was"


@given(st.binary(max_size=9))
def test_a_component_has_the_name_that_streamlit_would_give_it(data):
    about = {"component_name": "chart", "isolate_styles": True, "width": "stretch", "height": "content"}
    streamlits = BidiComponentMixin._build_bidi_identity_kwargs
    ours, theirs = (
        compute_and_register_element_id(
            "bidi_component",
            user_key="chart",
            key_as_main_identity=True,
            dg=None,
            **build(BidiComponentMixin(), **about, proto=BidiComponent(bytes=data), data=data, default=None),
        )
        for build in (_by_its_key, streamlits)
    )
    assert ours == theirs
