"""The phones of a hall: `python -m benchmarks.hall`. A real server, a run that trains, and asyncio clients instead of phones.

300 phones join within some seconds, hold their requests, and are asked again and again. Measures the seconds from the lecturer's
press until a phone has the question, and from an answer until the server has taken it; answers that were lost; the updates per
second of the run while the phones wait and while they vote, as shares of those without phones, in turns; and the memory. With one
process and, if HAProxy is installed, with two behind the proxy, of which the other one trains, too. The clients run on the same
machine, which should do nothing else. Beside each figure stands its mark, and whether it is kept; nothing is asserted.
"""

import argparse
import asyncio
import contextlib
import os
import random
import statistics
import subprocess
import time
from collections.abc import Callable, Sequence
from functools import partial

from benchmarks.crowd import megabytes, possible, quantile, rate, served, update_of
from tests.phone import Phone, close
from tests.websocket_client import WebSocketClient, until

TRAIN = "update=20000&cosine_until=0&hidden_size=256"  # a run that trains longer than this takes
ARRIVED = 10.0  # seconds after which an answer that the lecturer does not see counts as lost
HURRY = 1.0  # seconds within which all phones answer
MARKS = {"question": 0.5, "answer": 0.3, "idle": 0.1}  # s at the 95th percentile, s, and a share of the updates, at most


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--phones", type=int, default=300)
    parser.add_argument("--processes", type=int, nargs="*", default=[1, 2], choices=[1, 2], help="1, and 2 behind the proxy")
    parser.add_argument("--rounds", type=int, default=10, help="questions")
    parser.add_argument("--within", type=float, default=10.0, help="seconds within which the phones join")
    parser.add_argument("--seconds", type=float, default=5.0, help="of each measurement of updates")
    options = parser.parse_args()
    for number in filter(possible, options.processes):
        with served(number) as (url, processes):
            print(f"processes: {number}; load of the machine before: {os.getloadavg()[0]:.1f}", flush=True)
            asyncio.run(_lecture(url, processes, options))


async def _lecture(url: str, processes: Sequence[subprocess.Popen], options: argparse.Namespace) -> None:
    lecturers = [await (await WebSocketClient(url, TRAIN).load_page()).open() for _process in processes]
    await until(lambda: all(update_of(one)[1] > 0 for one in lecturers))
    lecturer = lecturers[0]
    await _press(lecturer, "on")
    before = megabytes(processes)
    phones, took = await _join(lecturer.data("room")["link"], options.phones, options.within)
    print(f"{len(phones)} of {options.phones} phones joined within {options.within:g} s, p95 {quantile(took, 0.95):.2f} s each")
    alone, idle = [], []
    for _turn in range(3):
        waits = [asyncio.create_task(phone.wait()) for phone in phones]
        await asyncio.sleep(0.5)
        idle.append(await _updates(lecturer, options.seconds))
        await _cancel(waits)
        await close(phones)
        await asyncio.sleep(0.5)
        alone.append(await _updates(lecturer, options.seconds))
    print(
        f"updates lost while {len(phones)} wait: {_lost(idle, alone)}{_mark('idle', _shares(idle, alone)[len(idle) // 2])}; "
        f"updates per second alone {statistics.median(alone):.0f}"
    )
    await _questions(lecturer, phones, options.rounds, alone)
    print(f"memory: {before:.0f} MB before, {megabytes(processes):.0f} MB after", flush=True)
    await asyncio.gather(close(phones), *(one.close() for one in lecturers))


