"""Several processes behind the proxy: a tab stays connected to the process of its run. When a process, the proxy or all of them
are killed, every tab reconnects with its settings and reports a lost run, and no other tab is affected. Phones of a hall reach
the process of their lecturer, also when one address floods it.
"""

import asyncio
import re
from collections.abc import Iterator, Sequence
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
import requests

from pages.app.connection.tab_identity import NOT_KEPT
from pages.app.server.static_assets import COMPONENTS_SCRIPT, url_of
from tests.phone import Phone, close as close_phones
from tests.server.hall import ATTACKER, HALL, NEIGHBOUR, asked, flood, joins, press
from tests.server.proxy_deployment import ADDRESSES, Deployed, deployed, needs_haproxy
from tests.websocket_client import WebSocketClient, until

TRAIN = "update=20000&hidden_size=16&cosine_until=0"  # URL parameters of a run that trains as soon as the page is open
LIMIT = 60.0  # seconds
CLASS = 6  # visitors
METRICS = ("_stcore/metrics", "_stcore/%6Detrics", "_stcore%2Fmetrics")


@pytest.fixture(scope="module", autouse=True)
def require_haproxy() -> None:
    needs_haproxy()


@pytest.fixture(scope="module")
def shared_deployment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployed]:
    """Two processes that ping each browser every second to detect closed connections."""
    with deployed(tmp_path_factory.mktemp("deployed"), STREAMLIT_SERVER_WEBSOCKET_PING_INTERVAL="1") as deployment:
        yield deployment


@pytest.fixture
def deployment(shared_deployment) -> Deployed:
    """The same two processes; those that the previous test ended are restarted."""
    shared_deployment.restart_ended()
    return shared_deployment


def update(visitor: WebSocketClient) -> int:
    """The update that the page shows; -1 before it shows one."""
    if "run_view" not in visitor.mounted:
        return -1
    shown = dict(visitor.data("run_view")["readout"]["rows"])["update"]
    return int("".join(filter(str.isdigit, shown)))


async def a_class(url: str, number: int = CLASS) -> list[WebSocketClient]:
    """Open ``number`` visitors and wait until the runs of all have begun to train."""
    visitors = list(await asyncio.gather(*(WebSocketClient(url, TRAIN).open() for _ in range(number))))
    await until(lambda: all(update(visitor) > 0 for visitor in visitors))
    return visitors


async def go_on(visitors: Sequence[WebSocketClient]) -> None:
    """Wait until all runs have trained further; assert that no visitor has an error, a notice or a lost connection."""
    before = [update(visitor) for visitor in visitors]
    await until(lambda: all(update(visitor) > then for visitor, then in zip(visitors, before, strict=True)))
    assert not [visitor for visitor in visitors if visitor.disconnected or visitor.errors or visitor.notices]


async def close(visitors: Sequence[WebSocketClient]) -> None:
    await asyncio.gather(*(visitor.close() for visitor in visitors))


def lost(visitor: WebSocketClient) -> bool:
    """Whether the visitor's page reports that the run is lost."""
    return any(NOT_KEPT in notice for notice in visitor.notices)


def status(url: str) -> int:
    try:
        with urlopen(url, timeout=LIMIT) as answer:
            return answer.status
    except HTTPError as refused:
        return refused.code


def answers_for_metrics(url: str) -> list[int]:
    return [status(f"{url}/{path}") for path in METRICS]


async def test_a_killed_process_loses_its_own_runs_alone(deployment):
    visitors = await a_class(deployment.url)
    deployment.kill(ADDRESSES[0])
    await until(lambda: ADDRESSES[0] not in deployment.connections() and any(visitor.disconnected for visitor in visitors))
    (process,) = {visitor.cookies["rnn_process"] for visitor in visitors if visitor.disconnected}
    gone = [visitor for visitor in visitors if visitor.cookies["rnn_process"] == process]
    stay = [visitor for visitor in visitors if visitor not in gone]
    await until(lambda: all(visitor.disconnected for visitor in gone))
    await go_on(stay)
    await asyncio.gather(*(visitor.reconnect() for visitor in gone))
    await until(lambda: all(lost(visitor) and update(visitor) > 0 for visitor in gone))
    assert {visitor.cookies["rnn_process"] for visitor in gone} == {visitor.cookies["rnn_process"] for visitor in stay}
    await go_on(stay)
    await close(visitors)


async def test_a_session_stays_in_its_process_when_a_process_joins(tmp_path):
    with deployed(tmp_path, processes=1) as one:
        (first,) = await a_class(one.url, 1)
        one.start(ADDRESSES[1])
        await until(lambda: len(one.connections()) == 2)
        (second,) = await a_class(one.url, 1)
        assert second.cookies["rnn_process"] != first.cookies["rnn_process"]
        before = update(first)
        await first.reconnect()
        await until(lambda: update(first) >= before)
        await go_on([first, second])
        await close([first, second])


