"""What a visitor leaves behind when nothing of it is kept any more: nothing."""

import gc
import weakref

import pytest
from streamlit.runtime.caching.cache_resource_api import clear_session_cache
from streamlit.util import calc_hash

from pages.ui.memory import raise_file_limit
from pages.ui.presence import shelf
from tests.pages.conftest import Visitor

SMALL = {"max_tokens": 10_000, "hidden_size": 8, "batch_size": 4, "num_steps": 8}
PAGES = ("training", "start", "unrolled", "gradient_flow", "perplexity", "truncation", "recurrent_step")


def left_behind(page):
    """A visitor comes, trains, and is gone: what would tell that something still holds its run."""
    visitor = Visitor(calc_hash(page), SMALL)
    stage = visitor.stage
    stage.run.step(30)
    visitor.run()
    clear_session_cache("test session id")
    return [weakref.ref(one) for one in (stage, stage.watched, stage.run, stage.watched.trainer)]


def test_of_visitors_that_are_gone_nothing_stays():
    traces = [trace for page in PAGES for trace in left_behind(page)]
    assert any(trace() for trace in traces)  # the shelf keeps them for who comes back
    shelf().clear()
    gc.collect()
    assert [trace() for trace in traces if trace()] == []


def test_as_many_files_may_be_open_as_the_system_allows():
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(before[0], 256), before[1]))  # as some systems begin
    try:
        raise_file_limit()
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (before[1], before[1])
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
