"""The run as files: downloads of a checkpoint, a script and a table (CSV), and the upload of a saved checkpoint."""

from collections.abc import Callable
from typing import NamedTuple

import streamlit as st

from core.config.language import gettext as _, lazy_gettext, sentences
from core.text.corpus import source_of
from core.training.checkpoint.checkpoint import LARGEST_FILE, load, save
from core.training.checkpoint.conversion import to_checkpoint
from core.training.history import as_csv
from core.training.run.scheduler import compute
from core.training.script.script import archive
from pages.app.layout import elements
from pages.app.layout.fragment import draw_fragment
from pages.app.session.session import Session
from pages.app.widgets.reader_language import in_reader_language
from pages.content.guide import HINTS

REFUSED = "run_file_refused"  # key of {id of a file that could not be opened: error}, shown until the file is removed
MADE = "files_made"


class Offer(NamedTuple):
    """A kind of file that the run can be downloaded as.

    ``make`` returns the file's name and content; it raises ``ValueError`` with a message if the file cannot be made.
    """

    button: str
    description: Callable[[Session], str]
    make: Callable[[Session], tuple[str, bytes]]


def show(session: Session) -> None:
    """Draw the downloads of the run side by side, and the upload of a checkpoint below them."""
    elements.heading(_("Take it home"), _("the run as it is now, in files"))
    elements.hint(HINTS["training"]["run_files"])
    for column, offer in zip(st.columns(len(OFFERS), gap="medium"), OFFERS, strict=True):
        with column:
            draw_fragment(download, session, offer)
    opening(session)


def download(session: Session, offer: Offer) -> None:
    """Draw the button that makes a file and, once it is made, the download button, until the page is left or the run replaced.

    The download button is drawn at every rerun: Streamlit deletes a file to which no page refers any more after the next script
    runs of any sessions, even between a click and the start of the download.
    """
    elements.note(offer.description(session))
    made = _made(session)
    if st.button(_(offer.button)):
        try:
            made[offer.button] = offer.make(session)
        except ValueError as error:
            made.pop(offer.button, None)
            elements.notice(str(error))
    if offer.button in made:
        elements.download(*made[offer.button])


def _made(session: Session) -> dict[str, tuple[str, bytes]]:
    """The name and content of each file made of this run since the page was opened, by the label of its button."""
    of = (session.navigation.visits, session.monitored.serial)
    if st.session_state.get(MADE, (None, {}))[0] != of:
        st.session_state[MADE] = of, {}
    return st.session_state[MADE][1]


def checkpoint_file(session: Session) -> tuple[str, bytes]:
    """A checkpoint of the run, with everything that is needed to resume training."""
    run, own_text = session.monitored, session.own_text
    checkpoint = compute(lambda: to_checkpoint(run, own_text))
    return f"run-update-{checkpoint.document['step']}.safetensors", compute(lambda: save(checkpoint))


def script_file(session: Session) -> tuple[str, bytes]:
    """The script of the run so far, and the text it reads, in a zip archive."""
    run, own_text = session.monitored, session.own_text
    return "run-script.zip", compute(lambda: archive(run.settings, run.corpus, own_text, run.step, list(run.history.flags)))


def metrics_file(session: Session) -> tuple[str, bytes]:
    """The curves of the run so far as comma-separated values."""
    run = session.monitored
    table = compute(lambda: as_csv(run.history, run.settings, on_training_text=run.held_out.on_training_text))
    return "run-metrics.csv", table.encode()


def _checkpoint_description(session: Session) -> str:
    checkpoint = _("A checkpoint: network, optimiser, settings, curve. Opened below, it goes on bit for bit.")
    return sentences(checkpoint, _own(session))


def _script_description(session: Session) -> str:
    script = _(
        "One file of NumPy that trains this network anew, moves of knobs included, and judges it at the end: the same "
        "perplexities. Left out: curves, samples and going back."
    )
    drift = "" if session.settings.dtype == "float64" else _("In float32 rounding adds up.")
    return sentences(script, drift, _own(session))


def _metrics_description(session: Session) -> str:
    return _("A table of every point of the curves, and every knob that was moved: for a spreadsheet, or pandas.")


def _own(session: Session) -> str:
    return _("Your own text is in it.") if source_of(session.settings).from_reader else ""


OFFERS = (
    Offer(lazy_gettext("Make a checkpoint"), _checkpoint_description, checkpoint_file),
    Offer(lazy_gettext("Make a script"), _script_description, script_file),
    Offer(lazy_gettext("Make a table (CSV)"), _metrics_description, metrics_file),
)


def opening(session: Session) -> None:
    """Draw the upload of a checkpoint. If it cannot be opened, the error is shown beside it and the run stays."""
    key = f"run_file_{session.monitored.serial}"  # per run: after a file was opened, the uploader is empty
    upload = st.session_state.get(key)
    why = st.session_state.get(REFUSED, {}).get(upload.file_id, "") if upload else ""
    with st.expander(_("Open a checkpoint"), expanded=bool(why)):
        elements.note(_("The run that is here now stays as a ghost. The one that is opened waits for Play."))
        st.file_uploader(_("A file that was downloaded here (.safetensors)"), key=key, max_upload_size=LARGEST_FILE // 2**20)
        # Disabled until the upload is complete.
        st.button(_("Open this run"), on_click=_open, args=(session, key), disabled=not upload)
        elements.notice(*filter(None, [_(why)]))


@in_reader_language
def _open(session: Session, key: str) -> None:
    upload = st.session_state.get(key)
    if not upload:  # removed while the button was pressed
        return
    file_id, data = upload.file_id, upload.getvalue()
    session.resume(lambda: load(data), lambda why: st.session_state.update({REFUSED: {file_id: why}}))
