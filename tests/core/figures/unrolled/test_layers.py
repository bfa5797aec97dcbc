"""The layers by name: their shapes are those of the parameters, and the loss is the mean."""

import numpy as np
import pytest

from core.analysis.unrolled import unroll
from core.figures.unrolled.layers import layers_scene
from core.models.initialisation import init_params


@pytest.mark.parametrize("D", [0, 5], ids=["one-hot", "embedding"])
def test_every_layer_has_its_parameters_and_the_loss_is_their_mean(D):
    params = init_params(7, 4, embedding_size=D, rng=np.random.default_rng(0))
    ids = np.array([0, 1, 2, 3, 4, 5, 6])
    u = unroll(params, ids[:-1], ids[1:])
    scene = layers_scene(u, params)
    rows = {time: (parameters, shape) for time, _, parameters, shape in scene["rows"]}
    assert list(rows) == ["TimeSoftmaxWithLoss", "TimeAffine", "TimeRNN", "TimeEmbedding"]
    for name, array in [("TimeAffine", params.W_hq), ("TimeRNN", params.W_xh), ("TimeRNN", params.W_hh)]:
        assert " × ".join(map(str, array.shape)) in rows[name][0]
    assert [rows[name][1] for name in rows][1:] == ["6 × 7", "6 × 4", f"6 × {D or 7}"]
    assert scene["embedded"] == (params.W_emb is not None) == ("W_{emb}" in rows["TimeEmbedding"][0])
    assert float(scene["mean"]) == pytest.approx(np.mean(u.losses), abs=0.0006)
    assert [float(words) for words in scene["sums"]] == pytest.approx(np.cumsum(u.losses), abs=0.0051)
