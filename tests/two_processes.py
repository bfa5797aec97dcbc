"""All tests in two processes, with one Chromium at a time: who runs what, and in which order.

One process begins with the tests in a browser, the other with the rest. The longest in a browser stand at the end, for the
process that is through first.
"""

from xdist.scheduler import LoadScopeScheduling

BROWSER = "tests/browser/"
LONGEST = tuple(f"{BROWSER}test_{name}.py" for name in ("presses", "widths"))  # files whose every test is one of the longest


class OneBrowser(LoadScopeScheduling):
    """The tests in a browser are one piece of work, any other test is one of its own; handed out as they are ordered."""

    def _split_scope(self, nodeid: str) -> str:
        return BROWSER if place(nodeid) == 0 else nodeid


def place(nodeid: str) -> int:
    """Where in the order of all tests this one has to run: the earliest is 0."""
    if nodeid.startswith(LONGEST):
        return 2
    return 0 if nodeid.startswith(BROWSER) else 1
