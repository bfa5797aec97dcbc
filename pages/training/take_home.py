"""Take it home: the run as a file, and a run that was saved opened again."""

from typing import NamedTuple

import streamlit as st

from core.figures.parts.numbers import amount, count
from core.text.corpus import source_of
from core.training.checkpoint import load, save
from core.training.keep import kept
from core.training.safe_file import LARGEST
from pages.ui import frame
from pages.ui.state import Stage
from pages.ui.turns import in_turn, in_turns

REFUSED = "run_file_refused"


class Refused(NamedTuple):
    """A file that could not be opened, and why: told for as long as it lies there."""

    file: str
    why: str


def take_home(here: Stage) -> None:
    """What can be downloaded of a run, side by side; and below it, what can be opened."""
    frame.heading("Take it home", "save the run, and go on with it another time or on another machine")
    checkpoint, *_ = st.columns(3, gap="medium")
    with checkpoint:
        st.fragment(download)(here)
    opening(here)


def download(here: Stage) -> None:
    """The file is made when it is asked for, and lies ready until the page is drawn anew."""
    own = " Your own text is in it." if source_of(here.settings).from_reader else ""
    frame.note(f"A checkpoint holds the network, its optimiser, the settings and the curve: it goes on bit for bit.{own}")
    if not st.button("Make a checkpoint"):
        return
    try:
        step, data = checkpoint_file(here)
    except ValueError as error:
        frame.notice(str(error))
        return
    name = f"run-update-{step}.safetensors"
    st.download_button(f"Download it: update {count(step)}, {amount(len(data))}B", data, name, on_click="ignore")


def checkpoint_file(here: Stage) -> tuple[int, bytes]:
    """The run as it is, after how many updates; and its file. ``ValueError`` with a sentence where there can be none."""
    run, own_text = here.watched, here.own_text
    for _ in in_turns(iter(run.catch_up, False)):
        pass  # each of the first networks is judged in a turn of its own
    checkpoint = in_turn(lambda: kept(run, own_text))
    return checkpoint.step, in_turn(lambda: save(checkpoint))


def opening(here: Stage) -> None:
    """A file of the reader's. What is wrong with one is said beside it, and nothing else changes."""
    key = f"run_file_{here.watched.serial}"  # a run that was opened needs its file no longer
    refused = st.session_state.get(REFUSED)
    lies_there = st.session_state.get(key)
    told = refused.why if refused and lies_there and lies_there.file_id == refused.file else ""
    with st.expander("Open a checkpoint", expanded=bool(told)):
        frame.note("The run that is here now stays as a ghost. The one that is opened waits for Play.")
        st.file_uploader("A file that was downloaded here (.safetensors)", key=key, max_upload_size=LARGEST // 2**20)
        st.button("Open this run", on_click=_open, args=(here, key))
        frame.notice(*filter(None, [told]))


def _open(here: Stage, key: str) -> None:
    upload = st.session_state.get(key)
    if not upload:
        return
    try:
        checkpoint = in_turn(lambda: load(upload.getvalue()))
        here.resume(checkpoint)
    except ValueError as error:
        st.session_state[REFUSED] = Refused(upload.file_id, str(error))
