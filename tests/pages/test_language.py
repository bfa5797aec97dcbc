"""The reader's language is that of the browser, the URL or the sidebar; on every page, all texts are translated messages."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.config import language
from core.config.language import ENGLISH, gettext, languages, translations, use_language
from core.config.link import PAGE_PATHS
from core.config.settings import KNOBS
from pages.app.server import static_assets
from tests.language import pseudo
from tests.pages.app_session import SMALL, START, AppSession
from tests.pages.test_every_section import strings
from tests.pages.views import SECTIONS

OTHER = next(iter(languages().keys() - {ENGLISH}))
SENTENCE = re.compile(r"\b[A-Za-z]{3,}(?: [A-Za-z]{2,})+\b")  # two or more English words
LINE_ENDS = {"\n", "↵"}  # only texts that a network reads or writes contain them
QUOTED = re.compile("“[^”]*”")
SAME_EVERYWHERE = {  # texts that networks read, a song, identifiers, and names of invisible traces
    "You say goodbye, I say hello", "the value of teh expression is returned.", "“you say goodbye”", "“you say good die”",
    "P(you say goodbye) = P(you)", " · P(goodbye | you say)", "banana tree", "in San Francisco", "piouw;kcj pwepoiut",
    "you goodbye say", "i say hello", "you say goodbye", "tiny Shakespeare", "Softmax with Loss", "'Source Sans', sans-serif",
    "half of all t", "still learning",
}  # fmt: skip
TERMS = {"explain"}  # components that show a term in several languages


@pytest.fixture
def other_language() -> Iterator[None]:
    """Use another language in this thread: the test runner formats the options of a select in it."""
    use_language(OTHER)
    yield
    use_language(ENGLISH)


@pytest.fixture
def pseudo_language(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[str]:
    """The code of the pseudo-language, which is the current language until the end of the test."""
    pseudo.write(tmp_path)
    monkeypatch.setattr(language, "CATALOGUES", tmp_path)
    monkeypatch.setitem(KNOBS["lang"].words, pseudo.CODE, "Pseudo")
    languages.cache_clear()
    use_language(pseudo.CODE)
    yield pseudo.CODE
    use_language(ENGLISH)
    for cached in (languages, translations):
        cached.cache_clear()


def sections(session: AppSession, page: str) -> Iterator[str]:
    """Open each section of the page and yield its name."""
    for section in [*SECTIONS.get(page, [""])]:
        if section:
            session.open_section(section)
        yield section


def written(session: AppSession) -> Iterator[str]:
    """All texts of the open page."""
    for name, data in session.components():
        found = strings(data, ("name", "value", "watch", "key", "options")) if name not in TERMS else ()
        yield from (text for text in found if not LINE_ENDS & {*text})
        yield from (words for control in controls_in(data) for _value, words in control.get("options", ()))
    yield from (re.sub("<[^>]*>", "", body) for body in session.html if "<style" not in body)
    for node in session.nodes():
        yield from (getattr(getattr(node, "proto", None), what, "") or "" for what in ("label", "help"))


def controls_in(data: dict) -> Iterator[dict]:
    """The controls of a component that has rows of controls, and their selects; empty for other components."""
    for control in (control for row in data.get("rows", ()) for control in row if isinstance(control, dict)):
        yield control
        yield from control.get("picks", ())


def test_scripts_get_the_translations_of_their_messages():
    found = json.loads(static_assets._messages("zh"))
    assert found["Play"] == ["播放"]
    assert len(found) > 300


@pytest.mark.parametrize("page", [START, *PAGE_PATHS])
def test_every_section_has_messages_alone_and_no_part_of_a_sentence_beside_one(visit, pseudo_language, page):
    session = visit(page, **({} if page == START else SMALL), lang=pseudo_language)
    for section in sections(session, page):
        texts = list(written(session))
        assert any(pseudo.MARKED.search(text) for text in texts)
        assert {text for text in texts if SENTENCE.search(QUOTED.sub("", text))} <= SAME_EVERYWHERE, section


def test_a_language_in_the_address_opens_any_page_as_it_is(visit, other_language):
    assert visit(START, lang=OTHER).stage.navigation.page == START
    session = visit("training", **SMALL, lang=OTHER)
    assert session.url["lang"] == OTHER
    assert session.controls("notation")["lang"]["value"] == OTHER


def test_another_language_is_chosen_while_the_run_goes_on(visit):
    session = visit("training", **SMALL)
    session.stage.run.play()
    serial, judged = session.stage.monitored.serial, session.stage.monitored.history.judged
    session.stage.change_view(lang=OTHER)
    use_language(OTHER)
    title = gettext("Training")
    use_language(ENGLISH)
    session.run()
    assert any(title in body for body in session.html)
    assert (session.stage.monitored.serial, session.stage.run.playing) == (serial, True)
    assert session.stage.monitored.history.judged is judged
    session.stage.run.pause()


def test_what_is_refused_is_refused_in_the_readers_language(visit, other_language):
    session = visit("training", **SMALL, lang=OTHER)
    session.app.text_area(key="pasted").set_value("a")
    session.press(gettext("Train on this text"))
    assert session.stage.own_text_problem
    assert not SENTENCE.findall(session.stage.own_text_problem)


def test_a_word_of_the_glossary_stands_beside_its_english_one(visit, other_language):
    explained = dict(visit("unrolled", lang=OTHER).data("explain")["words"])
    _, name, _, others, _ = explained["perplexity"]
    assert name == gettext("perplexity")
    assert [ENGLISH, "perplexity"] in [list(other) for other in others]
