"""A secret of each browser, which protects its sessions: the id of a session alone does not give access to it.

Streamlit reconnects a client to a session if the client sends the session's id and has the same ``st.user`` as the browser that
started it. This middleware passes the browser's secret on in a header, which ``server.trustedUserHeaders`` makes a part of
``st.user``: for a client with another secret or none, Streamlit starts a new session.
"""

import secrets

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "dashboard_browser"  # contains the secret; HttpOnly, so scripts of the page cannot read it
HEADER = "x-dashboard-browser"  # also in .streamlit/config.toml


class BrowserIdentity:
    """ASGI middleware that sets the cookie with a browser's first page, and the header on its websocket connections."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            headers = MutableHeaders(raw=list(scope["headers"]))
            headers[HEADER] = HTTPConnection(scope).cookies.get(COOKIE, "")  # replaces any header sent by the client
            scope = {**scope, "headers": headers.raw}
        elif scope["type"] == "http" and COOKIE not in HTTPConnection(scope).cookies:
            send = _with_cookie(send)
        await self.app(scope, receive, send)


def _with_cookie(send: Send) -> Send:
    """``send`` that sets the cookie with HTML pages only: scripts and styles load in parallel, and each would set another one."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            if headers.get("content-type", "").startswith("text/html"):
                headers.append("Set-Cookie", f"{COOKIE}={secrets.token_urlsafe()}; Path=/; HttpOnly; SameSite=Lax")
        await send(message)

    return sending
