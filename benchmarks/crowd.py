"""Many visitors at once: `python -m benchmarks.crowd`. A real server, and WebSocket clients instead of browsers.

Measures, with 1, 10, 30 and 60 visitors whose runs train, the time to open the page; the time of a fragment's rerun, requested at
the server's intervals; updates per second of the slowest, the median and the fastest run, and their sum; the memory of the
server; and the delay until a run applies a move of a dragged knob. The same with 20 visitors while 20 others drag a knob 30 times
a second. Then: the time to shut down a server while 30 runs and a sweep train; opening 300 pages within five seconds, just
after another visitor has left, and closing them; and the memory after several classes have come, trained and left. All of it with
one server process and, if HAProxy is installed, with two behind the proxy. The clients run on the same machine, which should do
nothing else. Nothing is asserted.
"""

import argparse
import asyncio
import contextlib
import os
import statistics
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.dashboard_server import serving
from tests.server.proxy_deployment import deployed, haproxy
from tests.websocket_client import TRAIN, WebSocketClient

SETTLE, SECONDS = 3.0, 10.0
CLASS = 30  # visitors
DRAG = 1 / 30  # seconds between two moves of a dragged knob
EVERY = 0.1  # seconds, at least, between two values of a dragged knob that a browser sends
SLOW_ANSWER, WAIT_FACTOR = 0.25, 2.0  # s: a browser whose answer took longer pauses for the excess times WAIT_FACTOR
MOVES, PAUSE = 40, 0.13  # moves of the timed knob, and seconds from an applied move to the next
COLUMNS = ("train", "open p50", "p95, s", "poll p50", "p95, ms", "least", "median", "most", "sum", "MB", "knob p50", "p95, ms")
WIDTH = 10
AFTER = (3, 60)  # seconds after all have left, at which memory is measured


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--train", type=int, nargs="*", default=[1, 10, 30, 60], help="how many train")
    parser.add_argument("--open", type=int, nargs="*", default=[300], help="how many open")
    parser.add_argument("--processes", type=int, nargs="*", default=[1, 2], choices=[1, 2], help="1, and 2 behind the proxy")
    parser.add_argument("--within", type=float, default=5.0, help="seconds within which they open")
    parser.add_argument("--drag", type=int, nargs="*", default=[20], help="how many train while as many drag a knob")
    parser.add_argument("--rounds", type=int, default=10, help="how many classes come one after the other")
    parser.add_argument("--end", type=int, nargs="*", default=[30], help="how many train when the server is told to end")
    options = parser.parse_args()
    for number in filter(possible, options.processes):
        print(f"processes: {number}; load of the machine before: {os.getloadavg()[0]:.1f}")
        print("".join(f"{name:>{WIDTH}}" for name in COLUMNS))
        for measure, sizes in ((_train, options.train), (_drag, options.drag), (_end, options.end)):
            for visitors in sizes:
                with served(number) as (url, processes):
                    asyncio.run(measure(url, processes, visitors))
        for visitors in options.open:
            with served(number) as (url, processes):
                asyncio.run(_open(url, processes, visitors, options.within))
        with served(number) as (url, processes):
            asyncio.run(_rounds(url, processes, options.rounds))


def possible(number: int) -> bool:
    """Whether ``number`` server processes are possible on this machine; prints the reason if not."""
    try:
        return number == 1 or bool(haproxy())
    except OSError as reason:
        print(f"Not behind a proxy: {reason}")
        return False


@contextlib.contextmanager
def served(number: int) -> Iterator[tuple[str, list[subprocess.Popen]]]:
    """Start one server process, or several behind the proxy; yields their URL and the processes."""
    with tempfile.TemporaryDirectory() as folder:
        if number == 1:
            with serving(Path(folder), "streamlit") as server:
                yield server.url, [server.process]
        else:
            with deployed(Path(folder), number) as several:
                yield several.url, [server.process for server in several.servers.values()]


async def _train(url: str, processes: Sequence[subprocess.Popen], number: int) -> None:
    visitors = await _open_clients(url, number, 1.0, TRAIN)
    await _watch(visitors, processes)
    await _close_clients(visitors)


