"""What a visitor leaves behind when nothing of it is kept any more: nothing."""

import gc
import weakref

from streamlit.runtime.caching.cache_resource_api import clear_session_cache
from streamlit.util import calc_hash

from pages.ui.memory import give_back
from pages.ui.presence import shelf

LIMIT = 60.0
SMALL = {"max_tokens": 10_000, "hidden_size": 8, "batch_size": 4, "num_steps": 8}
PAGES = ("training", "start", "unrolled", "gradient_flow", "perplexity", "truncation", "recurrent_step")


def left_behind(visit, page_hash):
    """A visitor comes, trains, and is gone: what would tell that something still holds its run."""
    visitor = visit(page_hash, **SMALL)
    visitor.stage.run.step(30)
    visitor.run()
    clear_session_cache("test session id")
    traces = [weakref.ref(one) for one in (visitor.stage, visitor.stage.watched, visitor.stage.run, visitor.stage.watched.trainer)]
    visitor.app.session_state["stage"] = visitor.stage = None
    return traces


def test_of_visitors_that_are_gone_nothing_stays(visit):
    traces = [trace for page in PAGES for trace in left_behind(visit, calc_hash(page))]
    assert any(trace() for trace in traces)  # the shelf keeps them for who comes back
    shelf().clear()
    give_back()
    gc.collect()
    assert [trace() for trace in traces if trace()] == []
