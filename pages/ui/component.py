"""How a browser component is registered: a folder with its .js and .css becomes a function that draws it and hears it.

The script and the style go to the browser once, by HTTP (``assets.py``); what Streamlit sends with every update is one
line of script and the data, as compact JSON in bytes: given a dict, Streamlit writes it twice, with blanks and escapes. A
component is hidden until its style is there, so nothing is ever seen half-dressed. With the data goes their number: while a
script is on its way to the browser, what is to be drawn may come to it in any order.
"""

import json
import math
import time
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.text.cleaning import whole_characters
from pages.ui.assets import components_url

Kind = Mapping[str, type] | type | None  # of what a message carries: values by name, one value, or nothing; object: any or none


def component(
    name: str, *, hears: Mapping[str, Kind] = MappingProxyType({}), parts: Sequence[str] = (), isolated: bool = True
) -> Callable[..., None]:
    """The function ``draw(data, key=name, on_<event>=...)`` of the component in ``components/<name>/``.

    ``hears`` declares its events: ``{"move": {"name": str, "place": int}}`` calls ``on_move(name, place)`` before the page is
    drawn again. What does not have the types declared, because it did not come from our script, is not heard. ``parts`` are
    other components that it draws within itself. ``isolated`` components live in a shadow root of their own; plotly cannot.
    """
    url = components_url()
    mount_js = f'new URL("{url}/shared/mount.js", document.baseURI)'
    script = f'export default (c) =>\n  import({mount_js}).then((m) => m.default(c, "{name}"));'
    links = "".join(f'<link rel="stylesheet" href="{url}/{one}/{one}.css">' for one in (name, *parts))
    within = "".join(f'<div class="framed"><div class="paper {part}"></div></div>' for part in parts)
    html = f'{links}<div class="framed"><div class="paper {name}" style="visibility:hidden">{within}</div></div>'
    mount = st.components.v2.component(name, html=html, js=script, isolate_styles=isolated)

    def draw(data: Any, *, key: str = name, **listeners: Callable[..., Any]) -> None:
        written = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
        sent = f"{_number(key, written)}\n{written}".encode(errors="replace")
        heard = {
            f"on_{event}_change": _hearer(key, event, kind, listeners.pop(f"on_{event}", None)) for event, kind in hears.items()
        }
        if listeners:
            raise TypeError(f"{name} has no event for {', '.join(listeners)}; it has {', '.join(hears) or 'none'}.")
        try:
            mount(data=sent, key=key, **heard)
        except KeyError:  # Streamlit's own: a newer script of this session runs already, and forgets what this one holds
            st.stop()

    return draw


def _number(key: str, written: str) -> int:
    """The number of what a component of this session is sent: newer data have a higher one, the same data the same, as Streamlit
    does not send anew what a browser has. Numbers are times in ms: they go on where a new server takes over the tab.
    """
    sent = st.session_state.setdefault("sent", {})
    before, number = sent.get(key, (None, 0))
    if (now := hash(written)) != before:
        number = max(number + 1, time.time_ns() // 1_000_000)
        sent[key] = now, number
    return number


def _hearer(key: str, event: str, kind: Kind, listener: Callable[..., Any] | None) -> Callable[[], None]:
    def heard() -> None:
        state = st.session_state.get(key)  # gone where the page was turned just after the press
        values = told(getattr(state, event, None), kind)
        if listener and values is not None:
            listener(*values)
            if not _drawn_again():
                st.rerun()

    return heard


def _drawn_again() -> bool:
    """Whether what was pressed is drawn after this: Streamlit leaves it out where the page has been turned since the press, and
    the new page, drawn before that was heard, would never know of it."""
    script = get_script_run_ctx()
    parts = script and script.fragment_ids_this_run
    return not parts or any(map(script.fragment_storage.contains, parts))


def told(message: Any, kind: Kind) -> tuple | None:
    """The values in a message from the browser, in the order declared; None where it is not of this kind."""
    if kind is None:
        return ()
    if not isinstance(kind, Mapping):
        message, kind = {"": message}, {"": kind}
    if not isinstance(message, dict) or not all(_is(message.get(name), one) for name, one in kind.items()):
        return None
    return tuple(_whole(message.get(name)) for name in kind)


def _whole(value: Any) -> Any:
    """Of a text, every half of a character replaced: no address could hold it."""
    return whole_characters(value) if isinstance(value, str) else value


def _is(value: Any, kind: Any) -> bool:
    if isinstance(value, bool):
        return kind in (bool, object)
    if kind is float:
        return isinstance(value, int | float) and math.isfinite(value)
    return isinstance(value, kind)
