"""The download of the chosen text: its description, a button, and the progress."""

import streamlit as st

from core.config.language import gettext as _, sentences
from core.text.remote import REMOTES, DownloadStatus, download_status, start_download
from pages.app.layout import elements
from pages.app.navigation.auto_refresh import auto_refresh
from pages.app.session.session import Session
from pages.app.widgets.rerun import rerun_page
from pages.figures.parts import words
from pages.figures.parts.numbers import amount

EVERY = 0.5  # seconds between two reruns while it is downloaded


def show(session: Session) -> None:
    """Draw the download below the choice of texts, if the chosen text is not on the server yet."""
    name = session.pending.name
    if name in REMOTES:
        auto_refresh(_show, lambda: download_status(name).state == "downloading", EVERY, session, name)


def _show(session: Session, name: str) -> None:
    status = download_status(name)
    if status.state == "done":
        _train_on(session, name)
    elif status.state == "downloading":
        size, text = REMOTES[name].size, words.value("corpus", name)
        received = min(status.bytes, size)
        st.progress(received / size, _("{text}: {n} of {many} kB", text=text, n=received // 1000, many=size // 1000))
    else:
        _button(name, status)


def _button(name: str, status: DownloadStatus) -> None:
    """Draw the error of the last download, the description of the text, and the button."""
    remote = REMOTES[name]
    elements.notice(*filter(None, [_(status.error)]))
    elements.note(sentences(_(remote.about), _("It is not on this server yet: it is fetched once, for everybody, and kept.")))
    download = _("Download {text} ({size}B)", text=words.value("corpus", name), size=amount(remote.size))
    st.button(_("Try again") if status.error else download, key=f"download_{name}", on_click=start_download, args=(name,))


def _train_on(session: Session, name: str) -> None:
    """Start a run on the downloaded text, and train it to the update in the link, if any."""
    update = session.pending.update
    session.wait_for_text("")  # also if the text is refused: an error is shown, and there is no automatic retry

    def begun() -> None:
        if not session.problem:
            session.open_update(update)

    session.start(session.wanted.but(corpus=name), then=begun)
    rerun_page()
