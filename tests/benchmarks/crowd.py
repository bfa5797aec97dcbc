"""A class that comes at once: `python -m tests.benchmarks.crowd`. A real server, and visitors without a browser beside it.

For 1, 10, 30 and 60 visitors that train: how long the page took to open, how long a look at the run takes (there are as many as
the server asks for), updates per second of the slowest, the median and the fastest run and of all of them, and what the server's
process holds. And for 300 that open within five seconds, and close again. All of it for one process, and for two behind the
proxy where HAProxy is installed. The visitors take a part of the same machine: it should do nothing else. Nothing is asserted.
"""

import argparse
import asyncio
import contextlib
import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.benchmarks.page import _server
from tests.deployed import deployed, haproxy
from tests.visitor import Visitor

TRAIN = "update=20000"  # a link that trains as soon as it is open
SETTLE, SECONDS = 3.0, 10.0
WIDTH, COLUMNS = 10, ("train", "open p50", "p95, s", "look p50", "p95, ms", "slowest", "median", "fastest", "sum", "MB")
AFTER = (3, 60)  # seconds after all have gone


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--train", type=int, nargs="*", default=[1, 10, 30, 60], help="how many train")
    parser.add_argument("--open", type=int, nargs="*", default=[300], help="how many open")
    parser.add_argument("--processes", type=int, nargs="*", default=[1, 2], choices=[1, 2], help="1, and 2 behind the proxy")
    parser.add_argument("--within", type=float, default=5.0, help="seconds within which they open")
    options = parser.parse_args()
    for number in filter(_possible, options.processes):
        print(f"processes: {number}; load of the machine before: {os.getloadavg()[0]:.1f}")
        print("".join(f"{name:>{WIDTH}}" for name in COLUMNS))
        for visitors in options.train:
            with _served(number) as (url, processes):
                asyncio.run(_train(url, processes, visitors))
        for visitors in options.open:
            with _served(number) as (url, processes):
                asyncio.run(_open(url, processes, visitors, options.within))


def _possible(number: int) -> bool:
    """Whether so many processes can be served here; says why not."""
    try:
        return number == 1 or bool(haproxy())
    except OSError as reason:
        print(f"Not behind a proxy: {reason}")
        return False


@contextlib.contextmanager
def _served(number: int) -> Iterator[tuple[str, list[subprocess.Popen]]]:
    """One process, or several behind the proxy."""
    if number == 1:
        with _server() as (url, process):
            yield url, [process]
        return
    with tempfile.TemporaryDirectory() as folder, deployed(Path(folder), number) as several:
        yield several.url, [server.process for server in several.servers.values()]


async def _train(url: str, processes: Sequence[subprocess.Popen], number: int) -> None:
    visitors = await _come(url, number, 1.0, TRAIN)
    await asyncio.sleep(SETTLE)
    for visitor in visitors:
        visitor.polls.clear()
    before = [_update(visitor) for visitor in visitors]
    await asyncio.sleep(SECONDS)
    after = [_update(visitor) for visitor in visitors]
    rates = sorted(map(_rate, before, after))
    looks = sorted(1000 * poll for visitor in visitors for poll in visitor.polls)
    opened = sorted(visitor.opened for visitor in visitors)
    spread = (rates[0], statistics.median(rates), rates[-1], sum(rates))
    times = (_of(opened, 0.5), _of(opened, 0.95), _of(looks, 0.5), _of(looks, 0.95))
    print("".join(f"{value:{WIDTH}.4g}" for value in (number, *times, *spread, _megabytes(processes))), flush=True)
    await _go(visitors)


async def _open(url: str, processes: Sequence[subprocess.Popen], number: int, within: float) -> None:
    before = _megabytes(processes)
    visitors = await _come(url, number, within)
    opened = sorted(visitor.opened for visitor in visitors)
    held = [_megabytes(processes)]
    await _go(visitors)
    gone = time.monotonic()
    for seconds in AFTER:
        await asyncio.sleep(max(0.0, gone + seconds - time.monotonic()))
        held.append(_megabytes(processes))
    print(f"{len(visitors)} of {number} opened within {within:g} s: p50 {_of(opened, 0.5):.1f} s, p95 {_of(opened, 0.95):.1f} s")
    print(f"memory: {before:.0f} MB before, {held[0]:.0f} MB with them", end="")
    for seconds, size in zip(AFTER, held[1:], strict=True):
        print(f", {size:.0f} MB {seconds} s after they left", end="")
    print(flush=True)


async def _come(url: str, number: int, within: float, query: str = "") -> list[Visitor]:
    """They come evenly within so many seconds; who could not come is told."""

    async def one(place: int) -> Visitor:
        await asyncio.sleep(within * place / number)
        return await Visitor(url, query).open()

    came = await asyncio.gather(*map(one, range(number)), return_exceptions=True)
    for error in {repr(one) for one in came if isinstance(one, BaseException)}:
        print(f"could not open: {error}")
    return [one for one in came if isinstance(one, Visitor)]


async def _go(visitors: Sequence[Visitor]) -> None:
    for error in {error for visitor in visitors for error in visitor.errors}:
        print(f"an error on the page: {error}")
    await asyncio.gather(*(visitor.close() for visitor in visitors))


def _update(visitor: Visitor) -> tuple[float, int]:
    """When the visitor heard last of its run, in seconds, and which update that was."""
    said = dict(visitor.data("run_view")["readout"]["rows"])["update"]
    return visitor.mounted["run_view"].at, int("".join(filter(str.isdigit, said)))


def _rate(before: tuple[float, int], after: tuple[float, int]) -> float:
    """Updates per second between two of those; 0 where nothing was heard meanwhile."""
    (since, then), (to, now) = before, after
    return (now - then) / (to - since) if to > since else 0.0


def _of(values: Sequence[float], share: float) -> float:
    """The value below which this share of the sorted values lies."""
    return values[min(int(share * len(values)), len(values) - 1)]


def _megabytes(processes: Sequence[subprocess.Popen]) -> float:
    """What these processes hold in memory now."""
    pids = ",".join(str(process.pid) for process in processes)
    said = subprocess.run(["ps", "-o", "rss=", "-p", pids], capture_output=True, check=True).stdout
    return sum(map(int, said.split())) / 1024


if __name__ == "__main__":
    main()
