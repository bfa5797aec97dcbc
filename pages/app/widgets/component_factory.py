"""Registers browser components: returns a draw function for each folder with a .js and a .css file.

The browser loads the scripts and styles of all components once, by HTTP (``static_assets.py``). With every update Streamlit sends
only one line of script and the data, as compact JSON in bytes: it would serialize a dict twice, with blanks and escapes. A
component is hidden until its style sheet is loaded, so it is never seen unstyled.

A message from the browser is ``{"value": ..., "count": ...}``. The data contain the highest count that was handled: until a
message is acknowledged in this way, the browser sends no other message of that component, and may send this one again
(``components/shared/channel.js``). A count that was handled is not handled again. The data also contain when they were drawn:
the first ones may wait for the script to load, and a browser then hands them over in any order (``components/shared/mount.js``).
"""

import json
import math
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any

import streamlit as st

from core.config.language import language
from core.text.tokenizer import whole_characters
from pages.app.server.page_recording import record
from pages.app.server.static_assets import COMPONENTS_SCRIPT, PLOTLY, url_of
from pages.app.widgets.reader_language import restore_language
from pages.app.widgets.rerun import OpenPage, open_page, rerun_page

Kind = Mapping[str, type] | type | None  # of a message: values by name, one value, or none; object: any or none
DataType = Mapping[str, Any] | type  # a TypedDict, or its items
DATA_TYPES: dict[str, DataType] = {}  # component name -> type of its data
EVENTS: dict[str, Mapping[str, Kind]] = {}  # component name -> its events


def component(
    name: str,
    data_type: DataType,
    *,
    events: Mapping[str, Kind] = MappingProxyType({}),
    parts: Sequence[str] = (),
    plots: bool = False,
) -> Callable[..., None]:
    """The function ``draw(data, key=name, on_<event>=...)`` of the component in ``components/<name>/``.

    ``data_type`` declares the types of its data, against which the script is checked (``components/data.d.ts``). ``events`` are
    its events: ``{"move": {"name": str, "place": int}}`` calls ``on_move(name, place)`` before the page is rerun. Messages with
    other types, which our script never sends, are ignored. ``parts`` are components nested in this component. ``plots``:
    whether it draws with plotly, which the browser then fetches in parallel with our own script. Other components have a shadow
    root of their own, which plotly does not support.
    """
    DATA_TYPES[name], EVENTS[name] = data_type, events
    url = f'new URL("{url_of(COMPONENTS_SCRIPT)}", document.baseURI)'
    script = f'export default (c) =>\n  import({url}).then((m) => m.default(c, "{name}"));'
    mount = st.components.v2.component(name, html=_html(name, parts, plots), js=script, isolate_styles=not plots)

    def draw(data: Any, *, key: str = name, **listeners: Callable[..., Any]) -> None:
        record("component", name=name, key=key, data=data, parts=parts, isolated=not plots, asks=bool(events))
        written = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
        drawn = time.time_ns() // 1000  # noqa: TID251 - µs; a tab compares it with the time of a server before this one, too
        sent = f"{drawn} {answered_counts().get(key, 0)} {language()}\n{written}".encode(errors="replace")
        page = open_page()
        callbacks = {
            f"on_{event}_change": partial(_handle, key, event, kind, listeners.pop(f"on_{event}", None), page)
            for event, kind in events.items()
        }
        if listeners:
            raise TypeError(f"{name} has no event for {', '.join(listeners)}; it has {', '.join(events) or 'none'}.")
        mount(data=sent, key=key, **callbacks)

    return draw


def _html(name: str, parts: Sequence[str], plots: bool) -> str:
    within = "".join(f'<div class="framed"><div class="component {part}"></div></div>' for part in parts)
    preload = f'<link rel="preload" as="script" fetchpriority="low" href="{url_of(PLOTLY)}">' if plots else ""
    return f'{preload}<div class="framed"><div class="component {name}" style="visibility:hidden">{within}</div></div>'


def answered_counts() -> dict[str, int]:
    """Component key -> highest count of the messages that this session has handled."""
    return st.session_state.setdefault("answered", {})


def _handle(key: str, event: str, kind: Kind, listener: Callable[..., Any] | None, page: OpenPage | None) -> None:
    """Pass the newest message of a component, which was drawn on ``page``, on to the listener."""
    message = _new_message(key, event)
    if message:
        restore_language()
        answered_counts()[key] = message["count"]  # first, as a listener may end the script
        values = event_values(message["value"], kind)
        if listener and values is not None:
            listener(*values)
    # If another page was opened since the component was drawn, Streamlit would draw the page before in its place, also for a
    # message that is sent again; and the new page was drawn before the message was handled. Fragments are not rerun by their
    # keys: while a page is being opened, Streamlit would drop the run of that page and draw fragments of the page before instead.
    now = open_page()
    if now and page and now.page.url_path != page.page.url_path:
        rerun_page()


def _new_message(key: str, event: str) -> dict[str, Any] | None:
    """The newest message of a component; None if our script has not sent it, or it was sent again before it was acknowledged."""
    message = getattr(st.session_state.get(key), event, None)  # no state if another page was opened just after the event
    if not isinstance(message, dict) or "value" not in message or not _is(message.get("count"), int):
        return None
    return message if message["count"] > answered_counts().get(key, 0) else None


def event_values(message: Any, kind: Kind) -> tuple | None:
    """The values in a message from the browser, in the declared order; None if the message is not of this kind."""
    if kind is None:
        return ()
    if not isinstance(kind, Mapping):
        message, kind = {"": message}, {"": kind}
    if not isinstance(message, dict) or not all(_is(message.get(name), one) for name, one in kind.items()):
        return None
    values = (message.get(name) for name in kind)
    return tuple(whole_characters(value) if isinstance(value, str) else value for value in values)


def _is(value: Any, kind: Any) -> bool:
    if isinstance(value, bool):
        return kind in (bool, object)
    if kind is float:
        return isinstance(value, int | float) and math.isfinite(value)
    return isinstance(value, kind)
