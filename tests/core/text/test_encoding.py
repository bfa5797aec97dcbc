import random
from functools import cache

import pytest
from hypothesis import given, strategies as st

from core.text import encoding
from core.text.encoding import ENCODINGS, MARKS, REPLACED, decoded, decoded_as

CHINESE = "这一章介绍循环神经网络。它一个字一个字地读文章，并预测下一个字。\n山上有一座庙，庙里有一个老和尚在讲故事。\n"
TAIWANESE = "這一章介紹循環神經網路。它一個字一個字地讀文章，並預測下一個字。\n山上有一座廟，廟裡有一個老和尚在講故事。\n"
JAPANESE = "この章では、一文字ずつ読んで、次の文字を予測します。\n今日は天気がいいから、川へ行きましょう。\n"
KOREAN = "이 장에서는 한 글자씩 읽고 다음 글자를 예측합니다.\n오늘은 날씨가 좋으니 강으로 갑시다.\n"
RUSSIAN = "Эта глава читает букву за буквой и предсказывает следующую.\nСегодня хорошая погода, пойдём на реку.\n"
GREEK = "Σήμερα ο καιρός είναι καλός και πάμε στο ποτάμι για ψάρεμα.\n"
ARABIC = "اليوم الطقس جميل ونحن ذاهبون إلى النهر لصيد السمك.\n"
GERMAN = "Der Fluß fließt über die Wälder, schöne Grüße!\n"
ENGLISH = "Every word is followed by a next one, says the book.\n“Don’t,” she said — “not now.”\n"
WRITTEN = [
    (CHINESE, "gb18030"), (CHINESE, "hz"), (CHINESE, "utf-16-le"), (CHINESE, "utf-16-be"), (CHINESE, "utf-32-le"),
    (TAIWANESE, "big5"), (TAIWANESE, "gb18030"),
    (JAPANESE, "cp932"), (JAPANESE, "euc_jis_2004"), (JAPANESE, "iso2022_jp"), (JAPANESE, "utf-16-le"),
    (KOREAN, "cp949"), (KOREAN, "iso2022_kr"), (KOREAN, "utf-16-be"),
    (RUSSIAN, "cp1251"), (RUSSIAN, "koi8_r"), (RUSSIAN, "utf-16-be"), (RUSSIAN, "utf-32-be"),
    (GREEK, "cp1253"), (GREEK, "utf-16-le"), (ARABIC, "cp1256"), (ARABIC, "utf-16-be"),
    (ENGLISH, "cp1252"), (ENGLISH, "utf-16-le"), (ENGLISH, "utf-16-be"), (ENGLISH, "utf-32-le"), (ENGLISH, "utf-8"),
    (GERMAN, "utf-8"),
]  # fmt: skip
SHORT = {  # short texts that were once detected as another language
    "cp1256": ("السلام عليكم ورحمة الله وبركاته.", "الإصدار 2.0 من Python متاح الآن على www.python.org", "مرحبا بالعالم"),
    "cp874": ("บทนี้อ่านทีละตัวอักษรและทำนายตัวถัดไป", "โปรแกรม Python 3.12 ออกแล้ว", "วันนี้อากาศดี"),
    "euc_jis_2004": ("吾輩は猫である。名前はまだ無い。", "国境の長いトンネルを抜けると雪国であった。", "今日は天気がいい。"),
    "cp932": ("吾輩は猫である。名前はまだ無い。", "国境の長いトンネルを抜けると雪国であった。", "今日は天気がいい。"),
    "gb18030": ("这一章介绍循环神经网络。", "床前明月光，疑是地上霜。", "今天天气很好，我们去河边。", "中华人民共和国"),
    "big5": ("床前明月光，疑是地上霜。", "今天天氣很好，我們去河邊。"),
    "cp949": ("오늘은 날씨가 좋으니 강으로 갑시다.", "안녕하세요 세계"),
}
LETTERS = {  # texts in single-byte encodings with few letters beyond ASCII
    "cp1252": (
        "Grüße aus München, schöne Straßen", "Voilà le déjà-vu d'un garçon à côté de l'hôtel; ça coûte", "El niño comió una piña",
        "A canção não é difícil, amanhã à tarde", "Perché no? È così, però più tardi", "Flickan åt ett äpple på ön i går",
        "Blåbærsyltetøy på brød", "Það er gott veður í dag, þú ættir að sjá", "een “naïeve” coöperatie", "“Don’t” — not now",
        "BMW fährt schön",  # begins like an image
    ),
    "cp1250": ("Zażółć gęślą jaźń", "Příliš žluťoučký kůň úpěl ďábelské ódy", "Árvíztűrő tükörfúrógép",
        "Čovjek je išao kući šćućuren", "Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw.",
        "Všichni lidé rodí se svobodní a sobě rovní co do důstojnosti a práv. Jsou nadáni rozumem a svědomím.",
        "Minden emberi lény szabadon születik és egyenlő méltósága és joga van."),
    "iso8859_2": ("Zażółć gęślą jaźń", "Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw."),
    "cp1254": ("Bugün hava çok güzel, ırmağa balık tutmaya gidiyoruz, şimdi",
        "Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar. Akıl ve vicdana sahiptirler."),
    "cp1257": ("Visi žmonės gimsta laisvi ir lygūs savo orumu ir teisėmis. Jiems suteiktas protas ir sąžinė.",),
    "cp1258": ("Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền.",),
    "cp1251": ("Это простой русский текст для проверки", "Сегодня хорошая погода, пойдём на реку ловить рыбу",
        "Всі люди народжуються вільними і рівними у своїй гідності та правах.",
        "Всички хора се раждат свободни и равни по достойнство и права."),
    "koi8_r": ("Это простой русский текст для проверки", "Сегодня хорошая погода, пойдём на реку ловить рыбу"),
    "cp1253": ("Σήμερα ο καιρός είναι καλός και πάμε στο ποτάμι",),
    "cp1255": ("היום מזג האוויר יפה ואנחנו הולכים אל הנהר", "כל בני אדם נולדו בני חורין ושווים בערכם ובזכויותיהם."),
    "cp1256": ("يولد جميع الناس أحرارا متساوين في الكرامة والحقوق.",),
    "cp874": ("มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ",),
}  # fmt: skip
SEVERAL_BYTES = [(text, name) for text, name in WRITTEN if not name.startswith(("cp125", "koi8"))]


