"""The code that a section shows is the mathematics, as it runs: what a reader of the books knows by name."""

import pytest
from streamlit.util import calc_hash


@pytest.mark.parametrize(("page", "section", "panel", "shown"), [
    ("unrolled", "", "unrolled", ["next_state", "forward", "cross_entropy"]),
    ("unrolled", "", "cell", ["step", "next_state"]),
    ("gradient_flow", "what_if", "gradient_flow", ["step_back", "backward", "gradient_flow"]),
    ("gradient_flow", "what_if", "what_if", ["at_radius", "clip_by_global_norm"]),
    ("gradient_flow", "jacobian", "jacobian", ["growing_products", "singular_values"]),
    ("gradient_flow", "gradient_check", "gradient_check", ["check_weight"]),
    ("truncation", "cut", "truncation", ["step_back", "backward", "tbptt"]),
    ("truncation", "proof", "proof", ["echo_language", "echo_floor_with_reset"]),
])  # fmt: skip
def test_the_mathematics_is_shown(visit, page, section, panel, shown):
    place = {"section": section} if section else {}
    visitor = visit(calc_hash(page), hidden_size=8, max_tokens=10_000, batch_size=4, num_steps=8, **place)
    visitor.app.session_state[f"source_{panel}"] = True
    code = [block.value for block in visitor.run().app.code]
    assert [block.split("(")[0] for block in code] == [f"def {name}" for name in shown]
