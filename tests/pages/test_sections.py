"""The frame of a page of sections."""

from dataclasses import replace

import pytest
from streamlit.util import calc_hash

from core.figures.recurrent_step import shapes

HERE = {"hidden_size": 8, "batch_size": 2, "num_steps": 4, "max_tokens": 3000, "section": "shapes"}


def test_another_run_that_begins_while_a_section_is_drawn_is_drawn_instead(visit, monkeypatch):
    visitor = visit(calc_hash("recurrent_step"), **HERE)
    drawn, whole = [], shapes.rows_scene

    def interrupted(*given):
        drawn.append(len(drawn))
        if len(drawn) == 1:
            visitor.stage.start(replace(visitor.stage.settings, corpus="lag"))
            raise ValueError("ids of another text")
        return whole(*given)

    monkeypatch.setattr("pages.recurrent_step.shapes.rows_scene", interrupted)
    assert not visitor.run().app.exception
    assert len(drawn) == 2


def test_what_fails_of_the_same_run_is_not_hidden(visit, monkeypatch):
    visitor = visit(calc_hash("recurrent_step"), **HERE)
    monkeypatch.setattr("pages.recurrent_step.shapes.rows_scene", lambda *given: 1 / 0)
    with pytest.raises(AssertionError):
        visitor.run()
