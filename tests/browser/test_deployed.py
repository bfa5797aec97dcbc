"""What somebody sees whose process was killed: the page is in another one, with its settings, and says what is lost."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from pages.ui.tab import NOT_KEPT
from tests.browser.test_training import Training
from tests.browser.waiting import until
from tests.dashboard_server import Server
from tests.server.proxy_deployment import Deployed, deployed, needs_haproxy


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployed]:
    needs_haproxy()
    with deployed(tmp_path_factory.mktemp("deployed")) as two:
        yield two


@pytest.fixture(scope="module")
def server(two) -> Server:
    """What all fixtures take for the server is the proxy."""
    return Server(two.url, two.proxy, two.folder / "proxy.log")


def connected(two: Deployed) -> list[str]:
    """The addresses of the processes to which somebody is connected."""
    return [address for address, connections in two.connections().items() if connections]


def test_when_its_process_is_killed_the_page_is_in_another_and_says_what_is_lost(page, two):
    one = Training(page, hidden_size=16)
    one.play()
    one.trained(50)
    (holds,) = until(page, lambda: connected(two), lambda addresses: len(addresses) == 1)
    two.kill(holds)
    expect(page.locator(".page-notice")).to_have_text(NOT_KEPT)
    until(page, one.update, lambda update: update == 0)
    assert one.query()["hidden_size"] == "16"
    one.play()
    one.trained(50)
