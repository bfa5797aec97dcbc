import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.length import growing
from core.models.loss import perplexity


@given(st.lists(st.floats(0.0, 30.0), min_size=1, max_size=30).map(np.array))
def test_the_likelihood_of_a_prefix_is_the_product_of_its_tokens(nats):
    grown = growing(nats)
    assert (np.diff(grown.log10_likelihood) <= 0).all()
    assert grown.log10_likelihood[-1] == pytest.approx(sum(math.log10(p) for p in np.exp(-nats)), abs=1e-9)
    assert np.prod(grown.p) == pytest.approx(10 ** grown.log10_likelihood[-1], rel=1e-9)
    assert grown.perplexity[-1] == pytest.approx(perplexity(nats))
    assert grown.mean_nats[0] == nats[0]
    impossible = growing(np.append(nats, [math.inf, 2.0]))
    assert impossible.log10_likelihood.tolist()[-2:] == [-math.inf, -math.inf]
    assert impossible.perplexity.tolist()[-2:] == [math.inf, math.inf]
