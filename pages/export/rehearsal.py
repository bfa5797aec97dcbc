"""``python -m pages.export.rehearsal``: carries out all scenes, or those in a lecture file, on this machine, without a browser.

Prints how long each takes to open and to be done, what needs the internet, and the addresses that a phone in the same network
could open. The exit status is the number of scenes that could not be carried out.
"""

import argparse
import logging
import socket
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from core.config.link import only_for_this_machine
from core.text.remote import REMOTES, is_downloaded
from pages.content.lecture import opened
from pages.content.scene import Scene
from pages.content.scenes import SCENES
from pages.export.scene_app import SceneApp
from pages.export.scene_states import states_of

OPENS, DONE = 5.0, 60.0  # seconds after which a scene is slow to open, and to be done
ELSEWHERE = ("192.0.2.1", 9)  # an address for documentation, to which nothing is sent
PORT = 8501  # of Streamlit's servers


class Rehearsed(NamedTuple):
    """How long a scene took to open with its network trained, and until its task was done, in seconds; ``failed``: the reason
    if it could not be carried out; ``download``: the text that it needs from the internet first."""

    scene: Scene
    opens: float
    done: float
    failed: str = ""
    download: str = ""

    @property
    def remarks(self) -> str:
        slow = ["slow to open"] * (self.opens > OPENS) + ["slow to be done"] * (self.done > DONE)
        internet = [f"needs the internet once, for {self.download}"] if self.download else []
        return ", ".join([*slow, *internet, *([f"failed: {self.failed}"] if self.failed else [])])


def main() -> int:
    """Print a line for each scene, then what they need. Returns the exit status."""
    logging.disable(logging.WARNING)  # Streamlit warns that no browser is connected
    parser = argparse.ArgumentParser("python -m pages.export.rehearsal", description="Carries out all scenes on this machine.")
    parser.add_argument("--lecture", type=Path, help="a lecture that was saved as a file, instead of the seventeen scenes")
    parser.add_argument("--port", type=int, default=PORT, help="the port that the server will have")
    options = parser.parse_args()
    try:
        scenes = [*(opened(options.lecture.read_text(encoding="utf-8")) if options.lecture else SCENES).values()]
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    print(f"{'':>3} {'scene':<44}{'opens':>7}{'done':>8}")
    rehearsed = []
    for number, one in enumerate(rehearse(scenes), 1):
        rehearsed.append(one)
        print(f"{number:>3} {one.scene.name:<44}{one.opens:>5.1f} s{one.done:>6.1f} s  {one.remarks}".rstrip(), flush=True)
    for sentence in summary(rehearsed, phone_addresses(options.port)):
        print(sentence)
    return sum(bool(one.failed) for one in rehearsed)


def rehearse(scenes: Sequence[Scene], clock: Callable[[], float] = time.monotonic) -> Iterator[Rehearsed]:
    """Open the scenes one after the other in one session, and carry out their tasks; what failed does not stop the next."""
    app = SceneApp([scene for scene in scenes if scene.key not in SCENES])
    for scene in scenes:
        text = scene.settings.corpus
        download = text if text in REMOTES and not is_downloaded(text) else ""
        times, failed = [clock()], ""
        try:
            app.open(scene)
            times.append(clock())
            states_of(app, scene)
        except RuntimeError as error:
            failed = str(error) or type(error).__name__
        times += [clock()] * (3 - len(times))
        begun, open_at, done_at = times
        yield Rehearsed(scene, open_at - begun, done_at - open_at, failed, download)


def summary(rehearsed: Sequence[Rehearsed], addresses: Sequence[str]) -> list[str]:
    """What is slow, what needs the internet, and what a phone could open, a sentence each."""
    slow = [one.scene.name for one in rehearsed if one.opens > OPENS or one.done > DONE]
    downloads = sorted({one.download for one in rehearsed if one.download})
    return [
        f"Slow on this machine: {', '.join(slow)}." if slow else "No scene is slow on this machine.",
        f"Needs the internet once, before the day: {', '.join(downloads)}." if downloads else "No scene needs the internet.",
        f"Started with --server.address=0.0.0.0, a phone in the same network opens {' or '.join(addresses)}, unless the network "
        "keeps its devices apart: try it."
        if addresses
        else "This machine is in no network: no phone can open it.",
    ]


def phone_addresses(port: int) -> list[str]:
    """The addresses of this machine in its networks, those of the machine for itself left out."""
    hosts = set[str]()
    with suppress(OSError):  # its name may be in no table
        hosts |= {str(found[4][0]) for found in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:  # there may be no network
        probe.connect(ELSEWHERE)  # sends nothing: it chooses the network card
        hosts.add(probe.getsockname()[0])
    found = [f"http://{host}:{port}" for host in sorted(hosts)]
    return [address for address in found if not only_for_this_machine(address)]


if __name__ == "__main__":
    sys.exit(main())
