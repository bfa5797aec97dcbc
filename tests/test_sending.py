"""Whatever is drawn again, and when: what the browser is sent has its place on the page."""

import asyncio

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.util import calc_hash

from tests.browser.conftest import serving
from tests.pages.test_part import misplaced
from tests.visitor import Visitor, meet

SMALL = "hidden_size=8&batch_size=2&num_steps=4&max_tokens=3000"
PAGES = ("training", "gradient_flow")  # with a part within a part
IMPATIENT = 0.01  # seconds between two wishes
WISHES = 60


class Impatient(Visitor):
    """Who asks for the parts of the page again and again while it is still drawn; it keeps all that it is sent."""

    def __init__(self, url: str, page: str) -> None:
        super().__init__(url, SMALL)
        self._page = calc_hash(page)
        self.drawn: list[ForwardMsg] = []

    async def _hear_delta(self, message: ForwardMsg) -> None:
        self.drawn.append(message)
        await super()._hear_delta(message)

    @property
    def parts(self) -> set[str]:
        return {message.delta.fragment_id for message in self.drawn} - {""}

    async def insist(self, part: str) -> None:
        opening = asyncio.create_task(self.open())
        for _ in range(WISHES):
            await asyncio.sleep(IMPATIENT)
            if self.connected:
                await self.ask(part)
        await opening


@pytest.mark.parametrize("page", PAGES)
def test_a_part_that_is_asked_for_while_the_page_is_drawn_loses_no_place(tmp_path, page):
    with serving(tmp_path, "tests.slow_sender") as server:

        async def visit() -> list[list[int]]:
            first = await Impatient(server.url, page).open()
            await first.close()
            lost = []
            for part in first.parts:
                visitor = Impatient(server.url, page)
                await visitor.insist(part)
                await visitor.close()
                assert not visitor.errors
                lost += misplaced(visitor.drawn)
            return lost

        assert meet(visit()) == []
