"""The Gradient flow page without a browser: the numbers drawn are those of the core's own backward pass."""

import pytest

PAGE = "pages/gradient_flow.py"


@pytest.fixture
def page(visit):
    """A visitor who has turned to the page, its run small."""
    visitor = visit(max_tokens=20_000, hidden_size=16, batch_size=8, num_steps=8)
    visitor.app.switch_page(PAGE)
    return visitor.run()


def test_it_opens(page):
    assert "backward" in page.scene("network")["scene"]
