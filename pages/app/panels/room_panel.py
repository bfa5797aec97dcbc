"""The room of the hall, over the page: its question, its votes and the truth."""

import re
from urllib.parse import urlsplit

import streamlit as st

from core.config.language import gettext as _, lazy_gettext, sentences
from core.config.link import only_for_this_machine
from pages.app.navigation.auto_refresh import auto_refresh
from pages.app.session.room_questions import has_question, question_of
from pages.app.session.session import Session
from pages.app.widgets.components import room as draw
from pages.app.widgets.rerun import rerun_page
from pages.content.notation import in_notation
from pages.content.tally import renewed
from pages.figures.parts.numbers import short
from pages.figures.parts.share_link import ONLY_HERE, qr_code
from pages.figures.room.votes import advice
from pages.figures.room.wall import AFTER_FIRST_VOTE, RoomDrawing, Scale, curve_chart, histogram

EVERY = 1.0  # seconds between two looks at the answers
PROCESS_HEADER = "X-Rnn-Process"  # the proxy's name of this process (haproxy.cfg)
NO_PHONES = lazy_gettext(
    "No phone has come: can they reach this machine? Networks of a campus often keep devices apart. Let the phones use a hotspot "
    "of this machine, start the dashboard on a server (docker compose up --build), or count hands."
)


def show_room(session: Session) -> None:
    """Draw the room of the hall, which is closed until it is asked something."""
    room = session.hall.room
    if room.asked and room.asked.scene != (session.scene.key if session.scene else ""):
        session.hall.change(lambda room: room.leave())  # another scene was opened
    auto_refresh(_show, lambda: bool(room.step), EVERY, session)


def _show(session: Session) -> None:
    draw(
        room_scene(session, link_of_phones(session)),
        on_go=lambda step, number, what: press(session, step, number, what),
        on_hands=lambda place, many: session.hall.change(lambda room: room.count_hands(place, many)),
    )


def press(session: Session, step: str, number: int, what: str) -> None:
    """Do what the lecturer pressed at this step of this question; ignored at another one, where it was pressed twice."""
    hall, room = session.hall, session.hall.room
    if (step, number) != (room.step, room.number):
        return
    if what in ("hands", "phones"):
        hall.by_hand = what == "hands"
    if what in ("code", "shut", "open"):
        hall.turn_door(what)
    elif what == "leave":
        hall.change(lambda room: room.leave())
    elif what == "truth":
        hall.change(lambda room: room.tell_truth())
    elif what == "on" and room.step:
        hall.change(lambda room: room.go_on())
    elif what in ("on", "hands", "phones"):
        asked = question_of(session, by_hand=hall.by_hand)
        if asked and (not room.asked or room.asked.kind == "curve" or asked.kind == "curve"):
            hall.ask(asked)
    if room.step == "truth" and (tally := room.tally()):
        session.lecture.counted = renewed(session.lecture.counted, tally)
    rerun_page()


def link_of_phones(session: Session) -> str:
    """The address of the phones' page; empty before the first question. Behind the proxy it names this process."""
    door, at = session.hall.door, urlsplit(st.context.url or "")
    if not door or not at.netloc:
        return ""
    base = st.get_option("server.baseUrlPath").strip("/")
    process = st.context.headers.get(PROCESS_HEADER) or ""
    name = f"{process}.{door.code}" if re.fullmatch("[0-9a-f]{16}", process) else door.code
    return f"{at.scheme}://{at.netloc}{'/' * bool(base)}{base}/room/{name}"


def room_scene(session: Session, link: str) -> RoomDrawing:
    """The data of the room: nothing but whether there is a question, until one is asked."""
    hall, room = session.hall, session.hall.room
    asked = room.asked
    scene: RoomDrawing = {
        "step": room.step, "can": has_question(session), "number": room.number, "kind": "", "question": "", "options": [],
        "misunderstandings": [], "right": -1, "counts": [], "earlier": [], "hands": [], "advice": "",
        "answered": room.answered(), "joined": len(room.phones), "shut": bool(hall.door and hall.door.shut),
        "by_hand": hall.by_hand, "link": "", "code": None, "note": "", "histogram": None, "chart": None,
    }  # fmt: skip
    if not asked:
        return scene
    words = in_notation({"question": asked.words if asked.own else _(asked.words)}, session.settings.notation)
    return scene | words | _votes(session) | _charts(session) | _ways_in(session, link)


def _votes(session: Session) -> dict:
    """The options of the question that was asked, its counts, and what the lecturer is told of them."""
    room, asked = session.hall.room, session.hall.room.asked
    options = asked.options if asked.own else map(_, asked.options)
    counts = [room.counts(vote) for vote in room.votes] if room.places else []
    said = advice(counts[-1][room.right], sum(counts[-1])) if room.step == "talk" and room.right >= 0 else ""
    believes = [_(words) if words else "" for words in asked.misunderstandings]
    return {
        "kind": asked.kind,
        "options": Scale(*asked.bounds, asked.log).bins() if asked.kind == "number" else list(options),
        "misunderstandings": believes + [f"{short(value)}: {_(words)}" for value, words in asked.guesses],
        "right": asked.right,
        "counts": counts,
        "hands": [room.votes[-1].hands[place] for place in range(room.places)],
        "earlier": _earlier(session) if room.step == "truth" else [],
        "advice": _(AFTER_FIRST_VOTE[said]) if said else "",
    }


def _charts(session: Session) -> dict:
    """The chart of guessed numbers, or of drawn curves with the run once the truth is told."""
    room, asked = session.hall.room, session.hall.room.asked
    given = [list(vote.answers.values()) for vote in room.votes]
    if asked.kind == "number":
        return {"histogram": histogram(given, Scale(*asked.bounds, asked.log), asked.truth)}
    if asked.kind == "choice":
        return {}
    run, told = session.monitored.history.judged, room.step == "truth"
    return {"chart": curve_chart(given, int(asked.bounds[1]), asked.top, dict(asked.lines), run, told=told)}


def _earlier(session: Session) -> list[list[int]]:
    """The counts of an earlier hall on the question, by vote and option; empty if none was asked."""
    tally = session.hall.room.tally()
    found = [one for one in session.lecture.earlier if tally and one.of_same(tally)]
    return [[vote[answer] for answer in tally.votes[0]] for vote in found[0].votes] if found else []


def _ways_in(session: Session, link: str) -> dict:
    """The link of the phones with its QR code, and what to do where they cannot come; nothing where hands are counted."""
    if session.hall.by_hand or not link:
        return {}
    if only_for_this_machine(link):
        return {"link": link, "note": sentences(_(ONLY_HERE), _("Or count hands."))}
    return {"link": link, "code": qr_code(link), "note": "" if session.hall.is_patient else _(NO_PHONES)}
