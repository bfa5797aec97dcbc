"""Poems are read from a package as Debian builds it."""

import io
import tarfile

import pytest

from core.text.remote import POEMS, poems

FILE = (
    "\x1b[32m《感遇》\x1b[m\n\x1b[33m作者：张九龄\x1b[m\n兰叶春葳蕤，桂华秋皎洁。\n%\n\x1b[32m《送别》\x1b[m\n下马饮君酒。\n%\n"
)


def package(path: str, compression: str) -> bytes:
    """A Debian package with this text as its one file."""
    contents = io.BytesIO()
    with tarfile.open(fileobj=contents, mode=f"w:{compression}") as files:
        about = tarfile.TarInfo(path)
        about.size = len(FILE.encode())
        files.addfile(about, io.BytesIO(FILE.encode()))
    parts = {"debian-binary": b"2.0\n", "control.tar": b"odd", f"data.tar.{compression}": contents.getvalue()}
    headers = {name: f"{name:<16}{0:<12}{0:<6}{0:<6}{'100644':<8}{len(data):<10}`\n".encode() for name, data in parts.items()}
    return b"!<arch>\n" + b"".join(headers[name] + data + b"\n" * (len(data) % 2) for name, data in parts.items())


@pytest.mark.parametrize("compression", ["xz", "gz"])
def test_titles_authors_and_lines_are_read_without_colours(compression):
    assert poems(package(POEMS, compression)) == "《感遇》\n作者：张九龄\n兰叶春葳蕤，桂华秋皎洁。\n\n《送别》\n下马饮君酒。\n"


def test_a_package_without_the_poems_is_an_error():
    with pytest.raises(KeyError):
        poems(package("./usr/share/other", "xz"))
