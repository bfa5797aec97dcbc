import pytest
from hypothesis import given, strategies as st

from core.text import upload
from core.text.encoding import ENCODINGS, MARKS
from core.text.upload import describe, read_upload

GERMAN = "Der Fluß fließt über die Wälder und Äcker; schöne Grüße aus München.\n" * 20
RUSSIAN = "Привет, мир! Это простой русский текст для проверки кодировки.\n" * 20


@pytest.mark.parametrize("text", [GERMAN, "naïve café", "déjà vu\n" + "nothing but plain letters\n" * 10_000])
def test_another_encoding_is_found_and_named(text):
    found = read_upload(text.encode("cp1252"))
    assert found == (text, "cp1252", 0)
    assert describe(found) == "Read as Windows-1252 (Western Europe)."


def test_an_encoding_that_the_reader_chooses_is_used_or_refused():
    data = RUSSIAN.encode("koi8_r")
    assert read_upload(data, "cp1251") == (data.decode("cp1251"), "cp1251", 0)
    assert read_upload(data, "koi8_r").text == RUSSIAN
    with pytest.raises(ValueError):
        read_upload(GERMAN.encode("utf-16-le"), "cp1252")


def test_a_file_beyond_the_limit_is_refused(monkeypatch):
    monkeypatch.setattr(upload, "MAX_TEXT_BYTES", 10)
    assert read_upload(b"0123456789").text == "0123456789"
    with pytest.raises(ValueError):
        read_upload(b"0123456789x")


@pytest.mark.parametrize("data", [b"", *MARKS])
def test_an_empty_file_is_refused_as_empty(data):
    with pytest.raises(ValueError, match="empty"):
        read_upload(data)


def test_bytes_that_cannot_be_decoded_are_counted():
    found = read_upload(b"one \xff two \xff three", "utf-8")
    assert found.broken == 2
    assert " 2 places " in describe(found)
    assert " 1 place " in describe(read_upload(b"one \xff two", "utf-8"))


@pytest.mark.parametrize("data", [
    *(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", b"\xff\xd8\xff\xe0\0\x10JFIF", b"GIF89a\x01\0\x01\0", b"PK\x03\x04\x14\0\x06\0"),
    *(b"%PDF-1.7\nplain to the end", b"{\\rtf1\\ansi Hello}", b"\x1f\x8b\x08\0", b"\x7fELF\x02\x01\x01\0\0"),
    *(b"text with a NUL\0 in it", bytes(range(256)) * 8, bytes(range(1, 256)) * 8, b"\x01\x02\x03\x04" * 9),
])  # fmt: skip
def test_files_that_are_no_text_are_refused(data):
    with pytest.raises(ValueError, match=r"\.$"):
        read_upload(data)


@given(
    st.one_of(
        st.binary(max_size=200),
        st.builds(bytes.__add__, st.sampled_from([*MARKS, *upload.NOT_TEXT]), st.binary(max_size=40)),
        st.builds(bytes, st.lists(st.integers(1, 255), max_size=100)),
        st.builds(str.encode, st.text(max_size=40), st.sampled_from(["utf-8", "utf-16-le", "utf-32-be", "gb18030"])),
    ),
    st.sampled_from(["", *ENCODINGS]),
)
def test_any_bytes_are_a_text_or_refused_in_a_sentence(data, encoding):
    try:
        found = read_upload(data, encoding)
    except ValueError as error:
        found = error
    if isinstance(found, ValueError):
        assert type(found) is ValueError  # not the decoder's own error, which names bytes and positions
        assert str(found).endswith(".")
        return
    assert "\0" not in found.text
    found.text.encode("utf-8")
    assert describe(found).endswith(".")
