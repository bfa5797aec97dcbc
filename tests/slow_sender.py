"""``python -m tests.slow_sender run dashboard.py ...``: Streamlit, but what was drawn is sent seldom, as by a busy machine."""

from streamlit.runtime import runtime
from streamlit.web.cli import main

SECONDS = 0.3  # between two times; as Streamlit comes, 0.005

if __name__ == "__main__":
    runtime.MESSAGE_FLUSH_INTERVAL_SECS = SECONDS
    main(prog_name="streamlit")
