"""What a truncation keeps while the network learns: the curves are those of the present tau."""

import numpy as np
import pytest

from core.figures.truncation.over_training import Sample, over_training_figure


def test_the_curves_over_training_are_those_of_the_present_tau():
    samples = [Sample(u, np.full((5, 3), 0.1 * u), np.ones((5, 3)), np.full(5, 0.2)) for u in (0, 1, 7)]
    samples[-1].cosine[2, 1] = 0.55
    figure = over_training_figure(samples, 3)
    by_name = {trace["name"]: trace for trace in figure["data"]}
    assert by_name["cosine, W_hh"]["y"][-1] == 0.55
    assert by_name["cosine, W_xh"]["y"][-1] == pytest.approx(0.7)
    assert over_training_figure(samples, 99)["data"]
