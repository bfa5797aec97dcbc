"""The phones' page, its news and its answers: plain routes beside Streamlit, without a session. Nothing waits for a script."""

import asyncio
import json
import math
from base64 import b64encode
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import streamlit as st
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from core.config.language import closest_language, gettext as _, use_language
from pages.app.server.room.registry import Door, doors
from pages.app.server.room.room import LATE, Room

BODY = 4096  # bytes of an answer, at most
SLOWEST = 10.0  # seconds that an answer may take to arrive
HELD = 25.0  # seconds that a request for news is held: less than the timeouts of proxies
COOKIE = "rnn_room_"  # and the code: each room has a cookie of its own, which ends with the browser
PAGE = (Path(__file__).parent / "phone.html").read_text(encoding="utf-8")
HEADERS = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff"}


class Refused(Exception):
    """A request that is refused with this status and sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


def routes() -> list[Route]:
    """The page of a phone, its news (held until there are any), and its answer."""
    base = st.get_option("server.baseUrlPath").strip("/")
    at = f"{'/' * bool(base)}{base}/room/{{name}}"
    return [Route(at, _page), Route(f"{at}/now", _now), Route(f"{at}/answer", _answer, methods=["POST"])]


async def _page(request: Request) -> Response:
    try:
        door, phone, signed = _entered(request)
        if not phone:
            signed = _let_in(door, request)
    except Refused as refused:
        return _refusal(refused)
    html, policy = _written(json.dumps(_words()), _words()["title"], _language(request))
    response = HTMLResponse(html, headers=HEADERS | {"Content-Security-Policy": policy})
    response.set_cookie(_cookie(request), signed, path=request.url.path, httponly=True, samesite="lax")
    return response


async def _now(request: Request) -> Response:
    try:
        door, phone, _signed = _joined(request)
    except Refused as refused:
        return _refusal(refused)
    known = request.query_params.get("v", "")
    if known == str(door.room.version):
        await door.wait(door.room.version, HELD)
    if known == str(door.room.version):
        return Response(status_code=204, headers=HEADERS)
    return JSONResponse(news(door.room, phone), headers=HEADERS)


async def _answer(request: Request) -> Response:
    try:
        door, phone, _signed = _joined(request)
        said = await _message(request)
        door.room.answer(phone, said.get("n"), said.get("vote"), said.get("answer"))
    except Refused as refused:
        return _refusal(refused)
    except ClientDisconnect:
        return Response(status_code=400)
    except ValueError as error:
        is_late = str(error) == LATE
        return _refusal(Refused(409, _("It is too late for this vote.")) if is_late else _no_answer())
    return Response(status_code=204, headers=HEADERS)


async def _message(request: Request) -> dict[str, Any]:
    """The JSON object in the body of a request."""
    body = b""
    try:
        async with asyncio.timeout(SLOWEST):
            async for part in request.stream():
                body += part
                if len(body) > BODY:
                    raise Refused(413, _("This answer is too long."))
    except TimeoutError:
        raise Refused(408, _("This answer did not arrive.")) from None
    try:
        said = json.loads(body)
    except (ValueError, RecursionError):
        raise _no_answer() from None
    if not isinstance(said, dict):
        raise _no_answer()
    return said


def _no_answer() -> Refused:
    return Refused(400, _("That is no answer to this question."))


def _entered(request: Request) -> tuple[Door, str, str]:
    """The door in the address of a request (after the name of the process, if there is one), and the name of its phone; the name
    is empty if the phone has not been let in."""
    use_language(_language(request))
    door = doors.get(_code(request))
    if not door:
        raise Refused(404, _("There is no such room, or it is over. Look at the code on the wall."))
    signed = request.cookies.get(_cookie(request), "")
    return door, door.name_of(signed), signed


def _let_in(door: Door, request: Request) -> str:
    """A signed name for a new phone, which came with the code that is on the wall now."""
    if door.shut:
        raise Refused(403, _("The door is closed: nobody else joins now."))
    if _code(request) != door.code:
        raise Refused(404, _("There is no such room, or it is over. Look at the code on the wall."))
    signed = door.admit(request.client.host if request.client else "")
    if not signed:
        raise Refused(429, _("Many phones are coming from your network. Wait a moment, and load this page again."))
    return signed


def _joined(request: Request) -> tuple[Door, str, str]:
    door, phone, signed = _entered(request)
    if not phone:
        raise Refused(403, _("Load this page first: your phone has not joined, or it refuses cookies."))
    if not door.room.join(phone):
        raise Refused(403, _("This room is full."))
    return door, phone, signed


def _code(request: Request) -> str:
    return request.path_params["name"].rpartition(".")[2].upper()


def _cookie(request: Request) -> str:
    return COOKIE + "".join(letter for letter in _code(request) if letter.isascii() and letter.isalnum())[:8]


def _language(request: Request) -> str:
    return closest_language(request.headers.get("accept-language", "").partition(",")[0])


def _refusal(refused: Refused) -> Response:
    return PlainTextResponse(str(refused), status_code=refused.status, headers=HEADERS)


def news(room: Room, phone: str) -> dict[str, Any]:
    """What a phone shows, in the current language: never the answers of others, and the right one with the truth alone."""
    asked, told = room.asked, room.step == "truth"
    shown = {
        "v": room.version,
        "n": room.number,
        "vote": len(room.votes),
        "open": room.is_open,
        "q": None,
        "mine": None,
        "right": None,
    }
    if not asked:
        return shown
    written = (lambda text: text) if asked.own else _
    question = {"kind": asked.kind, "text": written(asked.words)}
    if asked.kind == "choice":
        question["options"] = [written(option) for option in asked.options]
        shown["right"] = asked.right if told else None
    elif asked.kind == "number":
        question |= {"low": asked.bounds[0], "high": asked.bounds[1], "log": asked.log}
        shown["right"] = asked.truth if told and math.isfinite(asked.truth) else None
    else:
        lines = [(_(name), height) for name, height in asked.lines]
        question |= {"until": asked.bounds[1], "top": asked.top, "lines": lines}
    mine = room.votes[-1].answers.get(phone)
    return shown | {"q": question, "mine": perplexities(mine) if isinstance(mine, list) else mine}


def perplexities(nats: list[float]) -> list[float | None]:
    """A curve as its phone has sent it."""
    return [None if math.isnan(one) else round(math.exp(one), 6) for one in nats]


@lru_cache(16)
def _written(words: str, title: str, language: str) -> tuple[str, str]:
    """The page with these words, and the policy that allows its own script alone."""
    html = PAGE.replace("WORDS", words.replace("<", "\\u003c"), 1).replace("TITLE", title, 1).replace("LANG", language, 1)
    script = html.partition("<script>")[2].partition("</script>")[0]
    digest = b64encode(sha256(script.encode()).digest()).decode()
    return html, f"default-src 'none'; connect-src 'self'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"


def _words() -> dict[str, str]:
    return {
        "title": _("The hall answers"),
        "wait": _("Wait for the next question."),
        "sent": _("Sent. You can change it while the vote is open."),
        "closed": _("This vote is closed. Look at the wall."),
        "second": _("Second vote: what do you think now?"),
        "draw": _("Draw with your finger, from left to right."),
        "or": _("Or with these sliders:"),
        "at": _("at update {n}"),
        "send": _("Send"),
        "clear": _("Clear"),
        "right": _("The right answer is {answer}."),
        "lost": _("No connection. It is tried again."),
        "kept": _("No name, no account; nothing of you is kept."),
        "x": _("updates"),
        "y": _("perplexity"),
    }
