"""A server as everybody starts it, for all tests that need no other one."""

from collections.abc import Iterator

import pytest

from tests.dashboard_server import Server, serving


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A process of the dashboard. It fails the last test of its session that left a traceback in its log."""
    with serving(tmp_path_factory.mktemp("server"), "streamlit") as server:
        yield server
