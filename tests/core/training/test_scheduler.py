"""The scheduler: whose turn it is, what reaches whoever asked, and that a dropped job ends."""

import gc
import threading
import weakref
from collections.abc import Callable, Generator, Iterator

import pytest

from core.config.language import language, use_language
from core.training.run import scheduler as module
from core.training.run.scheduler import WAIT, Scheduler, compute, in_slices, outside, start
from tests.core.training.waiting import LIMIT, until


@pytest.fixture
def server() -> Scheduler:
    """A scheduler of this test alone."""
    return Scheduler()


@pytest.fixture
def busy(server: Scheduler) -> Iterator[threading.Event]:
    """The scheduler is busy until this event is set."""
    begun, go_on = threading.Event(), threading.Event()

    def wait() -> Generator[None, None, None]:
        begun.set()
        assert go_on.wait(LIMIT)
        yield from ()

    job = server.start(wait(), "training")
    assert begun.wait(LIMIT)
    yield go_on
    go_on.set()
    assert job.wait(LIMIT)


@pytest.fixture(autouse=True)
def _slices_of_one_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SLICE", 0.0)


def noting(seen: list[str], name: str, steps: int) -> Generator[int, None, str]:
    for step in range(steps):
        seen.append(name)
        yield step
    return name


def test_a_page_waits_for_one_training_run_and_not_for_all(server, busy):
    seen, named = [], {"training": ("a", "b", "c"), "pages": ("x", "y")}
    jobs = [server.start(noting(seen, name, 2), queue) for queue, names in named.items() for name in names]
    assert server.waiting == 5
    busy.set()
    assert [job.result() for job in jobs] == list("abcxy")
    assert seen == list("xaybxcyabc")


def test_a_computation_returns_its_value_or_raises_here():
    def parts() -> Generator[None, None, list[int]]:
        return (yield from in_slices(range(3)))

    assert compute(lambda: 7) == 7
    assert compute(parts) == [0, 1, 2]
    with pytest.raises(ZeroDivisionError):
        compute(lambda: 1 / 0)
    assert compute(lambda: threading.current_thread().name) == "scheduler"


def test_a_long_computation_is_looked_at_while_it_goes_on():
    go_on = [threading.Event() for _ in range(2)]

    def steps() -> Generator[object, None, str]:
        yield "begun"
        for event in go_on:
            while not event.is_set():
                yield WAIT
            yield "half"
            yield None
        raise ValueError("This cannot be computed.")

    job = start(steps())
    until(lambda: job.progress == "begun")
    go_on[0].set()
    until(lambda: job.progress == "half")
    assert not job.done
    go_on[1].set()
    assert job.wait(LIMIT)
    assert job.done
    with pytest.raises(ValueError, match="cannot be computed"):
        job.result()


def test_a_computation_has_the_language_of_whoever_asks():
    before = language()
    use_language("zh")
    try:
        assert compute(language) == "zh"
        assert start(in_slices([language()])).result() == ["zh"]
    finally:
        use_language(before)


def test_a_computation_that_waits_for_another_one_is_refused():
    with pytest.raises(RuntimeError, match="cannot wait"):
        compute(lambda: compute(lambda: 1))
    assert compute(lambda: start(in_slices([2]))).result() == [2]


def test_what_waits_is_done_outside_while_others_compute():
    def loads() -> Generator[object, None, int]:
        return (yield from outside(lambda: compute(lambda: 3)))

    def fails() -> Generator[object, None, int]:
        return (yield from outside(lambda: 1 // 0))

    assert compute(loads) == 3
    with pytest.raises(ZeroDivisionError):
        compute(fails)


@pytest.mark.parametrize("item", [None, WAIT], ids=["computing", "waiting"])
def test_a_job_that_nobody_refers_to_ends(item):
    ended = threading.Event()

    def steps() -> Generator[object, None, None]:
        try:
            while True:
                yield item
        finally:
            ended.set()

    job = start(steps())
    until(lambda: job.queued is None)
    del job
    gc.collect()
    assert ended.wait(LIMIT)
    assert compute(lambda: 1) == 1


def test_a_result_holds_nothing_of_what_it_was_computed_from():
    class Large:
        pass

    def ask(made: Callable[[Large], object]) -> tuple[object, weakref.ref[Large]]:
        large = Large()
        return start(in_slices([made(large)])), weakref.ref(large)

    job, large = ask(lambda large: 1)
    assert job.result() == [1]
    assert large() is None


def test_all_that_many_threads_ask_for_is_done_once():
    done = []

    def ask(number: int) -> None:
        compute(lambda: done.append(number))
        compute(lambda: in_slices(done.append(number) for _ in range(3)))

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LIMIT)
    assert sorted(done) == sorted([*range(8)] * 4)