async def _questions(lecturer: WebSocketClient, phones: Sequence[Phone], rounds: int, alone: Sequence[float]) -> None:
    """Ask, let all answer, and begin again; print the delays and what was lost."""
    asked, answered, plain, lost, voting = [], [], [], 0, []
    for _round in range(rounds):
        await _press(lecturer, "leave")
        await asyncio.gather(*(_news(phone, lambda news: news["q"] is None) for phone in phones))
        plain += await asyncio.gather(*map(_plain, phones))
        waits = [asyncio.create_task(_news(phone, lambda news: news["q"] is not None)) for phone in phones]
        await asyncio.sleep(0.2)  # all hold their requests
        pressed, then = time.perf_counter(), update_of(lecturer)
        await _press(lecturer, "on")
        asked += [at - pressed for at in await asyncio.gather(*waits)]
        answers = await asyncio.gather(*(_answer(phone) for phone in phones))
        answered += [seconds for status, seconds in answers if status == 204]
        with contextlib.suppress(TimeoutError):
            await until(partial(_arrived, lecturer, len(answers)), ARRIVED)
        lost += len(answers) - lecturer.data("room")["answered"]
        voting.append(rate(then, update_of(lecturer)))
    for name, seconds in (("question", asked), ("answer", answered), ("a plain request of all at once", plain)):
        seconds.sort()
        last = quantile(seconds, 0.95)
        print(f"{name}: p50 {quantile(seconds, 0.5):.3f} s, p95 {last:.3f} s{_mark(name, last)}, of {len(seconds)}")
    print(f"answers lost: {lost}; updates lost while all vote: {_lost(voting, alone)}")


def _arrived(lecturer: WebSocketClient, number: int) -> bool:
    return lecturer.data("room")["answered"] == number


async def _news(phone: Phone, accept: Callable[[dict], bool]) -> float:
    """Wait for such news; returns when they came."""
    while not accept(await phone.wait()):
        pass
    return time.perf_counter()


async def _plain(phone: Phone) -> float:
    """The seconds of a request that does nothing, to compare with on a machine that does other things, too."""
    sent = time.perf_counter()
    await phone.request(address="/_stcore/health")
    return time.perf_counter() - sent


async def _answer(phone: Phone) -> tuple[int, float]:
    """Send a curve at some moment; returns the status and the seconds that it took."""
    await asyncio.sleep(random.uniform(0, HURRY))
    sent = time.perf_counter()
    status = await phone.answer([random.uniform(2, 50) for _column in range(41)])
    return status, time.perf_counter() - sent


async def _join(link: str, number: int, within: float) -> tuple[list[Phone], list[float]]:
    async def one(place: int) -> tuple[Phone, int, float]:
        await asyncio.sleep(within * place / number)
        began, phone = time.perf_counter(), Phone(link)
        return phone, await phone.join(), time.perf_counter() - began

    came = await asyncio.gather(*map(one, range(number)))
    return [phone for phone, status, _ in came if status == 200], sorted(seconds for *_, seconds in came)


async def _press(lecturer: WebSocketClient, what: str) -> None:
    """Press a button of the room, and wait until its next step is shown."""
    room = lecturer.data("room")
    if what == "leave" and not room["step"]:
        return
    await lecturer.press("room", "go", {"step": room["step"], "number": room["number"], "what": what})
    await until(lambda: lecturer.data("room")["step"] != room["step"])


async def _updates(lecturer: WebSocketClient, seconds: float) -> float:
    """Updates per second of the lecturer's run."""
    before = update_of(lecturer)
    await asyncio.sleep(seconds)
    return rate(before, update_of(lecturer))


def _mark(name: str, value: float) -> str:
    if name not in MARKS:
        return ""
    return f" (mark {MARKS[name]:g}: {'kept' if value <= MARKS[name] else 'MISSED'})"


def _shares(rates: Sequence[float], alone: Sequence[float]) -> list[float]:
    return sorted(1 - one / statistics.median(alone) for one in rates)


def _lost(rates: Sequence[float], alone: Sequence[float]) -> str:
    shares = _shares(rates, alone)
    return f"{statistics.median(shares):.0%} (between {shares[0]:.0%} and {shares[-1]:.0%}; alone itself ±{_spread(alone):.0%})"


def _spread(rates: Sequence[float]) -> float:
    return (max(rates) - min(rates)) / 2 / statistics.median(rates)


async def _cancel(tasks: Sequence[asyncio.Task]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


if __name__ == "__main__":
    main()