async def _drag(url: str, processes: Sequence[subprocess.Popen], number: int) -> None:
    """Let ``number`` visitors train while as many others move a knob all the time."""
    visitors, others = await asyncio.gather(_open_clients(url, number, 1.0, TRAIN), _open_clients(url, number, 1.0))
    drags = [asyncio.create_task(_move(other, place)) for place, other in enumerate(others)]
    print(f"and {number} drag a knob {1 / DRAG:.0f} times a second:")
    await _watch(visitors, processes)
    states = Counter(visitor.data("run_view")["readout"]["state"] for visitor in visitors)
    print(f"    {states['training'] + states['waiting']} of {number} runs still train: {dict(states)}", flush=True)
    for drag in drags:
        drag.cancel()
    await asyncio.gather(*drags, return_exceptions=True)
    await _close_clients([*visitors, *others])


async def _move(visitor: WebSocketClient, first: int) -> None:
    """Move the learning rate over eight stops, again and again; like a browser, send a value once the last was answered."""
    began = time.monotonic()
    while True:
        place = first + int((time.monotonic() - began) / DRAG)
        await visitor.move_knob("learning_rate", 4 + place % 8)
        sent = time.monotonic()
        await visitor.answered("live_knobs")
        took = time.monotonic() - sent
        await asyncio.sleep(max(EVERY - took, min(1.0, WAIT_FACTOR * (took - SLOW_ANSWER)), 0.0))


async def _end(url: str, processes: Sequence[subprocess.Popen], number: int) -> None:
    visitors = await _open_clients(url, number, 1.0, TRAIN)
    await visitors[0].press("sweep_bar", "press", "begin")
    children: list[int] = []
    while len(children) < 2:  # until the processes of the sweep have started
        await asyncio.sleep(SETTLE)
        children = [child for process in processes for child in _children(process)]
    signalled = time.monotonic()
    for process in processes:
        process.terminate()
    await asyncio.gather(*(asyncio.to_thread(process.wait) for process in processes))
    ended = time.monotonic() - signalled
    while any(Path(f"/proc/{child}").exists() for child in children):
        await asyncio.sleep(0.01)
    gone = time.monotonic() - signalled
    print(f"{number} train, and {len(children)} processes: the server ended {ended:.2f} s after SIGTERM, all {gone:.2f} s")
    await _close_clients(visitors)


def _children(process: subprocess.Popen) -> list[int]:
    """The ids of the child processes of a process."""
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process.pid)], capture_output=True, text=True).stdout
    return list(map(int, found.split()))


async def _watch(visitors: Sequence[WebSocketClient], processes: Sequence[subprocess.Popen]) -> None:
    """Measure for ``SECONDS`` seconds, and print a row of the table."""
    number = len(visitors)
    await asyncio.sleep(SETTLE)
    for visitor in visitors:
        visitor.polls.clear()
    before = [update_of(visitor) for visitor in visitors]
    await asyncio.sleep(SECONDS)
    after = [update_of(visitor) for visitor in visitors]
    rates = sorted(map(rate, before, after))
    polls = sorted(1000 * poll for visitor in visitors for poll in visitor.polls)
    opened = sorted(visitor.opened for visitor in visitors)
    spread = (rates[0], statistics.median(rates), rates[-1], sum(rates))
    polls = polls or [float("inf")]
    times = (quantile(opened, 0.5), quantile(opened, 0.95), quantile(polls, 0.5), quantile(polls, 0.95))
    memory, knob_delays = megabytes(processes), await _knob(visitors[0])
    values = (number, *times, *spread, memory, quantile(knob_delays, 0.5), quantile(knob_delays, 0.95))
    print("".join(f"{value:{WIDTH}.4g}" for value in values), flush=True)


