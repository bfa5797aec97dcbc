"""Texts that lie on the internet: fetched when somebody asks, checked, and kept in a folder of this machine ever after.

``python -m core.text.remote`` fetches all of them beforehand. ``RNN_TEXTS`` in the environment names another folder, and
``RNN_TEXTS_FROM`` another server that has the same files: what comes is checked in any case.
"""

import hashlib
import io
import logging
import os
import re
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from core.config.language import Message, lazy_gettext
from core.config.language import gettext as _

FOLDER, MIRROR = "RNN_TEXTS", "RNN_TEXTS_FROM"
TIMEOUT = (5.0, 10.0)  # seconds to connect, and between two pieces
PIECE = 16 * 1024  # bytes between two looks at how far it is
POEMS = "./usr/share/games/fortunes/tang300"  # in Debian's package
HEADER = 60  # bytes before every part of an ar archive: its name first, its size at 48 to 58
COLOUR = re.compile("\x1b\\[\\d*m")  # of a terminal
BETWEEN = "\n%\n"  # two poems
WAY_OUT = lazy_gettext("The way out: bring the text as a file of your own.")


def utf8(data: bytes) -> str:
    """A file that is a text. What is broken is replaced."""
    return data.decode("utf-8", "replace")


def poems(package: bytes) -> str:
    """Three Hundred Tang Poems in the package of ``fortune``: title, author and lines of each, and a blank line between two.

    ``KeyError`` where the package has none.
    """
    contents = next(data for name, data in _parts(package) if name.startswith("data.tar"))
    with tarfile.open(fileobj=io.BytesIO(contents)) as files:
        found = files.extractfile(POEMS)
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


class Remote(NamedTuple):
    """A text on the internet: what it is, in a sentence, where, its hash as pooch writes it, and how many bytes it has.

    ``read(data)`` is the text in the file.
    """

    about: str
    file: str
    address: str
    hash: str
    size: int
    read: Callable[[bytes], str] = utf8


class NotHere(ValueError):
    """A text that nobody has fetched yet."""


REMOTES = {
    # The hash that Dive into Deep Learning gives where it reads this file, in the function or the class for this text.
    "time_machine": Remote(
        lazy_gettext(
            "A novel by Herbert George Wells (1895), from Project Gutenberg: the file that Dive into Deep Learning reads."
        ),
        "timemachine.txt",
        "https://d2l-data.s3-accelerate.amazonaws.com/timemachine.txt",
        "sha1:090b5e7e70c295757f55df93cb0a180b9691891a",
        180_000,  # about: the book does not say
    ),
    # Its publisher gives no hash. This one, and the size, are what several independent projects give that read this file.
    "shakespeare": Remote(
        lazy_gettext("Forty thousand lines of Shakespeare's plays: the file that Andrej Karpathy's char-rnn reads."),
        "tinyshakespeare.txt",
        "https://raw.githubusercontent.com/karpathy/char-rnn/6f9487a6fe5b420b7ca9afb0d7c078e37c1d1b4e/data/tinyshakespeare/input.txt",
        "sha256:86c4e6aa9db7c042ec79f339dcb96d42b0075e16b8fc2e86bf0ca57e2dc565ed",
        1_115_394,
    ),
    # The hash is the one in Debian's list of packages; snapshot.debian.org keeps every package that Debian ever had.
    "tang_poems": Remote(
        lazy_gettext("Three Hundred Tang Poems in Chinese, in the public domain: the file of Debian's package fortunes-zh."),
        "fortunes-zh_2.98_all.deb",
        "https://snapshot.debian.org/archive/debian/20250520T000000Z/pool/main/f/fortune-zh/fortunes-zh_2.98_all.deb",
        "sha256:211c5ddee59d0ae74ce01cbfd02f7c8714740bae1835d5661eb2254edd739105",
        546_072,
        poems,
    ),
}


