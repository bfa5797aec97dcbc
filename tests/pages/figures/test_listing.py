"""The code beside a picture: the lines of every sub-step, and its arrays."""

import numpy as np
import pytest

from core.analysis.backward import backward_pass
from core.analysis.one_step_matrices import draw_matrices, one_step_back
from core.analysis.unrolled import unroll
from core.models.initialisation import init_params
from core.models.rnn import forward
from pages.figures.parts.listing import Source, SubStep, listings_with, shown_array
from pages.figures.parts.network_listing import network_listing_drawing
from pages.figures.recurrent_step.back import step_back_drawing
from pages.figures.recurrent_step.back_listing import back_listing_drawing
from tests.dashboard_server import ROOT
from tests.pages.figures.drawings import value


def network(D=3, activation="tanh"):
    params = init_params(5, 4, embedding_size=D, gain=1.2, rng=np.random.default_rng(0), dtype=np.float64)
    ids = np.array([0, 3, 1, 4])
    how = {"activation": activation}
    return unroll(params, ids[:-1], ids[1:], **how), params, backward_pass(params, ids[:-1], ids[1:], **how)


def lit(drawing, listing, pass_, sub):
    """The lines that are lit in a sub-step."""
    shown = drawing["listings"][listing]
    return [shown["parts"][part]["lines"][line].strip() for part, line in shown["lines"][pass_][sub]]


def array(drawing, pass_, sub, name):
    """An array of the first listing by its name in the code."""
    return drawing["arrays"][dict(drawing["listings"][0]["names"][pass_][sub])[name]]


@pytest.mark.parametrize("embedded", [0, 3])
@pytest.mark.parametrize("of_last", [False, True])
def test_every_sub_step_has_lines_in_both_listings(embedded, of_last):
    u, params, b = network(embedded)
    drawing = network_listing_drawing(u, params, b, of_last=of_last)
    assert [len(names) for names in drawing["substeps"]] == [6, 6]
    for listing in drawing["listings"]:
        assert all(of_substep for kind in ("lines", "names") for pass_ in listing[kind] for of_substep in pass_)
        for part in listing["parts"]:  # the numbers of the lines are those of the file
            file = (ROOT / part["place"].split(",")[0]).read_text(encoding="utf-8").splitlines()
            there = file[part["first"] - 1 :][: len(part["lines"])]
            assert [line.strip() for line in part["lines"]] == [line.strip() for line in there]
    if of_last:
        assert "da[t] = dh[t] * slope[t]" in lit(drawing, 0, 1, 5)


def test_the_line_of_a_sub_step_is_the_one_that_computes_it():
    u, params, b = network()
    drawing = network_listing_drawing(u, params, b)
    assert lit(drawing, 0, 1, 4) == ["da[t] = dh[t] * slope[t]"]
    assert lit(drawing, 1, 0, 1) == ["t = np.dot(h_prev, Wh) + np.dot(x, Wx) + b  # b is one row, added to all N"]
    assert lit(drawing, 1, 1, 4)[0].startswith("dt = dh_next * (1 - h_next**2)")


def test_the_arrays_have_the_numbers_of_the_step():
    u, params, b = network()
    drawing = network_listing_drawing(u, params, b)
    state = array(drawing, 0, 2, "h[t]")
    assert state["shape"] == "(N, H) = (1, 4)"
    h = forward(params, u.tokens[:, None]).h[1:, 0]
    found = [[value(number) for number in step.split()] for step in state["numbers"]]
    np.testing.assert_allclose(found, h, rtol=0.06)
    assert array(drawing, 1, 2, "da[t + 1]")["numbers"][-1].split()[0] == "–"  # nothing comes after the last step
    assert array(network_listing_drawing(u, params, b, of_last=True), 1, 4, "dh[t]")["numbers"] == []


def test_the_layer_of_the_book_has_tanh_and_a_note_says_if_the_network_has_not():
    assert [listing["note"] for listing in network_listing_drawing(*network()[:2])["listings"]] == ["", ""]
    core, book = network_listing_drawing(*network(activation="relu")[:2])["listings"]
    assert (core["note"], "relu" in book["note"]) == ("", True)
    assert all("1/3" in listing["note"] for listing in network_listing_drawing(*network())["listings"])  # backward, of 3 steps


def test_every_equation_of_one_step_back_has_its_line():
    m = draw_matrices(3, 2, 4, np.random.default_rng(0))
    b = one_step_back(m, np.random.default_rng(1))
    drawing = back_listing_drawing(m, b)
    assert len(drawing["substeps"][0]) == len(step_back_drawing(m, b)["equations"])
    for name, equation in zip(drawing["substeps"][0], step_back_drawing(m, b)["equations"], strict=True):
        assert equation["second"].split(" = ")[0].removesuffix("_h" * (name == "db")) == name
    assert all(drawing["listings"][i]["lines"][0][j] for i in range(2) for j in range(7))


def test_a_fragment_that_is_not_in_one_line_is_refused():
    for code in ("no such code", "="):
        with pytest.raises(ValueError):
            listings_with([Source("", (network,), ((SubStep((code,)),),))], [["one"]], {})


def test_a_long_array_shows_its_first_numbers():
    assert shown_array("H", {"H": 7}, np.arange(7.0)[None])["numbers"] == ["0.0  1.0  2.0  3.0  4.0  …"]
    assert shown_array("H", {"H": 7}) == {"shape": "(H,) = (7,)", "numbers": []}
