"""Where the messages of a script run refer to elements that a browser does not have."""

from collections import Counter

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg


def delta_path(message: ForwardMsg) -> list[int]:
    return list(message.metadata.delta_path)


def misplaced(messages: list[ForwardMsg]) -> list[list[int]]:
    """The paths that a browser cannot place: it appends one child after another."""
    children, lost = Counter(), []
    for path in (delta_path(message) for message in messages if message.WhichOneof("type") == "delta"):
        for depth in range(1, len(path)):
            parent = tuple(path[:depth])
            if path[depth] > children[parent]:
                lost.append(path)
                break
            children[parent] = max(children[parent], path[depth] + 1)
    return lost