def folder() -> Path:
    """Where fetched texts are kept."""
    if asked := os.environ.get(FOLDER):
        return Path(asked)
    import pooch  # not before it is needed: no page waits for it

    return Path(pooch.os_cache("rnn-dashboard"))


def is_here(name: str) -> bool:
    """Whether a text is kept on this machine."""
    return _kept(REMOTES[name]) is not None


def fetched(name: str) -> str:
    """A text that is kept on this machine; :class:`NotHere` with a sentence where it is not."""
    data = _kept(REMOTES[name])
    if data is None:
        raise NotHere(_("This text is not on this server yet: choose it under “Text” on Training, and download it there."))
    return REMOTES[name].read(data)


def _kept(remote: Remote) -> bytes | None:
    """What is kept of it, if that is it."""
    algorithm, _, wanted = remote.hash.partition(":")
    try:
        data = (folder() / remote.file).read_bytes()
    except OSError:
        return None
    return data if hashlib.new(algorithm, data, usedforsecurity=False).hexdigest() == wanted else None


class Progress:
    """pooch's progress bar: it calls ``tell``, and stops a download that is larger than the text."""

    total = 0  # pooch writes here what the server says

    def __init__(self, most: int, tell: Callable[[int], None]) -> None:
        self._most, self._tell, self.bytes = most, tell, 0

    def update(self, more: int) -> None:
        self.bytes += more
        if self.bytes > self._most:
            raise OverflowError
        self._tell(self.bytes)

    def reset(self) -> None:
        self.bytes = 0

    def close(self) -> None:
        """There is nothing to close."""


def fetch(name: str, tell: Callable[[int], None] = lambda _bytes: None, timeout: tuple[float, float] = TIMEOUT) -> None:
    """Fetch a text, unless it is here; ``tell`` is called with the bytes that have come.

    Raises ``ValueError`` with a sentence where it cannot be had: without a connection, or where something else came.
    """
    import pooch

    remote = REMOTES[name]
    mirror = os.environ.get(MIRROR, "").rstrip("/")
    address = f"{mirror}/{remote.file}" if mirror else remote.address
    progress, answers = Progress(2 * remote.size + PIECE, tell), []
    heard = {"response": lambda answer, **_more: answers.append(answer)}
    downloader = pooch.HTTPDownloader(progressbar=progress, chunk_size=PIECE, timeout=timeout, hooks=heard)
    try:
        pooch.retrieve(address, remote.hash, remote.file, folder(), downloader=downloader)
    except Exception as error:
        logging.getLogger(__name__).warning("%s was not fetched: %r", remote.file, error)
        why = _why(error, urlsplit(address).hostname, progress.bytes > 0)
        raise ValueError(lazy_gettext("{why} {way_out}", why=why, way_out=WAY_OUT)) from error
    finally:
        for answer in answers:  # nobody else closes one that was not read to its end
            answer.close()


def _why(error: Exception, host: str | None, begun: bool) -> Message:
    """What went wrong, in a sentence; ``begun``: after something had come."""
    import requests

    if isinstance(error, requests.HTTPError):
        return lazy_gettext(
            "{host} does not have this text any more (it answered {status}).", host=host, status=error.response.status_code
        )
    if isinstance(error, requests.RequestException) and (begun or isinstance(error, requests.exceptions.ChunkedEncodingError)):
        return lazy_gettext("The connection to {host} was cut, or hung, before all had come.", host=host)
    if isinstance(error, requests.Timeout):
        return lazy_gettext("{host} did not answer in time.", host=host)
    if isinstance(error, requests.RequestException):
        return lazy_gettext("This server cannot reach {host}: it seems to be offline.", host=host)
    if isinstance(error, OSError):
        return lazy_gettext("This server cannot keep texts: there is no room in its folder for them, or nobody may write there.")
    return lazy_gettext("{host} sent something else than this text, and it was thrown away.", host=host)


if __name__ == "__main__":
    for one in REMOTES:
        fetch(one)
        print(f"{one} is in {folder()}.")
