"""A server with default settings, shared by all tests that need no other one; and support for coroutine tests."""

import inspect
from collections.abc import Iterator

import pytest

from tests.dashboard_server import Server, serving
from tests.websocket_client import run_async


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a test that is a coroutine function."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    run_async(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in inspect.signature(pyfuncitem.obj).parameters}))
    return True


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A process of the dashboard. If its log contains a traceback at the end, the last test of the session fails."""
    with serving(tmp_path_factory.mktemp("server"), "streamlit") as server:
        yield server
