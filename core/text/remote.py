"""Texts on the internet: downloaded on request, each by one thread for all sessions, verified, and stored in a folder.

``python -m core.text.remote`` downloads all of them. ``RNN_TEXTS`` in the environment names another folder, and
``RNN_TEXTS_FROM`` another server with the same files, which are verified, too.
"""

import hashlib
import io
import logging
import os
import re
import tarfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

from core.config.language import gettext as _, lazy_gettext, message_of

FOLDER, MIRROR = "RNN_TEXTS", "RNN_TEXTS_FROM"
TIMEOUT = (5.0, 10.0)  # seconds to connect, and between two chunks
DOWNLOAD_LIMIT = 120.0  # seconds
CHUNK = 16 * 1024  # bytes between two calls of ``report``
POEMS = "./usr/share/games/fortunes/tang300"  # the file in Debian's package
HEADER = 60  # bytes of the header of every file in an ar archive: its name first, its size at 48 to 58
COLOUR = re.compile("\x1b\\[\\d*m")  # escape codes of a terminal
BETWEEN = "\n%\n"  # two poems in the file
WAY_OUT = lazy_gettext("The way out: bring the text as a file of your own.")


def poems(package: bytes) -> str:
    """Three Hundred Tang Poems in the package ``fortunes-zh``: title, author and lines of each, and a blank line between two.

    ``ValueError`` or ``KeyError`` if the package does not contain them.
    """
    # A Debian package is an ar archive: https://manpages.debian.org/deb.5
    header = package.index(b"data.tar")
    begin, size = header + HEADER, int(package[header + 48 : header + 58])
    with tarfile.open(fileobj=io.BytesIO(package[begin : begin + size])) as files:
        found = files.extractfile(POEMS)
        text = found.read().decode() if found else ""
    return COLOUR.sub("", text).replace(BETWEEN, "\n\n").strip("%\n") + "\n"


class Remote(NamedTuple):
    """A text on the internet: a sentence about it, file name, address, hash in the format of pooch, and size in bytes.

    ``read(data)`` returns the text in the file; by default, the file is UTF-8.
    """

    about: str
    file: str
    address: str
    hash: str
    size: int
    read: Callable[[bytes], str] = bytes.decode


