"""What axe-core finds on a page."""

import os
from functools import lru_cache

import pytest
from playwright.sync_api import Page

from tests.browser.waiting import javascript
from tests.dashboard_server import ROOT

AXE = ROOT / "tests" / "javascript" / "node_modules" / "axe-core" / "axe.min.js"
REQUIRED = "RNN_REQUIRE_JAVASCRIPT"  # when set, a missing axe-core is a failure instead of a skip
BY_STREAMLIT = "stHeader", "stSidebarNav", "stFileUploader", "stSelectbox", "stTextArea", "stButton", "stDownloadButton"
DRAWN_BY_STREAMLIT = [f'[data-testid="{name}"]' for name in BY_STREAMLIT]  # not ours
VIOLATIONS = javascript("violations")


@lru_cache(1)
def axe_core() -> str:
    """The source of axe-core in the JavaScript tools (``npm ci --prefix tests/javascript``)."""
    if not AXE.exists():
        reason = "axe-core is missing: npm ci --prefix tests/javascript"
        pytest.fail(reason) if os.environ.get(REQUIRED) else pytest.skip(reason)
    return AXE.read_text(encoding="utf-8")


def violations(page: Page, *, contrast: bool = True) -> list[str]:
    """The violations on a page that has been drawn; evaluated, which a page's content security policy cannot forbid."""
    page.evaluate(axe_core())
    return page.evaluate(VIOLATIONS, [DRAWN_BY_STREAMLIT, contrast])
