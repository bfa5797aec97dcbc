"""How a browser component is registered: a folder with its .js and .css becomes a function that mounts it.

The script and the style go to the browser once, by HTTP (``assets.py``); what Streamlit sends with every update is one
line of script and the data, as compact JSON in bytes: given a dict, Streamlit writes it twice, with blanks and escapes. A
component is hidden until its style is there, so nothing is ever seen half-dressed.
"""

import json
from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from pages.ui.assets import components_url


def component(name: str, *, parts: Sequence[str] = (), isolated: bool = True) -> Callable[..., Any]:
    """The mounting function of the component in ``components/<name>/``.

    ``parts`` are other components that it draws within itself. ``isolated`` components live in a shadow root of their own;
    plotly cannot.
    """
    url = components_url()
    mount_js = f'new URL("{url}/shared/mount.js", document.baseURI)'
    script = f'export default (c) =>\n  import({mount_js}).then((m) => m.default(c, "{name}"));'
    links = "".join(f'<link rel="stylesheet" href="{url}/{one}/{one}.css">' for one in (name, *parts))
    within = "".join(f'<div class="paper {part}"></div>' for part in parts)
    html = f'{links}<div class="paper {name}" style="visibility:hidden">{within}</div>'
    mount = st.components.v2.component(name, html=html, js=script, isolate_styles=isolated)

    def mount_with(*, data: Any, **options: Any) -> Any:
        return mount(data=json.dumps(data, separators=(",", ":"), ensure_ascii=False).encode(errors="replace"), **options)

    return mount_with
