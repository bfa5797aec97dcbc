"""Any file becomes text or a sentence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text import upload
from core.text.upload import decode_upload

GERMAN = "Der Fluß fließt über die Wälder und Äcker; schöne Grüße aus München.\n" * 20
FRENCH = "L'été dernier, nous avons mangé à côté de la forêt où l'âne brait. Ça va très bien, garçon naïf.\n" * 20
RUSSIAN = "Привет, мир! Это простой русский текст для проверки кодировки.\n" * 20
JAPANESE = "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。\n" * 20


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
@pytest.mark.parametrize("text", ["", "plain", GERMAN, JAPANESE, "\U0001f600\n"])
def test_utf_8_is_read_as_it_is_without_a_word(text, encoding):
    assert decode_upload(text.encode(encoding)) == (text, "")


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (GERMAN, "utf-16"),
        (JAPANESE, "utf-16"),
        (RUSSIAN, "utf-32"),
        (GERMAN, "cp1252"),
        (FRENCH, "cp1252"),
        (RUSSIAN, "cp1251"),
        (RUSSIAN, "koi8-r"),
        (JAPANESE, "shift_jis"),
        (JAPANESE, "gb18030"),
        ("naïve café", "cp1252"),
    ],
)
def test_other_encodings_are_read_and_named(text, encoding):
    read, notice = decode_upload(text.encode(encoding))
    assert read == text
    assert notice


@pytest.mark.parametrize("mark", [b"\xff\xfe", b"\xfe\xff", b"\xff\xfe\x00\x00"])
def test_big_and_little_endian_are_told_by_their_marks(mark):
    encoding = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be", b"\xff\xfe\x00\x00": "utf-32-le"}[mark]
    assert decode_upload(mark + "Grüße".encode(encoding))[0] == "Grüße"


def test_one_foreign_word_after_a_long_english_text_is_seen():
    text = "nothing but plain letters\n" * 10_000 + "schöne Grüße\n"
    assert decode_upload(text.encode("cp1252"))[0] == text


def test_a_long_text_is_guessed_from_whole_lines(monkeypatch):
    monkeypatch.setattr(upload, "SAMPLE_BYTES", 200)
    assert decode_upload(JAPANESE.encode("shift_jis"))[0] == JAPANESE


@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
        b"\xff\xd8\xff\xe0\x00\x10JFIF",
        b"GIF89a\x01\x00\x01\x00",
        b"PK\x03\x04\x14\x00\x06\x00",
        b"%PDF-1.7\nplain to the end",
        b"{\\rtf1\\ansi Hello}",
        b"\x1f\x8b\x08\x00",
        b"\x7fELF\x02\x01\x01\x00\x00",
        b"text with a NUL\x00 in it",
        b"\xff\xfea",
        bytes(range(256)) * 8,
    ],
)
def test_what_is_no_text_is_refused_in_a_sentence(data):
    with pytest.raises(ValueError) as caught:
        decode_upload(data)
    assert str(caught.value).endswith(".")


def test_too_large_a_file_is_refused(monkeypatch):
    monkeypatch.setattr(upload, "MAX_BYTES", 10)
    assert decode_upload(b"0123456789") == ("0123456789", "")
    with pytest.raises(ValueError):
        decode_upload(b"0123456789x")


@given(
    st.one_of(
        st.binary(max_size=200),
        st.builds(bytes.__add__, st.sampled_from([*upload.WIDE, *upload.NOT_TEXT]), st.binary(max_size=40)),
        st.builds(bytes, st.lists(st.integers(1, 255), max_size=100)),
    )
)
def test_any_bytes_are_text_or_a_sentence(data):
    text = notice = refused = None
    try:
        text, notice = decode_upload(data)
    except ValueError as error:
        refused = error
    if refused:
        assert type(refused) is ValueError  # not the decoder's own, which names bytes and positions
        assert str(refused).endswith(".")
    else:
        assert "\0" not in text
        text.encode("utf-8")
        assert notice == "" or notice.endswith(".")


ENGLISH = "Every word is followed by a next one.\n" * 20


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("text", [ENGLISH, "Noël, déjà vu\n" * 9, "ab"])
def test_a_wide_encoding_needs_no_byte_order_mark(text, encoding):
    assert decode_upload(text.encode(encoding))[0] == text


@pytest.mark.parametrize(("encoding", "text"), [("iso2022_jp", "次の文字を当てる。\n"), ("hz", "猜下一个字\n")])
def test_what_looks_like_ascii_and_switches_alphabets_is_read(encoding, text):
    read, notice = decode_upload((text * 5).encode(encoding))
    assert read == text * 5
    assert encoding in notice


@pytest.mark.parametrize("text", ["~{ is no Chinese\n", "a ~{x~} b\n"])
def test_a_tilde_and_a_brace_alone_are_ascii(text):
    assert decode_upload((text * 3).encode()) == (text * 3, "")


def test_a_broken_byte_in_a_thousand_is_replaced_and_counted():
    text = "Ein schöner Tag, und noch einer: größer, wärmer.\n" * 100
    data = text.encode()
    cut = data[:700] + b"\xff" + data[700:-40] + "ö".encode()[:1]
    read, notice = decode_upload(cut)
    assert read.count("\ufffd") == 2
    assert "2" in notice


def test_few_foreign_letters_of_another_encoding_are_not_taken_for_broken_ones():
    text = ENGLISH * 10 + "déjà vu\n"
    assert decode_upload(text.encode("cp1252"))[0] == text
