"""Messages are translated into the language of their thread, and stored messages are translated where they are shown."""

from io import BytesIO

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po

from core.config import language
from core.config.language import (
    ENGLISH,
    closest_language,
    gettext,
    languages,
    lazy_gettext,
    listed,
    ngettext,
    rich_text,
    sentences,
)

TRANSLATED = {
    "update {n}": "第 {n} 次更新",
    "the run": "运行",
    "{before} {after}": "{before}{after}",
    ("{n} token", "{n} tokens"): ("{n} 个词元",),
}


@pytest.fixture
def chinese(monkeypatch, tmp_path):
    """A Chinese catalogue with these messages, as the only catalogue."""
    catalog = Catalog("zh")
    for message, translation in TRANSLATED.items():
        catalog.add(message, translation)
    write_po(file := BytesIO(), catalog)
    (tmp_path / "zh.po").write_bytes(file.getvalue())
    monkeypatch.setattr(language, "CATALOGUES", tmp_path)
    for cached in (languages, language.translations):
        cached.cache_clear()
    language.use_language("zh")
    yield
    language.use_language(ENGLISH)
    for cached in (languages, language.translations):
        cached.cache_clear()


def test_untranslated_messages_are_english():
    assert gettext("update {n}", n=3) == "update 3"
    assert [ngettext("{n} token", "{n} tokens", n, n=n) for n in (1, 2, 1.5)] == ["1 token", "2 tokens", "1.5 tokens"]
    assert (sentences("One.", "", "Two."), sentences()) == ("One. Two.", "")
    assert gettext("") == ""
    assert gettext("{unfilled}") == "{unfilled}"


def test_a_language_is_a_file(chinese):
    assert languages() == {"en": "English", "zh": "中文"}
    locales = "zh-CN", "zh_TW", "en-GB", "de", "", None
    assert [*map(closest_language, locales)] == ["zh", "zh", "en", "en", "en", "en"]
    assert gettext("update {n}", n=3) == "第 3 次更新"
    assert [ngettext("{n} token", "{n} tokens", n, n=n) for n in (1, 2, 1.5)] == ["1 个词元", "2 个词元", "1.5 个词元"]
    assert sentences("A。", "B。") == "A。B。"
    assert gettext("not in it") == "not in it"


def test_what_is_stored_is_english_and_translated_where_it_is_shown(chinese):
    stored = lazy_gettext("update {n}", n=lazy_gettext("the run"))
    assert stored == "update the run"
    assert gettext(stored) == "第 运行 次更新"
    assert gettext(lazy_gettext("update {n}"), n=4) == "第 4 次更新"
    assert isinstance(stored, language.Message)


def test_braces_in_typed_text_are_not_placeholders():
    assert gettext("update {n}", n="{other} %s") == "update {other} %s"


def test_tags_of_a_message_make_pieces_and_those_of_a_value_do_not():
    tagged = gettext("<strong>{n} of 3</strong> have read <code>{text}</code>.")
    pieces = [["2 of 3", "strong"], [" have read ", ""], ["<b>{n}</b>", "code"], [".", ""]]
    assert rich_text(tagged, n=2, text="<b>{n}</b>") == pieces
    assert rich_text("h_{t} < 0") == [["h_{t} < 0", ""]]
    assert rich_text("") == []


def test_a_list_in_chinese_has_blanks_between_letters_and_words(chinese):
    assert listed(["h₉", "h₁₉"]) == "h₉ 和 h₁₉"
    assert listed(["词元", "单词"]) == "词元和单词"
