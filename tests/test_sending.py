"""Whatever is drawn again, and when: what the browser is sent has its place on the page, and all that was drawn is sent."""

import asyncio
from collections import Counter

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.util import calc_hash

from tests.browser.conftest import serving
from tests.pages.test_part import misplaced
from tests.visitor import PATIENCE, Visitor, meet

SMALL = "hidden_size=8&batch_size=2&num_steps=4&max_tokens=3000"
PAGES = ("training", "gradient_flow")  # with a part within a part
IMPATIENT = 0.01  # seconds between two wishes
WISHES = 60
ROUNDS = 8


class Impatient(Visitor):
    """Who asks for the parts of the page again and again while it is still drawn; it keeps all that it is sent."""

    def __init__(self, url: str, page: str) -> None:
        super().__init__(url, SMALL)
        self._page = calc_hash(page) if page else ""
        self.drawn: list[ForwardMsg] = []
        self.runs: list[tuple[str, list[str]]] = []  # of which page, and of which parts of it if not of the whole
        self.ended: Counter[str] = Counter()  # how often a part was drawn to its end

    async def _hear_new_session(self, message: ForwardMsg) -> None:
        self.runs.append((message.new_session.page_script_hash, list(message.metadata.run.fragment_ids)))
        await super()._hear_new_session(message)

    async def _hear_script_finished(self, message: ForwardMsg) -> None:
        self.ended.update(message.metadata.run.fragment_ids)
        await super()._hear_script_finished(message)

    def asking(self, fragment: str = "") -> BackMsg:
        message = super().asking(fragment)
        message.rerun_script.page_name = "" if self._page else "perplexity"  # a browser knows no page but by its address at first
        return message

    async def turn(self, page: str, part: str) -> None:
        """Turn to another page, and ask once more for a part of this one while that is drawn; ``runs`` begins with that page."""
        late, self._page, whole = self.asking(part), calc_hash(page), (calc_hash(page), [])
        await self.ask()
        async with asyncio.timeout(PATIENCE):
            while whole not in self.runs:
                await asyncio.sleep(0)
            del self.runs[: self.runs.index(whole)]  # what was of the page before, and was asked for before
            asked = len(self.runs)
            await self.send(late)
            while not any(parts for _, parts in self.runs[asked:]):
                await asyncio.sleep(IMPATIENT)

    async def _hear_delta(self, message: ForwardMsg) -> None:
        self.drawn.append(message)
        await super()._hear_delta(message)

    async def wish_for(self, *parts: str) -> None:
        """One after the other, a little apart, until all have been drawn."""
        before = self.ended.copy()
        for part in parts:
            await self.ask(part)
            await asyncio.sleep(IMPATIENT)
        async with asyncio.timeout(PATIENCE):
            while any(self.ended[part] == before[part] for part in parts):
                await asyncio.sleep(IMPATIENT)

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


def test_a_late_look_at_the_page_before_does_not_take_the_open_one_away(tmp_path):
    with serving(tmp_path, "streamlit") as server:

        async def visit() -> list[tuple[str, list[str]]]:
            visitor = await Impatient(server.url, "training").open()
            (part,) = sorted(visitor.parts)[-1:]
            await visitor.turn("perplexity", part)
            await visitor.close()
            return visitor.runs

        runs = meet(visit())
        assert any(parts for _, parts in runs)
        assert {page for page, _ in runs} == {calc_hash("perplexity")}


def test_a_look_at_the_page_that_a_fresh_server_was_asked_for_by_its_name_is_of_that_page(tmp_path):
    with serving(tmp_path, "streamlit") as server:

        async def visit() -> list[tuple[str, list[str]]]:
            visitor = await Impatient(server.url, "").open()
            for part in visitor.parts:
                looked = len(visitor.runs)
                await visitor.ask(part)
                async with asyncio.timeout(PATIENCE):
                    while len(visitor.runs) == looked:
                        await asyncio.sleep(IMPATIENT)
            await visitor.close()
            return visitor.runs

        pages = {page for page, parts in meet(visit()) if parts}
        assert pages == {calc_hash("perplexity")}


def test_what_one_part_has_drawn_arrives_also_when_another_one_is_asked_for_meanwhile(tmp_path):
    with serving(tmp_path, "tests.slow_listener") as server:

        async def visit() -> None:
            visitor = await Impatient(server.url, "training").open()
            for _ in range(ROUNDS):
                await visitor.wish_for(*sorted(visitor.parts))
            await visitor.close()
            assert not visitor.errors

        meet(visit())
