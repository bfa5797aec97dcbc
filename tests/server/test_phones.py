"""The phones of a hall at a real server: they get in from one address, and hostile ones keep nobody else out."""

import asyncio
import contextlib

from pages.app.server.room.registry import AT_ONCE
from tests.dashboard_server import Server
from tests.phone import Phone, close
from tests.websocket_client import WebSocketClient, until

HALL = 300
WITHIN = 30.0  # seconds
ATTACKER, NEIGHBOUR = "127.0.0.9", "127.0.0.8"  # addresses of phones
QUERY = "scene=lag"  # a number


async def asked(url: str) -> tuple[WebSocketClient, str]:
    """A lecturer who has asked the hall, and the link of the phones."""
    lecturer = await (await WebSocketClient(url, QUERY).load_page()).open()
    await press(lecturer, "on")
    return lecturer, lecturer.data("room")["link"]


async def press(lecturer: WebSocketClient, what: str) -> None:
    room, changes = lecturer.data("room"), {"code": "link", "shut": "shut"}.get(what, "step")
    await lecturer.press("room", "go", {"step": room["step"], "number": room["number"], "what": what})
    await until(lambda: lecturer.data("room")[changes] != room[changes])


async def flood(link: str, source: str) -> None:
    """Load the page from one address until that is refused, each time claiming another address."""
    statuses: list[int] = []
    while 429 not in statuses:
        phones = [Phone(link, source=source) for _phone in range(AT_ONCE // 10)]
        claims = [f"X-Forwarded-For: 10.0.{len(statuses) // 250}.{i}\r\n" for i in range(len(phones))]
        pages = await asyncio.gather(*(phone.request(more=claim) for phone, claim in zip(phones, claims, strict=True)))
        statuses += [page.status for page in pages]
        await close(phones)
    assert set(statuses) == {200, 429}
    assert statuses.count(200) >= AT_ONCE


async def joins(link: str, source: str) -> int:
    """The status that a new phone from this address gets."""
    phone = Phone(link, source=source)
    status = await phone.join()
    await phone.close()
    return status


async def test_half_sent_answers_leave_no_traceback_and_a_hall_behind_one_address_gets_in(server: Server):
    lecturer, link = await asked(server.url)
    phones = [Phone(link) for _phone in range(HALL)]
    async with asyncio.timeout(WITHIN):
        assert set(await asyncio.gather(*(phone.join() for phone in phones))) == {200}
    await until(lambda: lecturer.data("room")["joined"] == HALL)
    host, port = "127.0.0.1", int(server.url.rpartition(":")[2])
    head = f"POST {phones[0].path}/answer HTTP/1.1\r\nHost: {host}\r\nCookie: {phones[0].cookie}\r\nContent-Length: 500\r\n\r\n"
    for _half in range(20):
        _reader, writer = await asyncio.open_connection(host, port)
        writer.write(head.encode() + b'{"n": 1, "vote": 1, "ans')
        await writer.drain()
        writer.transport.abort()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()
    assert set(await asyncio.gather(*(phone.answer(1.5) for phone in phones))) == {204}
    await until(lambda: lecturer.data("room")["answered"] == HALL)
    await close(phones)
    await lecturer.close()
    assert not server.tracebacks()


async def test_without_a_proxy_the_address_that_a_phone_claims_is_not_believed(server: Server):
    lecturer, link = await asked(server.url)
    await flood(link, ATTACKER)
    assert await joins(link, NEIGHBOUR) == 200
    await lecturer.close()
