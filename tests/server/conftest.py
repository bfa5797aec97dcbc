"""A server as everybody starts it, for all tests that need no other one."""

import inspect
from collections.abc import Iterator

import pytest

from tests.dashboard_server import Server, serving
from tests.websocket_client import run_async


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """A test may be a coroutine."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    run_async(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in inspect.signature(pyfuncitem.obj).parameters}))
    return True


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A process of the dashboard. It fails the last test of its session that left a traceback in its log."""
    with serving(tmp_path_factory.mktemp("server"), "streamlit") as server:
        yield server
