"""What is sent is told apart by Python's own hash of it.

A browser draws a part anew where its hash is another one. Streamlit's hash is one for the whole world, of every message, and of
what every component is sent once more, for a name that nobody asks for where the component has one. While it is found the
interpreter is left to another thread, which may keep it for some milliseconds: at every look at a run, several times.
"""

from typing import Any

from streamlit.components.v2.bidi_component.main import BidiComponentMixin
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.scriptrunner_utils import script_run_context


def tell_apart(message: ForwardMsg) -> None:
    """Give a message that draws something the hash of what it draws; the others need none."""
    if not message.hash and message.WhichOneof("type") == "delta":
        message.hash = f"{hash(message.delta.SerializeToString(deterministic=True)):x}"


def tell_apart_by_python() -> None:
    """From now on, for all sessions. Once per process."""
    script_run_context.populate_hash_if_needed = tell_apart
    BidiComponentMixin._build_bidi_identity_kwargs = _by_its_key


def _by_its_key(_: BidiComponentMixin, *, component_name: str, **__: Any) -> dict[str, Any]:
    """All of ours have a key, beside which Streamlit asks for nothing."""
    return {"component_name": component_name}
