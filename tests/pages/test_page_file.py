"""A page as one HTML file: it contains all data that the page drew, and loads nothing from outside."""

import base64
import gzip
import hashlib
import json
import re
from html.parser import HTMLParser

import pytest

from pages.app.server.page_recording import RecordedState, record_text, recording
from pages.export.page_file import PageFile, PageFileData
from pages.export.page_recorder import PageRecorder, film_updates
from tests.pages.app_session import HOSTILE, AppSession, train_on_text

BUTTON, FILM = "Make a page (HTML)", "Make a film of the run (HTML)"
HOSTILE_TEXTS = (*HOSTILE, "</script><script>alert(1)</script>", "<!--<script>", "&lt;b&gt;")


class Elements(HTMLParser):
    """The elements of a file in order: tag, attributes, and the text within."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[str, dict[str, str | None], list[str]]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, dict(attributes), []))

    def handle_data(self, data):
        if self.found and self.found[-1][0] == self.cdata_elem:
            self.found[-1][2].append(data)

    def scripts(self) -> dict[str, str]:
        """The content of each script by its id; the executed script has no id."""
        return {of.get("id") or "": "".join(text) for tag, of, text in self.found if tag == "script"}

    def page(self) -> PageFileData:
        """The data from which the page is drawn."""
        return json.loads(gzip.decompress(base64.b64decode(self.scripts()["page"])))

    def policy(self) -> str:
        (policy,) = (of["content"] for tag, of, _ in self.found if of.get("http-equiv") == "Content-Security-Policy")
        return policy or ""


def made(session: AppSession, button: str = BUTTON) -> tuple[str, bytes]:
    """The name and the content of the saved file of the open page, or of a film."""
    session.app.session_state["as_page"] = True
    session.run().press(button)
    return session.app.session_state["page_made"][1]


def film(session: AppSession) -> PageFileData:
    return Elements(made(session, FILM)[1].decode()).page()


@pytest.fixture
def flow(visit) -> AppSession:
    """The Gradient flow page after 30 updates."""
    return visit("gradient_flow", max_tokens=10_000, hidden_size=8, update=30).wait().run()


def test_no_text_is_markup():
    with recording(items := []):
        for text in HOSTILE_TEXTS:
            record_text("note", text)
    record_text("note", "not recorded")
    elements = Elements(PageFile(HOSTILE_TEXTS[-3], [RecordedState("", items)], live="https://x.org/?a=<b>").html().decode())
    assert [tag for tag, *_ in elements.found].count("script") == 3
    page = elements.page()
    shown = [item["words"][0] for item in page["items"]]
    assert shown == [text.encode(errors="replace").decode() for text in HOSTILE_TEXTS]
    assert page["live"] == "https://x.org/?a=<b>"
    assert all("<" not in elements.scripts()[name] for name in ("page", "scripts"))


def test_its_policy_allows_its_own_scripts_alone():
    text = PageFile("x", [RecordedState("", [])]).html().decode()
    elements = Elements(text)
    digest = base64.b64encode(hashlib.sha256(elements.scripts()[""].encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}' blob:;" in elements.policy()
    assert "default-src 'none'" in elements.policy()
    assert not re.search(r"<(link|img|iframe|script)[^>]*\b(src|href)=\"(?!data:)", text)


@pytest.mark.parametrize("page", ["unrolled", "perplexity", "gradient_flow", "truncation", "recurrent_step", "training"])
def test_every_page_is_a_file_with_the_numbers_that_it_shows(visit, page):
    session = visit(page, max_tokens=10_000, hidden_size=8)
    content = made(session)[1]
    elements = Elements(content.decode())
    scripts, items = elements.scripts(), elements.page()["items"]
    recorded = [(item["name"], item["data"]) for item in items if item["is"] == "component"]
    shown = list(session.components())
    assert len(recorded) >= 3
    for one in recorded:
        assert one in shown
    packed = gzip.decompress(base64.b64decode(scripts["scripts"])).decode()
    assert all(f'modules["{name}/{name}.js"]' in packed for name, _ in recorded)
    assert len(content) < 2.5e6


def test_a_text_of_ones_own_is_announced(training):
    training.app.session_state["as_page"] = True
    says = [body for body in training.run().html_in("Take it home as a page") if "own text" in body]
    assert not says
    train_on_text(training, "the cat sat on the mat. " * 100)
    assert [body for body in training.html_in("Take it home as a page") if "Your own text is in it" in body]


def test_there_is_none_of_the_start_page_and_none_of_another_page(visit):
    session = visit("unrolled")
    made(session)
    assert session.app.get("download_button")
    session.switch_page("perplexity")
    assert not session.app.get("download_button")
    assert not [block for block in session.switch_page("").app.expander if "as a page" in block.label]


def test_a_film_has_the_page_at_each_moment_of_its_run(visit):
    session = visit("training", max_tokens=10_000, hidden_size=8, update=30).wait().run()
    name, content = made(session, FILM)
    page = Elements(content.decode()).page()
    assert name == "training-film-to-update-30.html"
    assert [state for state, _ in page["states"]] == ["update 0", "update 10", "update 30"]
    assert page["begins"] == 2
    assert len(content) < 4e6
    assert session.stage.past is None
    for update, (_, places) in zip((0, 10, None), page["states"], strict=True):
        if update is not None:
            session.stage.show_snapshot(update)
        else:
            session.stage.show_present()
        shown = list(session.run().components())
        for item in (page["items"][place] for place in places):
            assert item["is"] != "component" or (item["name"], item["data"]) in shown


def test_the_last_state_of_a_film_shows_nothing_of_the_one_before(flow):
    flow.stage.run.play()
    page = film(flow)
    heads = [json.dumps(page["items"][place]) for _, places in page["states"][-1:] for place in places]
    assert not any('update 10"' in head for head in heads)


def test_a_film_saved_at_a_past_snapshot_ends_there(flow):
    flow.stage.show_snapshot(10)
    assert [state for state, _ in film(flow)["states"]] == ["update 0", "update 10"]
    assert flow.stage.past.moment.update == 10


def test_a_film_ends_where_another_page_is_opened(flow):
    stage = flow.stage
    recorder = PageRecorder(film_updates(stage))
    assert recorder.begin(stage) == []
    assert stage.past.moment.update == 0
    stage.navigation.open("unrolled")
    assert recorder.begin(stage) is None
    recorder.end(stage)
    assert stage.past is None
    assert not recorder.states


def test_an_untrained_run_has_no_film(training):
    training.app.session_state["as_page"] = True
    assert FILM not in [button.label for button in training.run().app.button]
