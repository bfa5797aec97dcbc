"""The frame of a page of sections."""

import pytest
from streamlit.util import calc_hash

HERE = {"hidden_size": 8, "batch_size": 2, "num_steps": 4, "max_tokens": 3000, "section": "shapes"}


def test_an_exception_in_a_section_is_not_hidden(visit, monkeypatch):
    visitor = visit(calc_hash("recurrent_step"), **HERE)
    monkeypatch.setattr("pages.recurrent_step.shapes.rows_scene", lambda *given: 1 / 0)
    with pytest.raises(AssertionError):
        visitor.run()