@pytest.mark.parametrize(("text", "name"), WRITTEN)
@pytest.mark.parametrize("times", [1, 50])
def test_every_encoding_is_found(text, name, times):
    assert decoded((text * times).encode(name)) == (text * times, name, 0)


@pytest.mark.parametrize(("name", "text"), [(name, text) for table in (SHORT, LETTERS) for name in table for text in table[name]])
def test_a_sentence_is_enough(name, text):
    for times in (1, 30):
        assert decoded((text * times).encode(name)) == (text * times, name, 0)


@pytest.mark.parametrize("name", ["cp1252", "cp1250"])
def test_a_bad_byte_among_few_letters_does_not_change_the_encoding(name):
    for text in LETTERS[name]:  # the one exception has no letters beyond ASCII
        assert decoded(text.encode(name) + b" \xff").encoding == name or text == "“Don’t” — not now"


@pytest.mark.parametrize("text", [CHINESE, KOREAN, RUSSIAN, GREEK, ARABIC, GERMAN])
def test_a_bad_byte_in_a_sentence_of_utf_8_is_counted(text):
    data = text.split("\n")[0].encode()
    assert decoded(data[:20] + b"\xff" + data[20:])[1:] in (("utf-8", broken) for broken in (1, 2, 3))


@pytest.mark.parametrize(
    ("text", "name"), [("ภาษาไทย", "cp874"), ("東京都", "cp932"), ("カタカナ", "euc_jis_2004"), ("naïve café", "cp1252")]
)
def test_a_word_is_enough(text, name):
    assert decoded(text.encode(name)) == (text, name, 0)


