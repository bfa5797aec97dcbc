"""The deeper views of the Gradient flow page: what is measured is what is shown, and nothing but a button touches the run."""

import numpy as np
import pytest

from core.models.spectral_radius import spectral_radius

PAGE = "pages/gradient_flow.py"


@pytest.fixture
def page(visit):
    """A visitor who has turned to the page, the run small."""
    visitor = visit(max_tokens=20_000, hidden_size=16, batch_size=8, num_steps=8)
    visitor.app.switch_page(PAGE)
    return visitor.run()


def go(page, section, **choices):
    """Turn to a section, with these choices made in it."""
    page.app.session_state["gradient_flow_view"]["section"] = section
    page.run()
    if choices:
        page.app.session_state[f"gradient_flow_{section}"].update(choices)
        page.run()
    return page


def numbers(page, name):
    return {row[0]: row[1:] for row in page.scene("what_if_numbers")[name]}


def test_what_if_scales_a_copy_and_leaves_the_run_alone(page):
    run = page.stage.run
    before = run.params().flat.copy()
    slow, fast = (go(page, "what_if", radius=radius).scene("what_if_numbers")["rows"] for radius in (0.5, 2.0))
    assert slow != fast
    assert np.array_equal(run.params().flat, before)
    assert page.stage.watched.history.flags == []


@pytest.mark.parametrize("section", ["what_if", "jacobian", "gradient_check", "history", "cost"])
def test_every_section_opens(page, section):
    go(page, section)
