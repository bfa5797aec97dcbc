"""The phones of a hall at a real server: they get in from one address, and hostile ones keep nobody else out."""

import asyncio
import contextlib

from tests.dashboard_server import Server
from tests.phone import Phone, close
from tests.server.hall import ATTACKER, HALL, NEIGHBOUR, asked, flood, joins
from tests.websocket_client import until

WITHIN = 30.0  # seconds


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
