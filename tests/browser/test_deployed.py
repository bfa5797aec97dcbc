"""Behind the proxy, when the process of a session is killed: another one serves the page, which says what is lost."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from pages.app.session.tab_identity import NOT_KEPT
from tests.browser.training_page import Training
from tests.browser.waiting import until
from tests.dashboard_server import Server
from tests.server.proxy_deployment import Deployed, deployed, needs_haproxy

pytestmark = pytest.mark.xdist_group("deployed")  # one worker: one pair of servers


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployed]:
    needs_haproxy()
    with deployed(tmp_path_factory.mktemp("deployed")) as two:
        yield two


@pytest.fixture(scope="module")
def server(two: Deployed) -> Server:
    """The proxy, in the place of the server."""
    return Server(two.url, two.proxy, two.folder / "proxy.log")


def test_after_its_process_is_killed_a_session_is_served_by_another(page: Page, two: Deployed):
    training = Training(page, hidden_size=16)
    training.play()
    training.wait_for_updates()
    connected = until(page, two.connections, lambda connections: sum(map(bool, connections.values())) == 1)
    two.kill(max(connected, key=connected.get))
    expect(page.locator(".page-notice")).to_have_text(NOT_KEPT)
    training.wait_for_update(0)
    assert training.query()["hidden_size"] == "16"
    training.play()
    training.wait_for_updates()
