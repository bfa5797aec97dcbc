import tracemalloc

import pytest

from core.settings import Settings
from core.training.early import room_for
from core.training.memory import MOST_MOMENTS, check_memory, estimate_bytes
from core.training.tbptt import Trainer
from core.training.watched import Watched
from tests.core.training.corpora import lag_text

TEXT = lag_text(Settings(corpus="lag", max_tokens=400_000))
SECOND_SOURCE = Settings(batch_size=10, num_steps=5, hidden_size=100, embedding_size=100, optimizer="sgd")
FIRST_SOURCE = Settings(num_steps=35, hidden_size=512, init="normal001", optimizer="sgd", learning_rate=1.0)


@pytest.mark.parametrize(
    "settings",
    [
        Settings(),
        Settings(optimizer="sgd", dtype="float64"),
        Settings(weight_decay=0.1, cosine_until=10),
        Settings(batch_size=128, num_steps=100, hidden_size=64),
        Settings(hidden_size=1024, optimizer="adagrad", num_steps=5),
        Settings(hidden_size=1500, optimizer="sgd", num_steps=5),
        FIRST_SOURCE,
        Settings(hidden_size=32, embedding_size=128, batch_size=128, num_steps=300, optimizer="adagrad"),
        Settings(hidden_size=8, embedding_size=128, carry_state=False, optimizer="sgd"),
        Settings(hidden_size=1, num_steps=35, batch_size=32, optimizer="sgd"),
    ],
)
def test_the_estimate_is_within_a_quarter_of_what_a_run_takes(settings):
    settings = settings.but(corpus="lag")
    tracemalloc.start()
    run = Watched(Trainer(settings, TEXT), TEXT)
    while run.step < 11:  # some of the moments that are kept
        next(run)
    waiting = 11 - len(run.history.judged[1:])
    size = run.trainer.params.flat.size
    moments, rest = run.history.moments, max(0, room_for(size) - waiting)
    later = min(MOST_MOMENTS * moments.first.bytes, moments.budget) - moments.bytes
    peak = tracemalloc.get_traced_memory()[1] + rest * run.trainer.params.flat.nbytes + later
    tracemalloc.stop()
    assert estimate_bytes(settings, 2) == pytest.approx(peak, rel=0.25)


@pytest.mark.parametrize(("settings", "V"), [(Settings(), 103), (SECOND_SOURCE, 5000), (FIRST_SOURCE, 28)])
def test_what_is_meant_to_run_fits(settings, V):
    check_memory(settings, V)


def test_what_would_not_fit_is_refused_with_the_estimate():
    with pytest.raises(ValueError, match="MiB"):
        check_memory(Settings(hidden_size=4096, num_steps=1000), 28)
    with pytest.raises(ValueError):
        check_memory(Settings(), 103, limit=10_000)
