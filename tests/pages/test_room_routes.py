"""The phones of a hall: they join, answer, reload and wait; and what hostile ones get."""

import asyncio
import json
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

import pytest
from starlette.applications import Starlette

from core.config.limits import LIMITS
from pages.app.server.room.registry import AT_ONCE, Door
from pages.app.server.room.room import Asked, Room, shuffled
from pages.app.server.room.routes import BODY, routes
from pages.figures.room.votes import COLUMNS
from tests.pages.app_session import HOSTILE

CHOICE = Asked("", "choice", "We swap two characters. Which network notices?", **shuffled("both", [("neither", "why")]))
NUMBER = Asked("", "number", "How many?", bounds=(1.0, 1000.0), log=True)
CURVE = Asked("", "curve", "Draw.", bounds=(1.0, 1000.0), log=True, top=5.0, lines=(("bigram", 2.0),))
LARGEST_PAGE = 10_000  # bytes
Result = TypeVar("Result")


def run(coroutine: Coroutine[Any, Any, Result]) -> Result:
    """The result of a coroutine, in an event loop and a thread of its own: this thread may have a browser's loop."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(asyncio.run, coroutine).result()


class Answer(NamedTuple):
    status: int
    text: str
    headers: dict[str, str]

    @property
    def news(self) -> dict[str, Any]:
        return json.loads(self.text)


class Phone:
    """A browser's requests to the routes, with its cookies."""

    def __init__(self, door: Door, *, language: str = "en", address: str = "10.0.0.1") -> None:
        self.app, self.door, self.language, self.address = Starlette(routes=routes()), door, language, address
        self.code, self.cookie = door.code, ""

    async def request(
        self, path: str, body: bytes | None = None, query: str = "", *, breaks: bool = False, hangs: bool = False
    ) -> Answer:
        sent: list[dict] = []
        headers = {"accept-language": self.language, "cookie": self.cookie}
        scope = {
            "type": "http", "method": "GET" if body is None else "POST", "path": f"/room/{self.code}{path}", "root_path": "",
            "query_string": query.encode(), "client": (self.address, 1), "server": ("x", 80), "scheme": "http",
            "http_version": "1.1", "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        }  # fmt: skip
        parts = [{"type": "http.request", "body": body or b"", "more_body": breaks or hangs}, {"type": "http.disconnect"}]

        async def receive() -> dict:
            if hangs and len(parts) == 1:
                await asyncio.Event().wait()
            return parts.pop(0)

        async def send(message: dict) -> None:
            sent.append(message)

        await self.app(scope, receive, send)
        named = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
        if "set-cookie" in named:
            self.cookie = named["set-cookie"].partition(";")[0]
        text = b"".join(message.get("body", b"") for message in sent[1:]).decode()
        return Answer(sent[0]["status"], text, named)

    async def load(self) -> Answer:
        return await self.request("")

    async def now(self, version: int = -1) -> Answer:
        return await self.request("/now", query=f"v={version}")

    async def answer(self, answer: Any, number: int = 1, vote: int = 1) -> Answer:
        return await self.request("/answer", json.dumps({"n": number, "vote": vote, "answer": answer}).encode())


def asking(asked: Asked | None) -> Door:
    door = Door(Room())
    if asked:
        door.room.ask(asked)
    return door


async def joined(door: Door, **given: Any) -> Phone:
    phone = Phone(door, **given)
    assert (await phone.load()).status == 200
    assert (await phone.now()).status == 200
    return phone


def test_a_phone_joins_answers_and_finds_its_answer_after_a_reload():
    async def lecture() -> None:
        for asked, first, then in ((CHOICE, 1, 0), (NUMBER, 30, 2.5), (CURVE, [2.0] * COLUMNS, [None, *[3.0] * (COLUMNS - 1)])):
            door = asking(asked)
            phone, other = await joined(door), await joined(door)
            for answer in (first, then):
                assert (await phone.answer(answer)).status == 204
                await phone.load()
                assert (await phone.now()).news["mine"] == pytest.approx(answer)
            assert (await other.now()).news["mine"] is None
            assert door.room.answered() == 1
            assert len(door.room.phones) == 2

    run(lecture())


@pytest.mark.parametrize("language", ["en-GB", "zh-CN,zh;q=0.9"])
def test_the_page_is_small_and_in_the_language_of_the_phone(language):
    async def load() -> tuple[Answer, dict]:
        phone = Phone(asking(CHOICE), language=language)
        return await phone.load(), (await phone.now()).news

    page, news = run(load())
    assert len(page.text.encode()) <= LARGEST_PAGE
    chinese = language.startswith("zh")
    assert f'<html lang="{language[:2]}">' in page.text
    assert (news["q"]["text"] == CHOICE.words) != chinese
    assert "httponly" in page.headers["set-cookie"].lower()
    assert "max-age" not in page.headers["set-cookie"].lower()


def test_the_right_answer_comes_with_the_truth_and_nobody_elses_ever():
    async def lecture() -> list[dict]:
        door = asking(CHOICE)
        phone, other = await joined(door), await joined(door)
        await other.answer(1)
        shown = []
        while door.room.step:
            shown.append((await phone.now()).news)
            door.room.go_on()
        return shown

    shown = run(lecture())
    assert [one["right"] for one in shown] == [None, None, None, CHOICE.right]
    assert {frozenset(one) for one in shown} == {frozenset({"v", "n", "vote", "open", "q", "mine", "right"})}
    assert all(one["mine"] is None for one in shown)


def test_a_held_request_is_answered_as_soon_as_the_room_changes():
    async def lecture() -> Answer:
        door = asking(None)
        phone = await joined(door)
        held = asyncio.create_task(phone.now(door.room.version))
        await asyncio.sleep(0)
        while not door._waiting:
            await asyncio.sleep(0)
        door.room.ask(CHOICE)
        door.wake()
        return await held

    assert run(lecture()).news["q"]["text"] == CHOICE.words


BODIES = [
    b"", b"x", b"[]", b"null", b"{}", b'{"n": 1, "vote": 1}', b'{"n": 1, "vote": 1, "answer": NaN}', b"[" * 4000, b"\xff" * 50,
    b'{"n": 1, "vote": 1, "answer": true}', b'{"n": true, "vote": 1, "answer": 0}', b'{"n": 1, "vote": 1, "answer": 1e999}',
    b'{"n": 1, "vote": 2, "answer": 0}', b'{"n": 2, "vote": 1, "answer": 0}', b" " * (BODY + 1), b"9" * 4000,
    *(json.dumps({"n": 1, "vote": 1, "answer": text[:400]}).encode() for text in HOSTILE),
]  # fmt: skip


@pytest.mark.parametrize("asked", [CHOICE, NUMBER, CURVE, None], ids=["choice", "number", "curve", "nothing"])
def test_a_hostile_body_gets_a_sentence_and_changes_nothing(asked):
    async def attack() -> None:
        door = asking(asked)
        phone = await joined(door)
        version = door.room.version
        for body in BODIES:
            refused = await phone.request("/answer", body)
            assert 400 <= refused.status < 500, body
            assert refused.text.endswith(".")
            assert "<" not in refused.text
        assert (await phone.request("/answer", b'{"n', breaks=True)).status == 400
        assert (door.room.answered(), door.room.version) == (0, version)

    run(attack())


def test_a_body_that_never_ends_is_given_up_with_a_sentence(monkeypatch):
    monkeypatch.setattr("pages.app.server.room.routes.SLOWEST", 0.0)

    async def attack() -> Answer:
        phone = await joined(asking(CHOICE))
        return await phone.request("/answer", b'{"n": 1, "vote"', hangs=True)

    answer = run(attack())
    assert (answer.status, answer.text[-1]) == (408, ".")


def test_a_late_vote_is_refused_at_every_step_and_changes_nothing():
    async def lecture() -> None:
        door = asking(CHOICE)
        phone = await joined(door)
        await phone.answer(0)
        for step in ("talk", "second", "truth", ""):
            door.room.go_on()
            assert door.room.step == step
            refused = await phone.answer(1, vote=1)
            assert (refused.status, refused.text[-1]) == (409, ".")
            counts = [door.room.counts(vote) for vote in door.room.votes] if door.room.asked else []
            assert counts in ([], [[1, 0]], [[1, 0], [0, 0]])

    run(lecture())


def test_ten_thousand_answers_from_one_address_do_not_affect_who_has_joined():
    async def flood() -> None:
        door = Door(Room(), now=lambda: 0.0)
        door.room.ask(CHOICE)
        hall = [await joined(door) for _phone in range(3)]
        attacker, stranger = await joined(door), Phone(door)
        version = door.room.version
        for number in range(5000):
            assert (await attacker.answer(number % 2)).status == 204
            assert (await stranger.answer(0)).status == 403
        for phone in hall:
            assert (await phone.answer(1)).status == 204
            assert (await phone.now()).news["mine"] == 1
        assert door.room.counts(door.room.votes[0]) == [0, 4]  # the attacker's last answer is one vote
        assert (len(door.room.phones), door.room.version) == (4, version)

    run(flood())


def test_a_full_room_says_so_and_a_new_code_makes_places_for_others(monkeypatch):
    monkeypatch.setattr("pages.app.server.room.room.LIMITS", replace(LIMITS, room_phones=2))

    async def flood() -> None:
        door = asking(CHOICE)
        hall = [await joined(door), await joined(door)]
        late = Phone(door)
        await late.load()
        refused = await late.now()
        assert (refused.status, refused.text[-1]) == (403, ".")
        door.change_code()
        await joined(door)
        assert (await hall[0].answer(0)).status == 204

    run(flood())


def test_without_a_name_from_the_door_nothing_is_answered_and_a_wrong_room_is_none():
    async def attack() -> None:
        door = asking(CHOICE)
        stranger = Phone(door)
        for cookie in ("", f"rnn_room_{door.code}=x", f"rnn_room_{door.code}=abc.{'0' * 32}", f"rnn_room_{door.code}=é.é"):
            stranger.cookie = cookie.encode().decode("latin-1")
            assert (await stranger.answer(0)).status == 403
            assert (await stranger.now()).status == 403
        stranger.code = "NONE"
        for answer in (await stranger.load(), await stranger.now(), await stranger.answer(0)):
            assert (answer.status, answer.text[-1]) == (404, ".")
        assert door.room.answered() == len(door.room.phones) == 0

    run(attack())


def test_a_hall_behind_one_address_gets_in_and_a_flood_keeps_out_only_who_comes_new():
    async def flood() -> None:
        door = Door(Room(), now=lambda: 0.0)
        door.room.ask(CHOICE)
        hall = [await joined(door) for _phone in range(300)]
        for _request in range(AT_ONCE):
            await Phone(door).load()
        refused = await Phone(door).load()
        assert (refused.status, refused.text[-1]) == (429, ".")
        assert (await Phone(door, address="10.0.0.2").load()).status == 200
        assert (await hall[0].answer(0)).status == 204
        old = door.code
        door.change_code()
        late = Phone(door)
        late.code = old
        assert (await late.load()).status == 404
        assert (await Phone(door).load()).status == 200
        assert (await hall[1].answer(1)).status == 204  # under the earlier code
        assert (await hall[1].load()).status == 200
        door.shut = True
        assert (await Phone(door).load()).status == 403
        assert (await hall[2].answer(1)).status == 204
        assert door.room.answered() == 3

    run(flood())


def test_the_name_of_a_process_before_the_code_leads_to_the_same_room():
    async def lecture() -> int:
        phone = Phone(asking(CHOICE))
        phone.code = f"0123456789abcdef.{phone.door.code.lower()}"
        await phone.load()
        await phone.now()
        return (await phone.answer(0)).status

    assert run(lecture()) == 204
