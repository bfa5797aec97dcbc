"""Everybody's share of the server: what moves faster than a crowd allows is heard as often as it allows, all of it at once.

A hand that drags a knob sends ten messages a second, and each has a part of the page drawn. Of one hand nobody notices that;
of four, a class of sixteen would train nothing any more. What is held back is passed on together and in order, and drawn
once: the last place of the knob always counts. A single press waits for nothing.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

from streamlit.proto.BackMsg_pb2 import BackMsg

FREE = 3  # hands that move, and runs that train, at once: so few wait for nothing
REST = 3.0  # times as long as they are drawn for, nothing is drawn for all hands together: what looks and training have
LONGEST = 2.0  # seconds that a message is held back
LATELY = 1.0  # seconds since a message in which its session counts as one whose hand moves
MOST_HELD = 64  # messages of one session


class Hand:
    """What a session's hand has sent: when it was last passed on, when it last came, and what is held back since."""

    def __init__(self) -> None:
        self.passed = self.came = float("-inf")
        self.held: list[BackMsg] = []


def replaces(message: BackMsg, before: BackMsg) -> bool:
    """Whether one says all that the one before it says, only newer: where the same knob stands, and nothing is pressed."""
    one, other = message.rerun_script, before.rerun_script
    widgets, others = one.widget_states.widgets, other.widget_states.widgets
    asks = [(asked.fragment_id, asked.page_script_hash, asked.query_string) for asked in (one, other)]
    return (
        asks[0] == asks[1]
        and [widget.id for widget in widgets] == [widget.id for widget in others]
        and not any("trigger" in (widget.WhichOneof("value") or "") for widget in (*widgets, *others))
    )


class Shares:
    """Passes messages of hands on to ``handle(session, message)``, at once or a little later. Called on the server's loop.

    ``takes()``: the seconds that drawing takes at present; ``train()``: how many runs do.
    """

    def __init__(
        self,
        handle: Callable[[Any, BackMsg], None],
        takes: Callable[[], float],
        train: Callable[[], int],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._handle = handle
        self._takes = takes
        self._train = train
        self._clock = clock
        self._hands: WeakKeyDictionary[Any, Hand] = WeakKeyDictionary()

    def gap(self) -> float:
        """Seconds between two messages of one hand that are passed on."""
        since = self._clock() - LATELY
        moving = sum(hand.came > since for hand in self._hands.values())
        return min(LONGEST, moving * (1 + REST) * self._takes()) if moving + self._train() > FREE else 0.0

    def hear(self, session: Any, message: BackMsg, later: Callable[[float, Callable[[], None]], Any] | None = None) -> None:
        """A message came. ``later(seconds, do)`` is the loop's, unless told otherwise."""
        if not message.HasField("rerun_script") or message.rerun_script.is_auto_rerun:
            self._handle(session, message)
            return
        hand = self._hands.setdefault(session, Hand())
        hand.came = self._clock()
        waits = 0.0 if len(hand.held) >= MOST_HELD else hand.passed + self.gap() - hand.came
        if hand.held:
            if replaces(message, hand.held[-1]):
                hand.held.pop()
            hand.held.append(message)
            if not waits:
                self._pass_on(session)
        elif waits > 0:
            hand.held.append(message)
            (later or asyncio.get_running_loop().call_later)(waits, lambda: self._pass_on(session))
        else:
            hand.passed = hand.came
            self._handle(session, message)

    def _pass_on(self, session: Any) -> None:
        hand = self._hands[session]
        held, hand.held = hand.held, []
        if held:
            hand.passed = self._clock()
        for message in held:
            self._handle(session, message)
