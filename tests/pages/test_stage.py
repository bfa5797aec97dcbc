"""The session behind a page."""

from core.settings import Settings
from tests.pages.test_training import SMALL


def test_a_page_s_own_file_is_run_within_the_frame(visit, monkeypatch):
    """A fresh server knows of no ``st.navigation``: who comes by a page's address first makes it run that page's file."""
    address = visit(**SMALL).app._finished_page_script_hash
    monkeypatch.undo()
    visitor = visit(page_hash=address, **SMALL)
    assert visitor.stage.settings == Settings(**SMALL)
    assert visitor.scene("run_card")
    assert visitor.scene("transport")
