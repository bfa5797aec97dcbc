"""What a run of the whole page drew is on its way to the browser before a part of it is drawn again.

Streamlit sends what was drawn every few milliseconds. When a part is drawn again before that, the messages of its last drawing
are thrown away, but not those of a part within it: these would come to a place that is not there yet ("Bad delta path index"),
and all would go white.
"""

import asyncio
import contextlib
from collections.abc import Iterator

from streamlit.runtime import runtime

from pages.ui.in_line import line

PATIENCE = 5.0  # seconds: a server that is so far behind has other worries
TURNS = 5  # of the event loop, from waking what sends to its sending
_loops: list[asyncio.AbstractEventLoop] = []  # the server's, while it serves


@contextlib.contextmanager
def sends() -> Iterator[None]:
    """The running event loop sends, from here to the end."""
    loop = asyncio.get_running_loop()
    _loops.append(loop)
    try:
        yield
    finally:
        _loops.remove(loop)


def sent() -> None:
    """Return when the server has come to send what was drawn until now. Without a server there is nobody to send it."""
    line.leave()  # meanwhile another page can be drawn
    if _loops:
        with contextlib.suppress(TimeoutError):
            asyncio.run_coroutine_threadsafe(_flushed(), _loops[-1]).result(PATIENCE)


async def _flushed() -> None:
    await asyncio.sleep(2 * runtime.MESSAGE_FLUSH_INTERVAL_SECS)
    for _ in range(TURNS):
        await asyncio.sleep(0)
