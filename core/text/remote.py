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

from core.config.language import Message, gettext as _, lazy_gettext, message_of

FOLDER, MIRROR = "RNN_TEXTS", "RNN_TEXTS_FROM"
TIMEOUT = (5.0, 10.0)  # seconds to connect, and between two chunks
DOWNLOAD_LIMIT = 120.0  # seconds
CHUNK = 16 * 1024  # bytes between two calls of the progress callback
POEMS = "./usr/share/games/fortunes/tang300"  # the file in Debian's package
HEADER = 60  # bytes of the header of every file in an ar archive: its name first, its size at 48 to 58
COLOUR = re.compile("\x1b\\[\\d*m")  # escape codes of a terminal
BETWEEN = "\n%\n"  # two poems in the file
WAY_OUT = lazy_gettext("The way out: bring the text as a file of your own.")
TOO_SLOW = lazy_gettext("It takes too long: the connection is too slow, or hangs. {way_out}", way_out=WAY_OUT)


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


class Progress:
    """A progress bar for pooch: calls ``report(bytes)``; ``OverflowError`` ends a download of more than ``most`` bytes."""

    total = 0  # pooch sets it to the Content-Length

    def __init__(self, most: int, report: Callable[[int], None]) -> None:
        self._most, self._report, self.bytes = most, report, 0

    def update(self, more: int) -> None:
        self.bytes += more
        if self.bytes > self._most:
            raise OverflowError
        self._report(self.bytes)

    def reset(self) -> None:
        self.bytes = 0

    def close(self) -> None:
        """Do nothing; pooch calls it."""


def fetch(name: str, report: Callable[[int], None] = lambda _bytes: None, timeout: tuple[float, float] = TIMEOUT) -> None:
    """Download a text, unless it is in the folder; ``report`` is called with the bytes received so far.

    ``ValueError`` with a sentence if the download fails, or the hash of the file differs.
    """
    import pooch

    remote = REMOTES[name]
    mirror = os.environ.get(MIRROR, "").rstrip("/")
    address = f"{mirror}/{remote.file}" if mirror else remote.address
    progress, responses = Progress(2 * remote.size + CHUNK, report), []
    hooks = {"response": lambda response, **_more: responses.append(response)}
    downloader = pooch.HTTPDownloader(progressbar=progress, chunk_size=CHUNK, timeout=timeout, hooks=hooks)
    try:
        pooch.retrieve(address, remote.hash, remote.file, folder(), downloader=downloader)
    except Exception as error:
        logging.getLogger(__name__).warning("%s was not fetched: %r", remote.file, error)
        reason = _reason(error, urlsplit(address).hostname, progress.bytes > 0)
        raise ValueError(lazy_gettext("{why} {way_out}", why=reason, way_out=WAY_OUT)) from error
    finally:
        for response in responses:  # pooch does not close a response that was not read to its end
            response.close()


def _reason(error: Exception, host: str | None, begun: bool) -> Message:
    """A sentence about the error; ``begun``: whether bytes had been received before it."""
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


class DownloadStatus(NamedTuple):
    """The state of a download, the bytes received so far, and the sentence of its error."""

    state: Literal["absent", "downloading", "done", "failed"]
    bytes: int = 0
    error: str = ""


class Download:
    """A download in a thread: ``fetch(report)`` calls ``report(bytes)``, and raises ``ValueError`` with a sentence.

    The thread cannot be stopped while it waits for a server. After ``DOWNLOAD_LIMIT`` it counts as failed, and can be repeated.
    """

    def __init__(self, fetch: Callable[[Callable[[int], None]], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._fetch, self._clock, self._bytes, self._error = fetch, clock, 0, ""
        self._began = clock()
        self._thread = threading.Thread(target=self._run, name="download", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._fetch(self._report)
        except ValueError as error:
            self._error = message_of(error)

    def _report(self, received: int) -> None:
        self._bytes = received

    def status(self) -> DownloadStatus:
        if self._thread.is_alive():
            late = self._clock() - self._began > DOWNLOAD_LIMIT
            return DownloadStatus("failed", self._bytes, TOO_SLOW) if late else DownloadStatus("downloading", self._bytes)
        return DownloadStatus("failed" if self._error else "done", self._bytes, self._error)

    def join(self, timeout: float) -> bool:
        """Wait for the end of the download, at most ``timeout`` seconds; return whether it has ended."""
        self._thread.join(timeout)
        return not self._thread.is_alive()


_downloads: dict[str, Download] = {}
_lock = threading.Lock()


def start_download(name: str) -> Download:
    """Download a text in a thread, unless a download of it is running already."""
    with _lock:
        if name not in _downloads or _downloads[name].status().state != "downloading":
            _downloads[name] = Download(lambda report: fetch(name, report))
        return _downloads[name]


def download_status(name: str) -> DownloadStatus:
    """The state of the download of a text: ``done`` if the text is in the folder."""
    status = _downloads[name].status() if name in _downloads else DownloadStatus("absent")
    if is_downloaded(name):  # after reading the status: the download may end in between
        return DownloadStatus("done", REMOTES[name].size)
    return status if status.state != "done" else DownloadStatus("absent")  # the file has been removed since


if __name__ == "__main__":
    for name in REMOTES:
        fetch(name)
        print(f"{name} is in {folder()}.")
