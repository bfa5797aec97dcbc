"""A script begins and ends in good order also while another one of its session is on its way out.

Where a whole page is wished for Streamlit begins at once; the script before ends at its next word, and each has a lock of its own
around what both share. Who went through all that a session holds, as every script does where it begins and where it ends, failed
if just then the other one added something: the reader saw an error for a page.
"""

from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import Any

from streamlit.runtime.state import SessionState

GOES_THROUGH_ALL = ("_keys", "_reset_triggers", "_remove_stale_widgets")  # each may be done again
TRIES = 100


def again(go_through: Callable[..., Any]) -> Callable[..., Any]:
    """``go_through(...)``, once more where what it goes through has changed meanwhile."""

    @wraps(go_through)
    def gone_through(*what: Any) -> Any:
        for _ in range(TRIES):
            with suppress(RuntimeError):
                return go_through(*what)
        return go_through(*what)

    return gone_through


def bear_two_scripts() -> None:
    """From now on, in all sessions. Once per process."""
    for name in GOES_THROUGH_ALL:
        setattr(SessionState, name, again(getattr(SessionState, name)))
