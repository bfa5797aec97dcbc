"""A lecturer who asks a hall at a real server, and phones that flood it."""

import asyncio

from pages.app.server.room.registry import AT_ONCE
from tests.phone import Phone, close
from tests.websocket_client import WebSocketClient, until

HALL = 300  # phones
ATTACKER, NEIGHBOUR = "127.0.0.9", "127.0.0.8"  # addresses of phones
QUERY = "scene=lag"  # a number


async def asked(url: str) -> tuple[WebSocketClient, str]:
    """A lecturer who has asked the hall, and the link of the phones."""
    lecturer = await (await WebSocketClient(url, QUERY).load_page()).open()
    await press(lecturer, "on")
    return lecturer, lecturer.data("room")["link"]


async def press(lecturer: WebSocketClient, what: str) -> None:
    """Press a button of the room, and wait until its effect is shown."""
    room, changes = lecturer.data("room"), {"code": "link", "shut": "shut"}.get(what, "step")
    await lecturer.press("room", "go", {"step": room["step"], "number": room["number"], "what": what})
    await until(lambda: lecturer.data("room")[changes] != room[changes])


async def flood(link: str, source: str, joined: int = 0) -> None:
    """Load the page from one address until that is refused, each time claiming another address. ``joined`` phones have loaded
    it from there before.
    """
    statuses: list[int] = []
    while 429 not in statuses:
        phones = [Phone(link, source=source) for _phone in range(AT_ONCE // 10)]
        claims = [f"X-Forwarded-For: 10.0.{len(statuses) // 250}.{i}\r\n" for i in range(len(phones))]
        pages = await asyncio.gather(*(phone.request(more=claim) for phone, claim in zip(phones, claims, strict=True)))
        statuses += [page.status for page in pages]
        await close(phones)
    assert set(statuses) == {200, 429}
    assert statuses.count(200) >= AT_ONCE - joined


async def joins(link: str, source: str) -> int:
    """The status that a new phone from this address gets."""
    phone = Phone(link, source=source)
    status = await phone.join()
    await phone.close()
    return status
