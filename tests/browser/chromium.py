"""The Chromium executable and its flags, for tests, benchmarks and the README's pictures."""

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
    """The path of the system's Chromium or Chrome, or else of the one that Playwright has installed; None without either."""
    found = next(filter(None, map(shutil.which, NAMES)), None) or playwright.chromium.executable_path
    return found if Path(found).exists() else None
