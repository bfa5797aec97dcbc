"""The README shows what it looks like: every picture is there, in both themes, with words for who cannot see it."""

import re

import pytest
from PIL import Image

from tests.dashboard_server import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
SHOWN = re.findall(r"<picture>(.*?)</picture>", README, re.DOTALL)
MOST = 2_000_000  # bytes of all pictures together


def test_all_together_are_small():
    pictures = {path.relative_to(ROOT).as_posix() for path in (ROOT / "docs" / "pictures").iterdir()}
    assert sum((ROOT / name).stat().st_size for name in pictures) < MOST
    assert pictures == set(re.findall(r'docs/pictures/[^"]+', README))


@pytest.mark.parametrize("shown", SHOWN, ids=range(len(SHOWN)))
def test_each_is_there_in_both_themes_and_in_words(shown):
    (dark,), (light,) = re.findall(r'prefers-color-scheme: dark\)" srcset="([^"]+)"', shown), re.findall(r' src="([^"]+)"', shown)
    assert len(re.search(r'\balt="([^"]+)"', shown)[1]) > 20
    assert dark == light.replace("-light", "-dark")
    with Image.open(ROOT / light) as one, Image.open(ROOT / dark) as other:
        assert one.size == other.size
