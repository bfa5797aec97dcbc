"""All seventeen scenes as a folder."""

from core.content.scenes import SCENES
from pages.export.site import ALL, write_site
from pages.perplexity import against_counting
from pages.truncation import echo_bound
from tests.pages.test_export import written

MOST = 12e6  # bytes of the folder
EACH = 2.5e6  # bytes of a page with the scripts that it needs


def test_every_scene_is_a_page_that_ends_done(visit, tmp_path, monkeypatch):
    monkeypatch.setattr(against_counting, "EPOCHS", 3)  # all networks train to their end, but those that take longest read less
    monkeypatch.setattr(echo_bound, "LENGTHS", (16, 20))
    list(write_site(tmp_path))
    sizes = {path.name: path.stat().st_size for path in tmp_path.iterdir()}
    shared = sizes["scripts.js"] + sizes["plotly.js"]
    assert sum(sizes.values()) < MOST
    for key, file in ALL.ways["files"].items():
        assert sizes[file] + shared < EACH
        page = written(tmp_path, file)
        items = [page["items"][place] for _, places in page["states"] for place in places]
        bars = [item["data"] for item in items if item.get("name") == "scene_bar"]
        assert len(bars) == len(page["states"])
        assert not bars[0]["done"]
        if SCENES[key].done.kind in ("below", "read"):
            assert bars[-1]["done"], key