REMOTES = {
    # The hash is the one in Dive into Deep Learning, from the function or the class that reads this file.
    "time_machine": Remote(
        lazy_gettext(
            "A novel by Herbert George Wells (1895), from Project Gutenberg: the file that Dive into Deep Learning reads."
        ),
        "timemachine.txt",
        "https://d2l-data.s3-accelerate.amazonaws.com/timemachine.txt",
        "sha1:090b5e7e70c295757f55df93cb0a180b9691891a",
        180_000,  # approximate: the book gives no size
    ),
    # The publisher gives no hash. This hash and the size are given by several independent projects that read this file.
    "shakespeare": Remote(
        lazy_gettext("Forty thousand lines of Shakespeare's plays: the file that Andrej Karpathy's char-rnn reads."),
        "tinyshakespeare.txt",
        "https://raw.githubusercontent.com/karpathy/char-rnn/6f9487a6fe5b420b7ca9afb0d7c078e37c1d1b4e/data/tinyshakespeare/input.txt",
        "sha256:86c4e6aa9db7c042ec79f339dcb96d42b0075e16b8fc2e86bf0ca57e2dc565ed",
        1_115_394,
    ),
    # The hash is that of Debian's package list; snapshot.debian.org has every version of every package.
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
    """The folder of downloaded texts."""
    if path := os.environ.get(FOLDER):
        return Path(path)
    import pooch  # only here: importing it would delay the first page

    return Path(pooch.os_cache("rnn-dashboard"))


def is_downloaded(name: str) -> bool:
    """Whether the text is in the folder."""
    return _stored(REMOTES[name]) is not None


def fetched(name: str) -> str:
    """The downloaded text; raises ``ValueError`` with a sentence if it is not in the folder."""
    data = _stored(REMOTES[name])
    if data is None:
        raise ValueError(_("This text is not on this server yet: choose it under “Text” on Training, and download it there."))
    return REMOTES[name].read(data)


def _stored(remote: Remote) -> bytes | None:
    """The content of the file in the folder; None if there is no file, or its hash differs."""
    algorithm, _, expected = remote.hash.partition(":")
    try:
        data = (folder() / remote.file).read_bytes()
    except OSError:
        return None
    return data if hashlib.new(algorithm, data, usedforsecurity=False).hexdigest() == expected else None


def fetch(
    name: str,
    report: Callable[[int], None] = lambda _bytes: None,
    timeout: tuple[float, float] = TIMEOUT,
    clock: Callable[[], float] = time.monotonic,
) -> None:
    """Download a text, unless it is in the folder; ``report`` is called with the bytes received so far.

    ``ValueError`` with a sentence if the download fails, or the hash of the file differs.
    """
    import pooch
    import requests

    remote = REMOTES[name]
    mirror = os.environ.get(MIRROR, "").rstrip("/")
    address = f"{mirror}/{remote.file}" if mirror else remote.address

    def download(url: str, to: str, _pooch: object) -> None:
        received, until = 0, clock() + DOWNLOAD_LIMIT
        with requests.get(url, stream=True, timeout=timeout) as response, Path(to).open("wb") as file:
            response.raise_for_status()
            for chunk in response.iter_content(CHUNK):
                received += len(chunk)
                if received > 2 * remote.size + CHUNK or clock() > until:
                    raise ValueError(f"{received} bytes of {remote.size}, or more than {DOWNLOAD_LIMIT} seconds")
                file.write(chunk)
                report(received)

    try:
        pooch.retrieve(address, remote.hash, remote.file, folder(), downloader=download)
    except (OSError, ValueError) as error:
        logging.getLogger(__name__).warning("%s was not fetched: %r", remote.file, error)
        reason = lazy_gettext("This server cannot keep texts: its folder for them is full, or not writable.")
        if isinstance(error, requests.RequestException | ValueError):
            host = urlsplit(address).hostname
            reason = lazy_gettext("{host} cannot be reached, is too slow, or has another text than this one.", host=host)
        raise ValueError(lazy_gettext("{why} {way_out}", why=reason, way_out=WAY_OUT)) from error


class DownloadStatus(NamedTuple):
    """The state of a download, the bytes received so far, and the sentence of its error."""

    state: Literal["absent", "downloading", "done", "failed"]
    bytes: int = 0
    error: str = ""


class Download(threading.Thread):
    """A download in the background: the bytes received so far, and the sentence of its error."""

    def __init__(self, text: str) -> None:
        super().__init__(name="download", daemon=True)
        self.text, self.bytes, self.error = text, 0, ""
        self.start()

    def run(self) -> None:
        try:
            fetch(self.text, self._report)
        except ValueError as error:
            self.error = message_of(error)

    def _report(self, received: int) -> None:
        self.bytes = received


_downloads: dict[str, Download] = {}
_lock = threading.Lock()


def start_download(name: str) -> Download:
    """Download a text in a thread, unless a download of it is running already."""
    with _lock:
        if name not in _downloads or not _downloads[name].is_alive():
            _downloads[name] = Download(name)
        return _downloads[name]


def download_status(name: str) -> DownloadStatus:
    """The state of the download of a text: ``done`` if the text is in the folder."""
    download = _downloads.get(name)
    if download and download.is_alive():
        return DownloadStatus("downloading", download.bytes)
    if is_downloaded(name):
        return DownloadStatus("done", REMOTES[name].size)
    return DownloadStatus("failed", error=download.error) if download and download.error else DownloadStatus("absent")


if __name__ == "__main__":
    for name in REMOTES:
        fetch(name)
        print(f"{name} is in {folder()}.")
