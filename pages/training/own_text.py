"""The reader's own text: pasted, or a file, read in the encoding that it is found to be in or that the reader chooses."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import streamlit as st

from core.config.language import gettext as _
from core.config.language import lazy_gettext
from core.config.limits import LIMITS, MEGABYTE
from core.text.corpus import READERS_OWN
from core.text.encoding import ENCODINGS
from core.text.tokenizer import clean
from core.text.upload import MAX_BYTES, describe, read_upload
from pages.app.layout import elements
from pages.app.server.compute_lock import with_compute_lock
from pages.app.session.session import Session
from pages.app.widgets.reader_language import in_reader_language

FORM = "own_text_form"
FIND_OUT = ""  # the choice among encodings that lets the program detect it
BEGINNING, LINES = 160, 3  # of a file: characters and lines that are shown, so that its reader sees whether they are right
EMPTY = lazy_gettext("(nothing)")


class Preview(NamedTuple):
    """What became ``of`` a file in the encoding that is chosen: a sentence, and how the text begins where it is one.

    ``second`` is the encoding that is offered first, where the one that was found is not sure.
    """

    of: tuple[str, str]
    says: str
    begins: str
    second: str


@dataclass
class Form:
    """What is remembered of the form while the tab is open."""

    submitted: tuple[str | None, str] = (None, "")  # the file and the pasted words of the last press
    trained: str | None = None  # the file that was read for the last run on a text of the reader's own, if one was
    preview: Preview | None = None  # of the file that is uploaded now


def form() -> Form:
    """That of this tab."""
    return st.session_state.setdefault(FORM, Form())


def own_text(session: Session) -> None:
    """Where the reader's own text is pasted or uploaded."""
    file, problem = st.session_state.get("uploaded"), session.own_text_problem
    with st.expander(_("Bring your own text"), expanded=session.pending.name == READERS_OWN or bool(file or problem)):
        st.text_area(_("Paste it here"), key="pasted", height=120, max_chars=LIMITS.pasted_characters)
        file = st.file_uploader(_("or upload a file"), key="uploaded", max_upload_size=MAX_BYTES // MEGABYTE)
        refused = _encoding(session, file) if file else ""
        st.button(_("Train on this text"), on_click=_train, args=(session, session.monitored.serial))
        elements.notice(*filter(None, dict.fromkeys((refused, problem))))  # both say the same of a file that is no text


def _encoding(session: Session, file: Any) -> str:
    """Which encoding a file is read in, and how it begins then; gives back why it cannot be read, if so."""
    preview = _preview(file)
    st.selectbox(
        _("Encoding"),
        [FIND_OUT, *sorted(ENCODINGS, key=lambda name: name != preview.second)],
        format_func=lambda name: _(ENCODINGS[name]) if name in ENCODINGS else _("find it out"),
        key=_key(file),
        on_change=_read_again,
        args=(session,),
    )
    if not preview.begins:
        return preview.says
    elements.note(_(preview.says))
    st.code(_(EMPTY) if preview.begins is EMPTY else preview.begins, language=None, wrap_lines=True)
    return ""


def _key(file: Any) -> str:
    """Each file has a choice of its own."""
    return f"encoding of {file.file_id}"


def _preview(file: Any) -> Preview:
    """What there is to see of a file; remembered, for every press draws the page anew."""
    of, known = (file.file_id, st.session_state.get(_key(file), FIND_OUT)), form()
    before = known.preview
    if not before or before.of != of:
        known.preview = _read(of, file.getvalue(), before.second if before and before.of[0] == file.file_id else "")
    return known.preview


def _read(of: tuple[str, str], data: bytes, second: str) -> Preview:
    """``second`` is what was found of this file before: the choices stay in their order while one after another is tried."""
    try:
        found = with_compute_lock(lambda: read_upload(data, of[1]))
    except ValueError as error:
        return Preview(of, str(error), "", second)
    begins = "\n".join(clean(found.text[:BEGINNING], "keep").strip().split("\n")[:LINES])
    return Preview(of, describe(found), begins or EMPTY, found.second or second)


@in_reader_language
def _train(session: Session, drawn_with: int) -> None:
    """Start a run on the uploaded file or on the pasted text, whichever is new.

    Not where there is another run than when the button was drawn: a press before this one has started it, and the page is
    about to show it.
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
        _start(session, words, None)


@in_reader_language
def _read_again(session: Session) -> None:
    """Another encoding was chosen: what trains on the file starts anew with it."""
    file = st.session_state.get("uploaded")
    if file and form().trained == file.file_id and session.settings.corpus == READERS_OWN:
        _train_on(session, file)


def _train_on(session: Session, file: Any) -> None:
    try:
        found = with_compute_lock(lambda: read_upload(file.getvalue(), st.session_state.get(_key(file), FIND_OUT)))
    except ValueError as error:
        session.refuse_own_text(str(error))
    else:
        _start(session, found.text, file.file_id)


def _start(session: Session, words: str, file: str | None) -> None:
    remembered = form()
    session.start_own_text(words)
    if not session.problem:
        remembered.trained = file
