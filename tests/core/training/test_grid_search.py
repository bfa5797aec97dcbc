import math

import numpy as np
import pytest

from core.config.settings import KNOBS, Settings
from core.training.curves import Point
from core.training.experiments.sweep import MOST_VALUES, VARIED, Group, best, default_values, grouped, leading, plans, rival
from core.training.experiments.sweep_worker import Member
from core.training.held_out import Judgement


@pytest.mark.parametrize("name", VARIED)
@pytest.mark.parametrize("settings", [Settings(), Settings(learning_rate=7.0, hidden_size=7, truncation=5, seed=2**31 - 1)])
def test_offered_values_are_valid_and_include_the_present_one(name, settings):
    values = default_values(settings, name)
    assert 2 <= len(values) == len(set(values)) <= MOST_VALUES
    members = plans(settings, name, values, 2)
    assert [getattr(member, name) for member in members[:: 1 if name == "seed" else 2]] == values
    (identity,) = plans(settings, "init", ["identity"], 1)  # comes with its own scales
    assert (identity.input_scale, identity.output_scale) == (None, None)
    assert getattr(Settings(), name) not in KNOBS[name].stops or getattr(Settings(), name) in default_values(Settings(), name)


def reached(value, seed, *nats, ended="finished"):
    points = (Point(9 * i, 9 * i, 0.1 * i, loss) for i, loss in enumerate((4.0, *nats)))
    return Member(Settings(learning_rate=value, seed=seed), tuple(points), None, 9, 9, 0.1, 0, ended, "")


def test_the_mean_over_seeds_is_of_their_losses_and_a_diverged_one_has_none():
    members = [reached(0.1, 0, 1.0), reached(0.1, 1, 2.0), reached(0.2, 0, 0.5), reached(0.2, 1, 0.1, ended="diverged")]
    first, second = groups = grouped(members, "learning_rate")
    assert [point.nats for point in first.curve] == [4.0, 1.5]
    assert first.perplexity == pytest.approx(math.exp(1.5))
    slower = members[1]._replace(points=(Point(0, 0, 0.0, 4.0), Point(5, 5, 0.1, 3.0), Point(7, 7, 0.1, 2.0)))
    assert [point.update for point in Group(0.1, (members[0], slower)).curve] == [0]
    assert math.isnan(second.perplexity)
    assert [group.sound for group in groups] == [True, False]
    assert leading(groups) is first
    assert best(members) is members[2]
    assert best([Member(Settings())]) is leading([]) is None


def test_a_rival_has_another_value_and_cannot_be_told_from_the_best():
    rows = np.linspace(1.0, 2.0, 10)
    noise = np.random.default_rng(0).normal(0.01, 0.1, 10)
    members = [reached(0.1, 0, 1.0), reached(0.1, 1, 1.0), reached(0.2, 0, 1.01), reached(0.4, 0, 1.1)]
    others = (0, noise, noise, 0.1)
    judged = [member._replace(judgement=Judgement(rows + other, 9)) for member, other in zip(members, others, strict=True)]
    assert rival(judged, "learning_rate") is judged[2]
    assert rival([judged[0], judged[1], judged[3]], "learning_rate") is None  # 0.1 on every row is no noise
    assert rival(members, "learning_rate") is rival([], "learning_rate") is None