async def test_the_proxy_may_be_started_again_while_a_class_trains(deployment):
    visitors = await a_class(deployment.url)
    processes, before = [visitor.cookies["rnn_process"] for visitor in visitors], [update(visitor) for visitor in visitors]
    deployment.stop_proxy()
    await until(lambda: all(visitor.disconnected for visitor in visitors))
    deployment.start_proxy()
    await until(lambda: len(deployment.connections()) == 2)
    await asyncio.gather(*(visitor.reconnect() for visitor in visitors))
    await until(lambda: all(map(lambda visitor, then: update(visitor) >= then, visitors, before)))
    assert [visitor.cookies["rnn_process"] for visitor in visitors] == processes
    await go_on(visitors)
    await close(visitors)


async def test_tabs_reconnect_after_a_restart_of_all_processes(deployment):
    visitors = await a_class(deployment.url)
    for address in ADDRESSES:
        deployment.kill(address)
    await until(lambda: all(visitor.disconnected for visitor in visitors))
    deployment.restart_ended()
    await asyncio.gather(*(visitor.reconnect() for visitor in visitors))
    await until(lambda: all(lost(visitor) and update(visitor) > 0 for visitor in visitors))
    for visitor in visitors:
        visitor.notices.clear()
    await go_on(visitors)
    await close(visitors)


async def test_a_client_that_vanishes_or_stops_reading_is_dropped_and_blocks_nobody(deployment):
    vanishes, reads_no_more, *others = visitors = await a_class(deployment.url)
    vanishes.abort()
    reads_no_more.stop_reading()
    await until(lambda: sum(deployment.connections().values()) == len(others))
    await go_on(others)
    reads_no_more.abort()  # otherwise the closing handshake would wait for an answer
    await close(visitors)


async def test_phones_reach_the_process_of_their_lecturer(deployment):
    lecturers: dict[str, tuple[WebSocketClient, str]] = {}  # by process; an open session sends the next one to another process
    more = []
    while len(lecturers) < len(ADDRESSES):
        lecturer, link = await asked(deployment.url)
        more += [lecturer] if lecturer.cookies["rnn_process"] in lecturers else []
        lecturers.setdefault(lecturer.cookies["rnn_process"], (lecturer, link))
    for lecturer, link in lecturers.values():
        phones = [Phone(link) for _phone in range(CLASS)]
        assert [await phone.join() for phone in phones] == [200] * len(phones)
        assert set(await asyncio.gather(*(phone.answer(1.5) for phone in phones))) == {204}
        await until(lambda lecturer=lecturer: lecturer.data("room")["answered"] == CLASS)
        held = [asyncio.create_task(phone.wait()) for phone in phones]
        await press(lecturer, "on")
        assert {news["open"] for news in await asyncio.gather(*held)} == {False}
        await close_phones(phones)
        more.append(lecturer)
    await close(more)


async def test_a_flood_keeps_out_no_hall_behind_another_address_whatever_it_claims(deployment):
    lecturer, link = await asked(deployment.url)
    joined = Phone(link, source=ATTACKER)
    assert await joined.join() == 200
    await flood(link, ATTACKER, joined=1)
    assert await joined.answer(1.5) == 204
    hall = [Phone(link, source=NEIGHBOUR) for _phone in range(HALL)]
    assert set(await asyncio.gather(*(phone.join() for phone in hall))) == {200}
    await close_phones(hall)
    await press(lecturer, "code")
    assert await joins(lecturer.data("room")["link"], ATTACKER) == 200
    assert await joined.answer(2) == 204
    await press(lecturer, "shut")
    assert await joins(lecturer.data("room")["link"], NEIGHBOUR) == 403
    await until(lambda: lecturer.data("room")["answered"] == 1)
    await joined.close()
    await lecturer.close()


def test_metrics_are_read_from_a_process_and_not_through_the_proxy(deployment):
    assert answers_for_metrics(deployment.servers[ADDRESSES[0]].url) == [200] * len(METRICS)
    assert answers_for_metrics(deployment.url) == [404] * len(METRICS)


async def test_files_are_kept_and_compressed_by_the_proxy_below_a_path_too(tmp_path):
    with deployed(tmp_path, processes=1, base_path="/rnn") as one:
        script = re.search(r"static/js/index[^\"]*[.]js", requests.get(f"{one.url}/", timeout=LIMIT).text)[0]
        process = one.servers[ADDRESSES[0]].url
        for file in (script, url_of(COMPONENTS_SCRIPT)):
            plain, _, again = (requests.get(f"{url}/{file}", timeout=LIMIT) for url in (process, one.url, one.url))
            assert again.content == plain.content
            assert again.headers["content-encoding"] == "gzip"
            assert "immutable" in again.headers["cache-control"]
            assert "age" in again.headers  # the proxy answered from its cache
        assert answers_for_metrics(one.url) == [404] * len(METRICS)
        await close(await a_class(one.url, 1))
