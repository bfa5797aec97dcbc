"""A part that is drawn again on its own never leaves what follows it without a place."""

from collections import Counter

import pytest
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.testing.v1.local_script_runner import LocalScriptRunner
from streamlit.util import calc_hash

from core.link import PAGES


@pytest.fixture
def sent(monkeypatch):
    """What the last run of the script would have sent to the browser."""
    messages, whole = [], LocalScriptRunner.forward_msgs

    def kept(runner):
        messages[:] = whole(runner)
        return messages

    monkeypatch.setattr(LocalScriptRunner, "forward_msgs", kept)
    return messages


def without(messages: list, fragment: str) -> list:
    """What Streamlit sends of them where this part is drawn again before any was sent."""
    queue = ForwardMsgQueue()
    for message in messages:
        queue.enqueue(message)
    queue.clear(retain_lifecycle_msgs=True, fragment_ids_this_run=[fragment])
    return queue.flush()


def path_of(message) -> list[int]:
    return list(message.metadata.delta_path)


def misplaced(messages: list) -> list[list[int]]:
    """The paths among them that the browser would find no place for: it adds one child after another."""
    children, lost = Counter(), []
    for path in (path_of(message) for message in messages if message.WhichOneof("type") == "delta"):
        for depth in range(1, len(path)):
            parent = tuple(path[:depth])
            if path[depth] > children[parent]:
                lost.append(path)
                break
            children[parent] = max(children[parent], path[depth] + 1)
    return lost


@pytest.mark.parametrize("page", PAGES)
def test_what_follows_a_part_has_its_place_while_the_part_is_drawn_again(page, visit, sent):
    visit("" if page == "training" else calc_hash(page), hidden_size=8, max_tokens=3000)
    messages = list(sent)
    parts = {message.delta.fragment_id for message in messages} - {""}
    assert parts
    assert not misplaced(messages)
    for part in parts:
        within = next(path_of(message) for message in messages if message.delta.fragment_id == part)
        lost = misplaced(without(messages, part))
        assert all(path[: len(within)] == within for path in lost), part  # a part within it is lost with it
