"""Thirty small defects of the product (``defects.toml``), and a script that shows that the tests find each of them.

``python -m tests.defects`` applies one defect at a time to a copy of the repository and runs the tests there. A test that fails
counts only if it passes without the defect. ``tests/test_defects.py`` keeps the list current. Run the script before and after
changing tests: the tests must still find every defect that they found before.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tests.dashboard_server import ROOT

LIST = Path(__file__).with_suffix(".toml")
MARKS = "not browser and not server and not slow"
PYTEST = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "2", "-m", MARKS)
MOST_SECONDS = 900.0  # limit of one run of pytest; a defect that makes the tests hang counts as not found
NODE_MODULES = Path("tests", "javascript", "node_modules")
FAILED = re.compile(r"^(?:FAILED|ERROR) (tests/\S+?(?:\[.*?\])?)(?: - .*)?$", re.MULTILINE)
PASSED, NONE_COLLECTED = 0, 5  # exit statuses of pytest


class Defect(NamedTuple):
    """A change in one place of the product that the tests must find."""

    name: str
    path: str
    before: str
    after: str

    @property
    def tests(self) -> str:
        """The folder whose tests should find it."""
        part, folder, *_ = self.path.split("/")
        return f"tests/core/{folder}" if part == "core" else "tests/pages"


class Outcome(NamedTuple):
    """The first test that failed ("" if none did), and how long the search took."""

    found_by: str
    seconds: float


DEFECTS = tuple(Defect(**one) for one in tomllib.loads(LIST.read_text(encoding="utf-8"))["defect"])


def altered(defect: Defect, root: Path = ROOT) -> str:
    """The source of the file with the defect; raises ``ValueError`` unless ``before`` occurs exactly once."""
    source = (root / defect.path).read_text(encoding="utf-8")
    if source.count(defect.before) != 1:
        raise ValueError(f"{defect.path} has {defect.before!r} {source.count(defect.before)} times, not once.")
    return source.replace(defect.before, defect.after)


def copy_repository(target: Path) -> None:
    """Copy all files that git tracks or would track, as they are in the working tree."""
    listed = subprocess.run(
        ["git", "ls-files", "-coz", "--exclude-standard"], cwd=ROOT, capture_output=True, check=True, encoding="utf-8"
    )
    for name in set(listed.stdout.split("\0")) - {""}:
        if (ROOT / name).is_file():  # a file that was deleted may still be tracked
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name)
    if (ROOT / NODE_MODULES).is_dir() and (target / NODE_MODULES).parent.is_dir():
        (target / NODE_MODULES).symlink_to(ROOT / NODE_MODULES, target_is_directory=True)


def failed_tests(repository: Path, arguments: Sequence[str]) -> list[str]:
    """Run pytest in ``repository`` and return the failed tests, in the order in which pytest lists them.

    Raise ``RuntimeError`` with the end of its output if pytest itself could not run the tests.
    """
    try:
        ran = subprocess.run(
            [*PYTEST, *arguments], cwd=repository, capture_output=True, encoding="utf-8", errors="replace", timeout=MOST_SECONDS
        )
    except subprocess.TimeoutExpired:
        return []
    found = FAILED.findall(ran.stdout)
    if not found and ran.returncode not in (PASSED, NONE_COLLECTED):
        raise RuntimeError(f"pytest ended with status {ran.returncode}:\n{ran.stdout[-3000:]}{ran.stderr[-3000:]}")
    return found


def search(defect: Defect) -> Outcome:
    """Run the tests of the defect's folder in a copy of the repository that has the defect, up to the first that fails."""
    began = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="defect-") as folder:
        repository = Path(folder)
        copy_repository(repository)
        (repository / defect.path).write_text(altered(defect, repository), encoding="utf-8")
        found = failed_tests(repository, ["-x", defect.tests])
    return Outcome(found[0] if found else "", time.perf_counter() - began)


def failing_anyway(tests: Sequence[str]) -> set[str]:
    """The tests that fail without any defect, which prove nothing. All cases of a parametrised test count as one."""
    if not tests:
        return set()
    with tempfile.TemporaryDirectory(prefix="no-defect-") as folder:
        copy_repository(Path(folder))
        failed = failed_tests(Path(folder), sorted(set(map(_function, tests))))
    return {test for test in tests if _function(test) in set(map(_function, failed))}


def _function(test: str) -> str:
    """The id of a test without its parameters."""
    return test.partition("[")[0]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.defects", description=__doc__.partition("\n")[0])
    parser.add_argument("--only", default="", metavar="SUBSTRING", help="only defects whose names contain this")
    only = parser.parse_args().only.casefold()
    chosen = [defect for defect in DEFECTS if only in defect.name.casefold()]
    found_by: list[str] = []
    for defect in chosen:
        found, seconds = search(defect)
        found_by += [found] if found else []
        print(f"{defect.name}: {f'found by {found}' if found else 'NOT FOUND'} ({seconds:.0f} s)", flush=True)
    invalid = failing_anyway(found_by)
    for test in sorted(invalid):
        print(f"fails without a defect, too: {test}")
    found_count = sum(test not in invalid for test in found_by)
    print(f"{found_count} of {len(chosen)} found")
    return int(found_count < len(chosen))


if __name__ == "__main__":
    sys.exit(main())
