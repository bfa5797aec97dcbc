"""The start of the server."""

import sys

from pages.app import lifespan
from pages.app.server import shared_cache, static_assets


def test_the_start_imports_no_script_that_trains(monkeypatch, capsys):
    def no_manual(*_args: object) -> None:
        raise ValueError

    monkeypatch.setattr(shared_cache, "serving", False)
    monkeypatch.setattr(static_assets, "prepare", lambda: None)
    monkeypatch.setattr(lifespan, "Session", no_manual)
    monkeypatch.delitem(sys.modules, "core.training.script.template", raising=False)
    lifespan.make_ready()
    assert capsys.readouterr().out == ""
    assert "core.training.script.template" not in sys.modules
