"""The reader's own text: pasted, or uploaded as a file in a detected or chosen encoding."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import streamlit as st

from core.config.language import gettext as _, lazy_gettext, sentences
from core.config.limits import LIMITS, MEGABYTE
from core.text.corpus import READERS_OWN
from core.text.encoding import ENCODINGS
from core.text.tokenizer import clean
from core.text.upload import MAX_TEXT_BYTES, describe, read_upload
from core.training.run.scheduler import Job, start_outside
from pages.app.layout import elements
from pages.app.navigation.auto_refresh import show_progress
from pages.app.server.setup_lock import with_setup_lock
from pages.app.server.shared_cache import StillComputing, awaited, drawn_later
from pages.app.session.session import Session
from pages.app.session.session_run import OwnText
from pages.app.widgets.reader_language import in_reader_language

FORM = "own_text_form"
AUTO_DETECT = ""  # the encoding option for automatic detection
BEGINNING, LINES = 160, 3  # characters and lines of a file's preview, which shows whether the encoding is right
EMPTY = lazy_gettext("(nothing)")


class Preview(NamedTuple):
    """A preview. ``message``: how the file was read, or the error; ``excerpt``: "" after an error."""

    message: str
    excerpt: str


@dataclass
class Form:
    """The state of the form while the tab is open."""

    submitted: tuple[str | None, str] = (None, "")  # file id and pasted text at the last press of the button
    trained: str | None = None  # id of the file of the last run on the reader's own text; None if it was pasted
    previewed: tuple[str, str] = ("", "")  # file id and encoding of the preview
    preview: Job[Preview] | None = None  # of the currently uploaded file


def form() -> Form:
    """The state of the form in this tab."""
    return st.session_state.setdefault(FORM, Form())


def show(session: Session) -> None:
    """Draw the form in which the reader pastes or uploads a text."""
    file, problem = st.session_state.get("uploaded"), session.own_text_problem
    with st.expander(_("Bring your own text"), expanded=session.pending.name == READERS_OWN or bool(file or problem)):
        st.text_area(_("Paste it here"), key="pasted", height=120)
        file = st.file_uploader(_("or upload a file"), key="uploaded", max_upload_size=MAX_TEXT_BYTES // MEGABYTE)
        with st.container():  # what comes after it stays as it is
            refused = _encoding(session, file) if file else ""
        st.button(_("Train on this text"), on_click=_train, args=(session, session.monitored.serial))
        elements.notice(*filter(None, dict.fromkeys((refused, _(problem)))))  # for a file that is no text both are the same
        if problem:
            remedy(session)


def remedy(session: Session) -> None:
    """Draw the button that trains with values that fit a text which was too short for those chosen."""
    if session.remedy:
        fitting, _own_text = session.remedy
        label = _("Train with N = {N} and T = {T}, which fit this text", N=fitting.batch_size, T=fitting.num_steps)
        st.button(label, on_click=in_reader_language(session.start_remedy), key="remedy")


def _encoding(session: Session, file: Any) -> str:
    """Draw the select of the encoding and the preview. Returns the error if the file cannot be read, else an empty string."""
    st.selectbox(
        _("Encoding"),
        [AUTO_DETECT, *ENCODINGS],
        format_func=lambda name: _(ENCODINGS[name]) if name in ENCODINGS else _("find it out"),
        key=_key(file),
        on_change=_read_again,
        args=(session,),
    )
    try:
        with drawn_later():
            preview = _preview(file)
    except StillComputing as reading:
        show_progress(reading.job)
        return ""
    if not preview.excerpt:
        return preview.message
    elements.note(_(preview.message))
    st.code(_(EMPTY) if preview.excerpt is EMPTY else preview.excerpt, language=None, wrap_lines=True)
    return ""


def _key(file: Any) -> str:
    """The key of the encoding select, unique to the file."""
    return f"encoding of {file.file_id}"


def _preview(file: Any) -> Preview:
    """The preview of a file, which is read beside the script, and kept because every event reruns the page."""
    key, known = (file.file_id, st.session_state.get(_key(file), AUTO_DETECT)), form()
    if known.preview is None or known.previewed != key:
        data = file.getvalue()
        known.previewed, known.preview = key, start_outside(lambda: _read(data, key[1]))
    return awaited(known.preview)


def _read(data: bytes, encoding: str) -> Preview:
    """Read a preview of a file."""
    try:
        found = with_setup_lock(lambda: read_upload(data, encoding))
    except ValueError as error:
        return Preview(str(error), "")
    excerpt = "\n".join(clean(found.text[:BEGINNING], "keep").strip().split("\n")[:LINES])
    return Preview(describe(found), excerpt or EMPTY)


@in_reader_language
def _train(session: Session, drawn_with: int) -> None:
    """Start a run on the uploaded file or on the pasted text, whichever is new.

    Do nothing if the run is no longer ``drawn_with``, that of when the button was drawn: an earlier press has started another
    one, which the page is about to show.
    """
    if drawn_with != session.monitored.serial:
        return
    file, words = st.session_state.get("uploaded"), st.session_state.get("pasted") or ""
    name = file.file_id if file else None
    before, form().submitted = form().submitted, (name, words)
    pasted_last = words.strip() and (file is None or ((name, words) != before and name == before[0]))
    if file and not pasted_last:
        _train_on(session, file)
    else:
        _start_pasted(session, words)


def _start_pasted(session: Session, words: str) -> None:
    """Start a run on the beginning of a pasted text. A limit in the browser would drop a longer one without a word."""
    used = words[: LIMITS.pasted_characters]
    notice = ""
    if len(words) > len(used):
        st.session_state["pasted"] = used
        form().submitted = (form().submitted[0], used)
        cut = _("Only the first {used} of {there} characters are used.", used=f"{len(used):,}", there=f"{len(words):,}")
        notice = sentences(cut, _("Upload a longer text as a file."))
    _start(session, used, None, notice)


@in_reader_language
def _read_again(session: Session) -> None:
    """Handle a change of the encoding: restart a run that trains on this file."""
    file = st.session_state.get("uploaded")
    if file and form().trained == file.file_id and session.settings.corpus == READERS_OWN:
        _train_on(session, file)


def _train_on(session: Session, file: Any) -> None:
    data, encoding = file.getvalue(), st.session_state.get(_key(file), AUTO_DETECT)
    _start(session, lambda: with_setup_lock(lambda: read_upload(data, encoding)).text, file.file_id)


def _start(session: Session, words: OwnText, file: str | None, notice: str = "") -> None:
    def begun() -> None:
        if not session.problem:
            form().trained = file
        session.notify(*filter(None, [notice]))

    session.start_own_text(words, begun)
