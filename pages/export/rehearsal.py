"""``python -m pages.export.rehearsal``: carries out all scenes, or those in a lecture file, on this machine, without a browser.

Prints for each how long it takes to open, with its network trained to the scene's update, and to do what it asks; then what needs
the internet, and the addresses that a phone in the same network may be able to open.

Measured is the computing of this process: the pages' script and the training at full speed, one scene after the other, for one
visitor; what the browser plays alone takes no time here. Not measured: the browser and the way to it, others on the same server,
the first thirty updates that K plays slowly, and what a lecturer says meanwhile. Neither K, Notice and Why nor the hall's phones
are tried: nothing is drawn.

The exit status is 0, 1 if scenes are slow, 2 if one could not be carried out or the file cannot be read.
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
from pages.content.scene import Scene
from pages.content.scenes import SCENES
from pages.export.scene_app import SceneApp
from pages.export.scene_states import states_of
from pages.export.site import lecture_in

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
    def slow(self) -> list[str]:
        """In what the scene is slow on this machine."""
        return ["slow to open"] * (self.opens > OPENS) + ["slow to be done"] * (self.done > DONE)

    @property
    def remarks(self) -> str:
        internet = [f"needs the internet once, for {self.download}"] if self.download else []
        return ", ".join([*self.slow, *internet, *([f"failed: {self.failed}"] if self.failed else [])])


def main() -> int:
    """Print a line for each scene, then what they need. Returns the exit status."""
    logging.disable(logging.ERROR)  # Streamlit warns that no browser is connected, and logs what a line says already
    parser = argparse.ArgumentParser("python -m pages.export.rehearsal", description="Carries out all scenes on this machine.")
    parser.add_argument("--lecture", type=Path, help="a lecture that was saved as a file, instead of the seventeen scenes")
    parser.add_argument("--port", type=int, default=PORT, help="the port that the server will have")
    options = parser.parse_args()
    try:
        scenes = lecture_in(options.lecture).scenes
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
    return 2 if any(one.failed for one in rehearsed) else int(any(one.slow for one in rehearsed))


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
        except Exception as error:  # whatever it is: the others are to be rehearsed, too
            failed = str(error) or type(error).__name__
        times += [clock()] * (3 - len(times))
        begun, open_at, done_at = times
        yield Rehearsed(scene, open_at - begun, done_at - open_at, failed, download)


def summary(rehearsed: Sequence[Rehearsed], addresses: Sequence[str]) -> list[str]:
    """What is slow, what failed, what needs the internet, and what a phone may open, a sentence each."""
    slow = [one.scene.name for one in rehearsed if one.slow]
    failed = [one.scene.name for one in rehearsed if one.failed]
    downloads = sorted({one.download for one in rehearsed if one.download})
    return [
        f"Slow on this machine: {', '.join(slow)}." if slow else "No scene is slow on this machine.",
        *([f"Could not be carried out: {', '.join(failed)}."] if failed else []),
        f"Needs the internet once, before the day: {', '.join(downloads)}." if downloads else "No scene needs the internet.",
        f"Started with --server.address=0.0.0.0, a phone in the same network may open {' or '.join(addresses)}. The firewall of "
        "this machine or the network may forbid it: try it with a phone, in the hall."
        if addresses
        else "No address of this machine in a network was found: a phone cannot open it.",
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