@pytest.mark.parametrize(("text", "name"), SEVERAL_BYTES)
def test_a_file_that_ends_within_a_character_is_decoded_up_to_there(text, name):
    cut = (text * 3).rstrip("\n").encode(name)[:-1]
    found = decoded(cut)
    assert found == (cut.decode(name, "replace"), name, found.broken)
    assert found.broken <= 1
    assert found.text.rstrip(REPLACED + "\x0f~") in text * 3


@pytest.mark.parametrize(("text", "name"), SEVERAL_BYTES)
def test_one_bad_byte_in_a_thousand_is_counted_and_the_rest_decoded(text, name):
    data, anywhere = bytearray((text * 200).encode(name)), random.Random(0)
    places = anywhere.sample(range(0, len(data), 19), len(data) // 1000)
    for place in places:
        data[place] = 0xFF
    found = decoded(bytes(data))
    assert found == (bytes(data).decode(name, "replace"), name, found.broken)
    if not name.startswith(("utf-16", "utf-32")):  # where most byte sequences are valid characters
        assert 0 < found.broken <= 4 * len(places)


def test_byte_order_marks_escape_sequences_and_replacement_characters():
    for mark, name in MARKS.items():
        assert decoded(mark + "Grüße".encode(name)) == ("Grüße", name, 0)
    assert decoded("ein Zeichen fehlt: \ufffd, ü, ß".encode()).broken == 0
    lisp = '(format t "~{~a~^, ~}~%" \'(1 2 3))  ; prints "1, 2, 3"\n\x1b[31mred\x1b[0m'
    assert decoded(lisp.encode()) == (lisp, "utf-8", 0)


@cache
def encodable(name: str) -> list[str]:
    """Characters of all scripts in this encoding; a sample, because trying all takes long."""
    points = [*range(0x20, 0x7F), *range(0xA0, 0x600), *range(0x600, 0xD800, 29), *range(0xE000, 0x30000, 97)]
    found = [character for character in map(chr, points) if character.encode(name, "ignore") and character != REPLACED]
    assert len(found) > 90
    return ["\n", *found]


@pytest.mark.parametrize("name", ENCODINGS)
@given(st.data())
def test_any_text_is_decoded_as_the_encoding_it_is_in(name, data):
    written = data.draw(st.text(st.sampled_from(encodable(name)), max_size=30)).encode(name)
    as_written = written.decode(name)  # some encodings have one byte sequence for several characters
    assert decoded_as(written, name) == (as_written, name, 0)


@given(st.sampled_from(WRITTEN), st.lists(st.tuples(st.integers(0, 100), st.binary(max_size=3)), max_size=3), st.integers(0, 100))
def test_any_damaged_file_is_a_text_or_none(written, bad, cut):
    data = written[0].encode(written[1])[: -cut or None]
    for place, what in bad:
        data = data[:place] + what + data[place:]
    found = decoded(data)
    assert found is None or found == decoded_as(data, found.encoding)


def test_a_long_text_is_judged_by_its_first_lines_beyond_ascii(monkeypatch):
    monkeypatch.setattr(encoding, "SAMPLE_BYTES", 200)
    text = "nothing but plain letters\n" * 1000 + JAPANESE * 50
    assert decoded(text.encode("cp932")).text == text
    assert decoded((JAPANESE.replace("\n", "") * 50).encode("cp932")).encoding == "cp932"  # one long line, cut anywhere


@pytest.mark.parametrize("data", [b"a b " * 8200 + b"don\x92t ", (b"a b " * 50 + b"don\x92t ") * 1475], ids=["one", "many"])
def test_odd_bytes_are_found_wherever_they_are_in_a_file_without_line_breaks(data):
    assert decoded(data) == (data.decode("cp1252"), "cp1252", 0)
