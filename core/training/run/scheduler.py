"""The scheduler: one thread of this process does all computations, in slices of about 10 ms, so that thirty readers each stay
responsive.

* ``compute(make)`` returns ``make()``, done by the scheduler; an exception is raised here. The caller waits: for one slice of
  training at most, and for the computations of pages that were asked for earlier. If ``make()`` returns a generator, which must
  yield every few milliseconds, others compute between its slices, and its return value is the result.
* ``start(steps)`` begins a long computation, a generator, and returns its ``Job`` at once. A page keeps the job, say in its
  state, and looks at it in a fragment: ``job.progress`` is what the generator yielded last, other than None, and ``job.done``
  whether it has ended; then ``job.result()`` returns its value or raises its exception. The page can be left meanwhile. A job to
  which nobody refers any more ends: there is nothing to cancel.
* ``yield from in_slices(items)`` in a generator collects the items of an iterator; others compute between two of them.
* ``yield from outside(make)`` in a generator returns ``make()``, called in a thread of its own while the scheduler goes on: for
  what computes elsewhere or waits (loading a text, other processes), and for whatever itself asks for a computation.
  ``start_outside(make)`` begins that and returns its job.
* ``yield WAIT`` in a generator: it cannot go on yet, and is asked again after some 10 ms.

All may be called from any thread, with one exception: a computation cannot wait for another one. It would wait for itself, so
``compute`` and ``Job.result`` raise ``RuntimeError`` within one.

There are two queues, pages and training, first in, first out, which are served in turn: a page waits for one run, not for all
that train.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable
from contextvars import copy_context
from inspect import isgenerator
from typing import Any, Generic, TypeVar
from weakref import ref

Item = TypeVar("Item")
Result = TypeVar("Result")
SLICE = 0.01  # seconds for which a job computes until it is another one's turn
POLL = 0.01  # seconds after which a job that waits is asked again


class Wait:
    """Yielded by a job that cannot go on yet."""


WAIT = Wait()


class Job(Generic[Result]):
    """A computation that the scheduler does, or has done."""

    def __init__(self, steps: Generator[Any, None, Result], queue: str, server: "Scheduler") -> None:
        self.progress: Any = None  # what the generator yielded last, other than None
        self.queue = queue
        self.queued: float | None = None  # since when it waits for its turn (in seconds of ``time.monotonic``)
        self._steps, self._context, self._server = steps, copy_context(), server  # with the language of whoever asks
        self._ended = threading.Event()
        self._result: Result | None = None
        self._error: BaseException | None = None

    @property
    def done(self) -> bool:
        """Whether it has ended, with a result or an exception."""
        return self._ended.is_set()

    @property
    def failed(self) -> bool:
        """Whether it has ended with an exception."""
        return self._error is not None

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until it has ended; False if it has not after ``timeout`` seconds."""
        if not self.done and self._server.is_this_thread():
            raise RuntimeError("A computation cannot wait for another one: ask for both, or let the first be done outside.")
        return self._ended.wait(timeout)

    def result(self) -> Result:
        """Wait until it has ended, and return its result or raise its exception."""
        self.wait()
        if self._error is None:
            return self._result
        try:
            raise self._error
        finally:
            del self  # otherwise the exception's traceback would refer to the job, and so to itself

    def advance(self) -> bool:
        """Compute up to the next ``yield``; called by the scheduler. Whether the job can go on at once."""
        try:
            item = self._context.run(next, self._steps)
        except StopIteration as end:
            self._result = end.value
        except BaseException as error:
            self._error = error.with_traceback(error.__traceback__.tb_next)  # without this frame, which refers to the job
        else:
            if item is not WAIT and item is not None:
                self.progress = item
            return item is not WAIT
        self._steps = self._context = None  # with all they refer to
        self._ended.set()
        return False


class Scheduler:
    """Two queues of jobs, and the thread that does them."""

    def __init__(self) -> None:
        self._changed = threading.Condition(threading.Lock())  # guards the fields below; never held while computing
        self._queues: dict[str, deque[ref[Job]]] = {"pages": deque(), "training": deque()}  # the queue whose turn it is first
        self._waiting: deque[ref[Job]] = deque()  # jobs that cannot go on yet
        self._ask_again = 0.0  # when they are asked again
        self._thread: threading.Thread | None = None

    def compute(self, make: Callable[[], Any]) -> Any:
        """``make()``, or the return value of the generator that it returns; waits for it."""
        return self.start(steps_of(make)).result()

    def start(self, steps: Generator[Any, None, Result], queue: str = "pages") -> Job[Result]:
        """Begin a long computation. Keep the job: one to which nobody refers any more ends."""
        job = Job(steps, queue, self)
        with self._changed:
            self._put(job)
            if not self._thread:
                self._thread = threading.Thread(target=self._serve, name="scheduler", daemon=True)
                self._thread.start()
        return job

    @property
    def waiting(self) -> int:
        """The number of jobs that wait for their turn."""
        return sum(map(len, self._queues.values()))

    def is_this_thread(self) -> bool:
        """Whether the caller is a computation of this scheduler."""
        return threading.current_thread() is self._thread

    def _put(self, job: Job) -> None:
        job.queued = time.monotonic()
        self._queues[job.queue].append(ref(job))
        self._changed.notify()

    def _serve(self) -> None:
        while True:
            self._turn(self._next())

    def _turn(self, job: Job) -> None:
        """Let a job compute for a slice."""
        end = time.monotonic() + SLICE
        while (can_go_on := job.advance()) and time.monotonic() < end:
            pass
        with self._changed:
            if can_go_on:
                self._put(job)
            elif not job.done:
                self._waiting.append(ref(job))

    def _next(self) -> Job:
        """The job whose turn it is; waits for one."""
        with self._changed:
            while True:
                if time.monotonic() >= self._ask_again:
                    waiting, self._waiting = self._waiting, deque()
                    for job in filter(None, (weak() for weak in waiting)):
                        self._put(job)
                    self._ask_again = time.monotonic() + POLL
                for name, queue in self._queues.items():
                    while queue:
                        job = queue.popleft()()
                        if job:  # somebody still refers to it
                            self._queues[name] = self._queues.pop(name)  # the other queue comes first now
                            job.queued = None
                            return job
                self._changed.wait(POLL if self._waiting else None)


def steps_of(make: Callable[[], Any]) -> Generator[Any, None, Any]:
    """``make()`` as a generator, which it may be itself."""
    made = make()
    return (yield from made) if isgenerator(made) else made


def in_slices(items: Iterable[Item]) -> Generator[None, None, list[Item]]:
    """The items as a list; yields after each of them."""
    found = []
    for item in items:
        found.append(item)
        yield
    return found


def start_outside(make: Callable[[], Result]) -> Job[Result]:
    """Begin ``make()`` in a thread of its own; returns its job."""
    job: Job[Result] = Job(steps_of(make), "", scheduler)
    threading.Thread(target=job.advance, name="outside", daemon=True).start()
    return job


def outside(make: Callable[[], Result]) -> Generator[Wait, None, Result]:
    """``make()``, called in a thread of its own."""
    job = start_outside(make)
    while not job.done:
        yield WAIT
    return job.result()


scheduler = Scheduler()  # of this process: for every computation of more than about 5 ms
compute, start = scheduler.compute, scheduler.start
