"""The frame: navigation, and the sidebar with the live run. No arithmetic, no figure."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy loads: two threads beside a browser are far slower than one

import streamlit as st

from pages.ui import frame
from pages.ui.run_card import heartbeat
from pages.ui.state import open_stage, settle_process, write_url

st.set_page_config(page_title="Recurrent networks", page_icon="pages/ui/favicon.svg", layout="wide", initial_sidebar_state=260)
frame.style()
settle_process()
training = st.Page("pages/training/page.py", title="Training", icon=":material/show_chart:", url_path="home", default=True)


def to_training() -> None:
    """Training opens at the bare address; who types its name gets there too."""
    st.switch_page(training, query_params=st.query_params.to_dict())


pages = [
    st.Page("pages/recurrent_step/page.py", title="Recurrent step", icon=":material/start:", url_path="recurrent_step"),
    st.Page("pages/unrolled/page.py", title="Unrolled", icon=":material/view_week:", url_path="unrolled"),
    training,
    st.Page("pages/perplexity/page.py", title="Perplexity", icon=":material/equalizer:", url_path="perplexity"),
    st.Page("pages/gradient_flow/page.py", title="Gradient flow", icon=":material/arrow_back:", url_path="gradient_flow"),
    st.Page("pages/truncation/page.py", title="Truncation", icon=":material/content_cut:", url_path="truncation"),
    st.Page(to_training, title="Training", url_path="training", visibility="hidden"),
]
page = st.navigation(pages)
here = open_stage(page.url_path)
write_url(here)
heartbeat(here, small=page.title == "Training")
page.run()