async def _knob(visitor: WebSocketClient) -> list[float]:
    """The milliseconds from each move of a dragged knob until the page shows that the run has applied it, sorted."""
    taken = []
    for place in range(MOVES):
        stop, moved = 4 + place % 8, time.perf_counter()
        await visitor.move_knob("learning_rate", stop, done=place == MOVES - 1)
        while visitor.position("learning_rate") != stop:
            await asyncio.sleep(0.001)
        taken.append(1000 * (time.perf_counter() - moved))
        await asyncio.sleep(PAUSE)
    return sorted(taken)


async def _open(url: str, processes: Sequence[subprocess.Popen], number: int, within: float) -> None:
    await _close_clients(await _open_clients(url, 1, 0.0, TRAIN))  # the server keeps the session of a visitor who may return
    before = megabytes(processes)
    visitors = await _open_clients(url, number, within)
    opened = sorted(visitor.opened for visitor in visitors)
    memory = [megabytes(processes)]
    await _close_clients(visitors)
    gone = time.monotonic()
    for seconds in AFTER:
        await asyncio.sleep(max(0.0, gone + seconds - time.monotonic()))
        memory.append(megabytes(processes))
    print(
        f"{len(visitors)} of {number} opened within {within:g} s: "
        f"p50 {quantile(opened, 0.5):.1f} s, p95 {quantile(opened, 0.95):.1f} s"
    )
    print(f"memory: {before:.0f} MB before, {memory[0]:.0f} MB with them", end="")
    for seconds, size in zip(AFTER, memory[1:], strict=True):
        print(f", {size:.0f} MB {seconds} s after they left", end="")
    print(flush=True)


async def _rounds(url: str, processes: Sequence[subprocess.Popen], rounds: int) -> None:
    """Let classes train for some seconds; print the memory a minute after the second and after the last of them has left."""
    for number in range(1, rounds + 1):
        visitors = await _open_clients(url, CLASS, 1.0, TRAIN)
        await asyncio.sleep(SETTLE)
        await _close_clients(visitors)
        if number in (2, rounds):
            await asyncio.sleep(AFTER[-1])
            print(f"{megabytes(processes):.0f} MB a minute after class {number} of {CLASS}", flush=True)


async def _open_clients(url: str, number: int, within: float, query: str = "") -> list[WebSocketClient]:
    """Open ``number`` clients, evenly spread over ``within`` seconds; print the errors of those that could not open."""

    async def one(place: int) -> WebSocketClient:
        await asyncio.sleep(within * place / number)
        return await WebSocketClient(url, query).open()

    came = await asyncio.gather(*map(one, range(number)), return_exceptions=True)
    for error in {repr(one) for one in came if isinstance(one, BaseException)}:
        print(f"could not open: {error}")
    return [one for one in came if isinstance(one, WebSocketClient)]


async def _close_clients(visitors: Sequence[WebSocketClient]) -> None:
    for error in {error for visitor in visitors for error in visitor.errors}:
        print(f"an error on the page: {error}")
    await asyncio.gather(*(visitor.close() for visitor in visitors))


def update_of(visitor: WebSocketClient) -> tuple[float, int]:
    """The time at which the visitor last received data of its run, in seconds, and the update in these data."""
    update = dict(visitor.data("run_view")["readout"]["rows"])["update"]
    return visitor.mounted["run_view"].received_at, int("".join(filter(str.isdigit, update)))


def rate(before: tuple[float, int], after: tuple[float, int]) -> float:
    """Updates per second between two results of ``update_of``; 0 if no data were received in between."""
    (since, then), (to, now) = before, after
    return (now - then) / (to - since) if to > since else 0.0


def quantile(values: Sequence[float], share: float) -> float:
    """The quantile of sorted values for this share."""
    return values[min(int(share * len(values)), len(values) - 1)]


def megabytes(processes: Sequence[subprocess.Popen]) -> float:
    """The resident memory of these processes, in MB."""
    pids = ",".join(str(process.pid) for process in processes)
    sizes = subprocess.run(["ps", "-o", "rss=", "-p", pids], capture_output=True, check=True).stdout
    return sum(map(int, sizes.split())) / 1024


if __name__ == "__main__":
    main()
