"""``python -m tests.server.failing_server run dashboard.py ...``: Streamlit, and a dashboard without a Training page."""

import sys

from streamlit.web.cli import main

SECRET = "xyzzy"


def fail(*_: object, **__: object) -> None:
    raise RuntimeError(f"{SECRET} {sys.executable}")


if __name__ == "__main__":
    from core.figures.training import readout

    readout.readout = fail
    main(prog_name="streamlit")
