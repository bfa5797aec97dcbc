"""Which Chromium is started, and how: for tests, benchmarks and the README's pictures."""

import shutil
from pathlib import Path

from playwright.sync_api import Playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = (
    "--no-sandbox",  # containers have no user namespaces
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
VIEWPORT = {"width": 1280, "height": 720}


def find_chromium(playwright: Playwright) -> str | None:
    """The system's Chromium or Chrome, or else the one that Playwright has installed."""
    found = next(filter(None, map(shutil.which, NAMES)), None) or playwright.chromium.executable_path
    return found if Path(found).exists() else None
