"""A text that was chosen and lies on the internet: what it is, a button that fetches it, and how far it is."""

import streamlit as st

from core.config.language import gettext as _
from core.config.language import sentences
from core.figures.parts import words
from core.figures.parts.numbers import amount
from core.text.downloads import Arrival, arrival, begin
from core.text.remote import REMOTES
from pages.app.layout import elements
from pages.app.navigation.auto_refresh import auto_refresh
from pages.app.session.session import Session

EVERY = 0.5  # seconds between two reruns while it is downloaded


def fetching(session: Session) -> None:
    """Below the choice of texts, while one that has to be fetched is wanted."""
    name = session.pending.name
    if name in REMOTES:
        auto_refresh(_show, lambda: arrival(name).state == "coming", EVERY, session, name)


def _show(session: Session, name: str) -> None:
    now = arrival(name)
    if now.state == "here":
        _train_on(session, name)
    elif now.state == "coming":
        _how_far(name, now)
    else:
        _offer(session, name, now)


def _offer(session: Session, name: str, now: Arrival) -> None:
    """What it is, what became of the last try, and the button."""
    remote = REMOTES[name]
    elements.notice(*filter(None, [_(now.said)]))
    elements.note(sentences(_(remote.about), _("It is not on this server yet: it is fetched once, for everybody, and kept.")))
    download = _("Download {text} ({size}B)", text=words.value("corpus", name), size=amount(remote.size))
    st.button(_("Try again") if now.said else download, key=f"fetch_{name}", on_click=begin, args=(name,))


def _how_far(name: str, now: Arrival) -> None:
    of = REMOTES[name].size
    come = min(now.bytes, of)
    text = words.value("corpus", name)
    st.progress(come / of, _("{text}: {n} of {many} kB", text=text, n=come // 1000, many=of // 1000))


def _train_on(session: Session, name: str) -> None:
    """It has come: it trains, up to where a link asked."""
    before, update = session.run, session.pending.update
    session.start(session.settings.but(corpus=name))
    session.wait_for_text("")  # also where it was refused: that is said, and not tried again by itself
    if session.run is not before:
        session.run.play(update)
    st.rerun()
