"""Many visitors at one server: who looks seldom, who leaves, who sends what no page of ours would send."""

import asyncio
from collections.abc import Callable, Iterator

import pytest

from pages.ui.pace import PACES
from tests.browser.conftest import serving
from tests.browser.watch import Server
from tests.visitor import Visitor

TRAIN = "update=20000"  # a link that trains as soon as it is open
LIMIT = 60.0  # seconds


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("crowd"), "streamlit") as server:
        yield server


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(LIMIT):
        while not holds():
            await asyncio.sleep(0.05)


def test_looks_are_fewer_while_many_train_and_as_many_as_before_when_they_have_gone(server):
    usual, crowded = PACES[:2]

    async def meet() -> None:
        first = await Visitor(server.url, TRAIN).open()
        await until(lambda: first.fastest < crowded.least)
        others = await asyncio.gather(*(Visitor(server.url, TRAIN).open() for _ in range(usual.runs)))
        await until(lambda: first.fastest == crowded.least)
        await asyncio.gather(*(other.close() for other in others))
        await until(lambda: first.fastest < crowded.least)
        assert not first.errors
        await first.close()

    asyncio.run(meet())
