"""Networks trained side by side: `python -m benchmarks.sweep`. Processes of joblib, and a real server with a visitor.

Measures the time of eight networks, as a share of the time one after another; the time until a stopped sweep rests; the time of
a fragment's rerun, twice a second, while a sweep trains; the time from closing the tab until all training processes have ended;
how many of ten seeds fail on lag-k with a truncation of k - 1, the state carried, and learn it with k; and the perplexity on text
for each truncation length. Only the last two are meaningful while the machine does other work. Nothing is asserted.
"""

import argparse
import asyncio
import os
import statistics
import time
from collections.abc import Sequence

from benchmarks.browser import serve
from core.config.settings import Settings
from core.training.experiments.comparisons import ON_TEXT, RECIPE, needed, on_text, sweep_settings
from core.training.experiments.echo_bound import JUDGED, TOKENS
from core.training.experiments.sweep import Sweep, grouped, plans
from core.training.experiments.sweep_worker import Budget, Member, Text, train_slice
from core.training.run.live_run import LiveRun
from pages.figures.training.sweep_words import budget_words
from tests.server.sweep_processes import begin, processes
from tests.websocket_client import WebSocketClient, until

RATES = (0.0003, 0.001, 0.002, 0.003, 0.005, 0.01, 0.02, 0.03)
BUDGET = Budget(tokens=2_000_000)
LONG = Budget(tokens=10_000_000)  # longer than the measurement
STOPS, SECONDS = 5, 15.0
SHORT, LEARNT = 1.9, 1.3  # perplexities: above SHORT nothing is learnt, below LEARNT the lag is learnt


ON_TEXT_TOKENS, ON_TEXT_SEEDS = 3_000_000, 3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=MEASURES, help="one of these")
    only = parser.parse_args().only
    print(f"load of the machine before: {os.getloadavg()[0]:.1f}, cores: {os.cpu_count()}")
    for name, measure in MEASURES.items():
        if only in (None, name):
            measure()


def cores() -> None:
    """Time all networks side by side, and then one after another in this process."""
    members = plans(Settings(), "learning_rate", RATES, 1)
    began = time.perf_counter()
    for _ in Sweep(members, BUDGET):
        pass
    together = time.perf_counter() - began
    began = time.perf_counter()
    for settings in members:
        member = Member(settings)
        while not member.ended:
            member = train_slice(member, BUDGET, Text())
    alone = time.perf_counter() - began
    print(f"{len(members)} networks: {together:.1f} s side by side, {alone:.1f} s one after another: {together / alone:.2f}")


def stop() -> None:
    """Time from stopping a sweep until it rests."""
    waits = []
    for _ in range(STOPS):
        run = LiveRun(Sweep(plans(Settings(), "learning_rate", RATES, 1), BUDGET))
        run.play(until=len(RATES))
        while run.source.tokens == 0:
            time.sleep(0.05)
        time.sleep(1.0)
        began = time.perf_counter()
        run.pause()
        run.join()
        waits.append(time.perf_counter() - began)
    print(f"stopped within {max(waits):.2f} s, median {statistics.median(waits):.2f} s, of {STOPS}")


def page() -> None:
    with serve() as (url, _):
        asyncio.run(_polled(url))


def tab() -> None:
    """Time from closing the tab until all training processes have ended."""
    with serve() as (url, server):
        waits = [asyncio.run(_closed(url, server.pid)) for _ in range(STOPS)]
    print(f"all processes ended within {max(waits):.1f} s of the closing, median {statistics.median(waits):.1f} s, of {STOPS}")


async def _closed(url: str, server: int) -> float:
    visitor = await begin(url)
    await until(lambda: len(processes(server)) > 1)
    await asyncio.sleep(1.0)
    began = time.perf_counter()
    await visitor.close()
    await until(lambda: not processes(server))
    return time.perf_counter() - began


async def _polled(url: str) -> None:
    visitor = await WebSocketClient(url).open()
    drawn = visitor.finished
    await visitor.press("controls", "choose", {"name": "budget", "value": budget_words(LONG)})
    await until(lambda: visitor.finished > drawn)
    await visitor.press("controls", "press", "begin")
    await asyncio.sleep(3.0)
    visitor.polls.clear()
    await asyncio.sleep(SECONDS)
    polls = sorted(1000 * poll for poll in visitor.polls)
    errors = visitor.errors or "no error"
    print(f"{len(polls)} polls in {SECONDS:g} s, every {visitor.shortest_interval:g} s: {_spread(polls)} ms; {errors}")
    await visitor.close()


def _spread(values: Sequence[float]) -> str:
    if not values:
        return "none"
    return f"p50 {values[len(values) // 2]:.0f}, p95 {values[int(0.95 * len(values))]:.0f}, longest {values[-1]:.0f}"


def lag() -> None:
    """Train on lag-k with one update for each block of τ steps, the state carried, and ten seeds."""
    for k in (4, 6, 8):
        least = needed("lag", k)
        members = sweep_settings(RECIPE.but(corpus="lag", lag=k), (least - 1, least), 10, blocks=True)
        sweep = Sweep(members, Budget(tokens=TOKENS), judged=JUDGED)
        for _ in sweep:
            pass
        groups = grouped(sweep.members, "truncation")
        short, enough = ([member.reached.perplexity for member in group.members] for group in groups)
        stay, learn = sum(value > SHORT for value in short), sum(value < LEARNT for value in enough)
        print(f"lag-{k}: {stay} of 10 above {SHORT} at τ = {least - 1} (least {min(short):.3f}); ", end="")
        print(f"{learn} of 10 below {LEARNT} at τ = {least} (most {max(enough):.3f})", flush=True)


def text() -> None:
    """Train on the default text in windows of 32 steps, cut every τ steps, at a constant learning rate."""
    members = sweep_settings(on_text(Settings()), ON_TEXT, ON_TEXT_SEEDS, blocks=False)
    sweep = Sweep(members, Budget(tokens=ON_TEXT_TOKENS), judged=JUDGED)
    for _ in sweep:
        pass
    for group in grouped(sweep.members, "truncation"):
        seeds = ", ".join(f"{member.reached.perplexity:.2f}" for member in group.members)
        print(f"τ = {group.value}: {group.perplexity:.2f} (seeds {seeds})", flush=True)


MEASURES = {"cores": cores, "stop": stop, "page": page, "tab": tab, "lag": lag, "text": text}

if __name__ == "__main__":
    main()
