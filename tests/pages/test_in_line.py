"""Whole pages wait for each other; what moves on a page does not wait for them."""

import threading

from streamlit.runtime.scriptrunner.script_runner import RerunData, ScriptRunner

from core.training.line import Line
from pages.ui import in_line

SOON = 0.002  # seconds between two looks of who waits
PATIENCE = 60.0


def test_a_part_of_a_page_does_not_wait_for_whole_pages(monkeypatch):
    drawn: list[RerunData] = []
    monkeypatch.setattr(ScriptRunner, "_run_script", lambda _runner, wish: drawn.append(wish))
    monkeypatch.setattr(in_line, "line", Line(longest=SOON, clock=lambda: 0.0))
    in_line.draw_in_line()
    page, piece = RerunData(), RerunData(fragment_id_queue=["a part"])
    waits = threading.Thread(target=ScriptRunner._run_script, args=(None, page), daemon=True)
    with in_line.line:
        waits.start()
        while not in_line.line.waiting:
            waits.join(SOON)
        ScriptRunner._run_script(None, piece)
        assert drawn == [piece]
    waits.join(PATIENCE)
    assert drawn == [piece, page]
