"""Three Hundred Tang Poems, in the public domain, as Debian packages them for its program ``fortune``."""

import io
import re
import tarfile
from collections.abc import Iterator

PATH = "./usr/share/games/fortunes/tang300"  # in the package
HEADER = 60  # bytes before every part of an ar archive: its name first, its size at 48 to 58
COLOUR = re.compile("\x1b\\[\\d*m")  # of a terminal
BETWEEN = "\n%\n"  # two poems


def poems(package: bytes) -> str:
    """Title, author and lines of every poem, with a blank line between two; ``KeyError`` where the package has none."""
    contents = next(data for name, data in _parts(package) if name.startswith("data.tar"))
    with tarfile.open(fileobj=io.BytesIO(contents)) as files:
        found = files.extractfile(PATH)
        text = found.read().decode() if found else ""
    return COLOUR.sub("", text).replace(BETWEEN, "\n\n").strip("%\n") + "\n"


def _parts(archive: bytes) -> Iterator[tuple[str, bytes]]:
    """Names and contents of an ar archive, which a Debian package is: https://manpages.debian.org/deb.5"""
    start = len(b"!<arch>\n")
    while start + HEADER <= len(archive):
        header, begin = archive[start : start + HEADER], start + HEADER
        size = int(header[48:58])
        yield header[:16].decode().strip(" /"), archive[begin : begin + size]
        start = begin + size + size % 2
