"""Every number of the Recurrent step page is the core's."""

import numpy as np

from core.analysis.recurrent_step.shapes import numbers


def test_what_is_learnt_does_not_depend_on_how_long_the_text_is():
    n = numbers(N=32, D=0, H=128, V=103)
    assert n.total == 42_983 == sum(np.prod(shape) for shape in n.learnt.values())
    assert n.kept == {1: 4096, 10: 40_960, 100: 409_600}
