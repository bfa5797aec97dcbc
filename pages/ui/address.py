"""The address of the page: a link opens the same run, and the same section and text of the same page.

The settings of the run are the larger part of it (``core.settings``); this is the rest, what a page adds of its own.
"""

from collections.abc import Collection

from pages.ui.state import Stage, write_url


def asked_for(here: Stage, name: str, offered: Collection[str]) -> str:
    """What the address asks for under ``name``; the first that this page offers, where it asks for nothing there is."""
    first = next(iter(offered))
    wanted = here.place.get(name, first)
    if wanted in offered:
        return wanted
    here.place.pop(name)
    here.notices.append(f"There is no {name} called {wanted[:40]!r} on this page.")
    return first


def follow(here: Stage, name: str, chosen: str, offered: Collection[str]) -> None:
    """From now on the address opens ``chosen``; it need not say so if that is the first."""
    if chosen == next(iter(offered)):
        here.place.pop(name, None)
    else:
        here.place[name] = chosen
    write_url(here)
