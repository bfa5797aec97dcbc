"""A phone of a hall without a browser: it loads its page, waits for news, and answers. Hundreds fit beside a server."""

import asyncio
import contextlib
import json
from collections.abc import Iterable
from typing import Any, NamedTuple
from urllib.parse import urlsplit

HEADERS = "Host: {host}\r\nAccept-Language: {language}\r\nCookie: {cookie}\r\n"


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes


class Wire:
    """A connection that is kept, as a browser keeps it."""

    def __init__(self, host: str, port: int, source: str) -> None:
        self._to = {"host": host, "port": port} | ({"local_addr": (source, 0)} if source else {})
        self._open: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def request(self, head: str, body: bytes) -> Answer:
        """Send a request; once more on a new connection if the server has closed this one."""
        if self._open:
            with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
                return await self._send(head, body)
            await self.close()
        self._open = await asyncio.open_connection(**self._to)
        return await self._send(head, body)

    async def _send(self, head: str, body: bytes) -> Answer:
        reader, writer = self._open
        writer.write(head.encode() + body)
        lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        named = dict(line.lower().split(": ", 1) if i else ("", "") for i, line in enumerate(lines) if line)
        cookie = next((line.partition(": ")[2] for line in lines if line.lower().startswith("set-cookie: ")), "")
        length = int(named.get("content-length", 0))
        return Answer(int(lines[0].split()[1]), named | {"set-cookie": cookie}, await reader.readexactly(length))

    async def close(self) -> None:
        if self._open:
            self._open[1].close()
            with contextlib.suppress(ConnectionError):
                await self._open[1].wait_closed()
        self._open = None


class Phone:
    """A phone at the link on the wall. ``source``: its own address, one of this machine's loopback ones."""

    def __init__(self, link: str, *, language: str = "en", source: str = "") -> None:
        parts = urlsplit(link)
        self.path, self.host, self.language, self.cookie = parts.path, parts.netloc, language, ""
        self._held, self._answers = (Wire(parts.hostname, parts.port or 80, source) for _wire in range(2))
        self.news: dict[str, Any] = {"v": -1}

    async def request(
        self, path: str = "", body: bytes | None = None, more: str = "", *, held: bool = False, address: str = ""
    ) -> Answer:
        """Request a path of the room, or another ``address`` of its server."""
        fields = HEADERS.format(host=self.host, language=self.language, cookie=self.cookie) + more
        length = "" if body is None else f"Content-Length: {len(body)}\r\n"
        head = f"{'GET' if body is None else 'POST'} {address or self.path + path} HTTP/1.1\r\n{fields}{length}\r\n"
        return await (self._held if held else self._answers).request(head, body or b"")

    async def join(self, more: str = "") -> int:
        """Load the page, and be known in the room; returns the status."""
        page = await self.request(more=more)
        if page.status == 200:
            self.cookie = page.headers["set-cookie"].partition(";")[0]
            await self.wait()
        return page.status

    async def wait(self) -> dict[str, Any]:
        """Hold a request until there are news."""
        while (answer := await self.request(f"/now?v={self.news['v']}", held=True)).status == 204:
            pass
        assert answer.status == 200, answer
        self.news = json.loads(answer.body)
        return self.news

    async def answer(self, answer: Any) -> int:
        """Answer the question of the news; returns the status."""
        said = {"n": self.news["n"], "vote": self.news["vote"], "answer": answer}
        return (await self.request("/answer", json.dumps(said).encode())).status

    async def close(self) -> None:
        await self._held.close()
        await self._answers.close()


async def close(phones: Iterable[Phone]) -> None:
    await asyncio.gather(*(phone.close() for phone in phones))
