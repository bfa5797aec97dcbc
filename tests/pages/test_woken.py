"""The server's loop is woken once for what many scripts say, and hears all of it in order."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

from pages.ui import woken
from pages.ui.woken import Said

SCRIPTS, WORDS = 8, 200


def test_what_is_said_before_the_loop_has_time_wakes_it_once_and_is_heard_in_order():
    said, heard, wakings = Said(), [], []
    for word in range(WORDS):
        said.say(lambda word=word: heard.append(word), wakings.append, lambda do: do())
    (wake,) = wakings
    wake()
    assert heard == list(range(WORDS))


def test_what_is_said_while_the_loop_hears_wakes_it_again():
    said, heard, wakings = Said(), [], []

    def say(word: str, then: str = "") -> None:
        said.say(lambda: (heard.append(word), then and say(then)), wakings.append, lambda do: do())

    say("one", then="two")
    wakings.pop()()
    assert heard == ["one"]
    wakings.pop()()
    assert (heard, wakings) == (["one", "two"], [])


def test_of_many_threads_every_word_is_heard_and_none_overtakes_another_of_its_thread():
    said, heard = Said(), []

    def speak(loop: asyncio.AbstractEventLoop, script: int) -> None:
        for word in range(WORDS):
            said.say(lambda word=word: heard.append((script, word)), loop.call_soon_threadsafe, loop.call_soon)

    async def hear() -> None:
        loop = asyncio.get_running_loop()
        with ThreadPoolExecutor(SCRIPTS) as pool:
            await asyncio.gather(*(loop.run_in_executor(pool, speak, loop, script) for script in range(SCRIPTS)))
        while len(heard) < SCRIPTS * WORDS:
            await asyncio.sleep(0)

    asyncio.run(asyncio.wait_for(hear(), 60))
    assert [[word for one, word in heard if one == script] for script in range(SCRIPTS)] == [list(range(WORDS))] * SCRIPTS


def test_one_that_fails_takes_nobody_s_word():
    said, heard, troubles = Said(), [], []

    async def hear() -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _loop, trouble: troubles.append(trouble["exception"]))
        for do in (lambda: 1 / 0, lambda: heard.append("after it")):
            said.say(do, loop.call_soon_threadsafe, loop.call_soon)
        while not heard:
            await asyncio.sleep(0)

    asyncio.run(asyncio.wait_for(hear(), 60))
    assert [type(trouble) for trouble in troubles] == [ZeroDivisionError]


def test_the_loop_is_not_woken_to_be_told_what_it_says_itself(monkeypatch):
    wakings = []

    async def serve() -> tuple[bool, bool]:
        there = SimpleNamespace(eventloop=asyncio.get_running_loop(), need_send_data=asyncio.Event())
        monkeypatch.setattr(woken, "get_instance", lambda: SimpleNamespace(_get_async_objs=lambda: there))
        note = woken._noted(lambda: wakings.append("woken"))
        await asyncio.to_thread(note)
        by_a_thread = there.need_send_data.is_set()
        note()
        return by_a_thread, there.need_send_data.is_set()

    assert asyncio.run(serve()) == (False, True)
    assert wakings == ["woken"]
