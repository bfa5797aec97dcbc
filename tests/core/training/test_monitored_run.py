import threading

from core.training.run.monitored_trainer import MonitoredRun
from tests.core.training.runs import watched
from tests.core.training.waiting import LIMIT


def test_a_move_counts_from_when_it_was_made_also_while_it_is_being_done(monkeypatch):
    run = MonitoredRun(watched())
    begun, done, move = threading.Event(), threading.Event(), run.source.trainer.move

    def slow_move(**knobs):
        begun.set()
        assert done.wait(LIMIT)
        move(**knobs)

    monkeypatch.setattr(run.source.trainer, "move", slow_move)
    mover = threading.Thread(target=run.change, kwargs={"learning_rate": 0.123}, daemon=True)
    mover.start()
    assert begun.wait(LIMIT)
    assert run.settings.learning_rate == 0.123
    done.set()
    mover.join(LIMIT)
    assert run.settings.learning_rate == run.source.settings.learning_rate == 0.123
