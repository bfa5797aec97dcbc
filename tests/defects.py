"""Thirty small defects of the product, and a script that shows that the tests find each of them.

``python -m tests.defects`` applies one defect at a time to a copy of the repository and runs the tests there. A test that
finds one counts only if it passes without the defect. ``tests/test_defects.py`` keeps the list current. Run it before and after a
change of the tests: what was found before has to be found after.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tests.dashboard_server import ROOT

MARKS = "not browser and not server and not slow"
PYTEST = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "2", "-m", MARKS)
MOST_SECONDS = 900.0  # of one run of pytest; a defect that makes the tests hang is not found
NODE_MODULES = Path("tests", "javascript", "node_modules")
FAILED = re.compile(r"^(?:FAILED|ERROR) (tests/\S+?(?:\[.*?\])?)(?: - .*)?$", re.MULTILINE)
PASSED, NONE_COLLECTED = 0, 5  # exit statuses of pytest


class Defect(NamedTuple):
    """A change of one place of the product that the tests have to find.

    ``before`` occurs exactly once in the file ``path`` and is replaced by ``after``.
    """

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


DEFECTS = (
    # Forward, backward, and the loss
    Defect(
        "the gradient of W_hh has the wrong sign",
        "core/models/rnn.py",
        "np.dot(flat(states[:-1]).T, flat(das), out=grads.W_hh)",
        "np.dot(flat(states[:-1]).T, -flat(das), out=grads.W_hh)",
    ),
    Defect(
        "the backward step leaves out the slope of the activation",
        "core/models/rnn.py",
        "np.multiply(dh[t], slope[t], out=da[t])",
        "np.copyto(da[t], dh[t])",
    ),
    Defect("a truncated gradient goes one step too far back", "core/models/rnn.py", "if t % tau:", "if t % (tau + 1):"),
    Defect(
        "the gradient of the loss is not divided by the number of tokens",
        "core/models/loss.py",
        "(1 / M / sums)[:, None]\n    dlogits.reshape(-1)[places] -= 1 / M",
        "(1 / sums)[:, None]\n    dlogits.reshape(-1)[places] -= 1",
    ),
    Defect(
        "perplexity divides by the number of steps, not of tokens",
        "core/models/loss.py",
        "perplexity_of(float(losses.sum(dtype=np.float64)) / losses.size)",
        "perplexity_of(float(losses.sum(dtype=np.float64)) / len(losses))",
    ),
    Defect(
        "W_hq begins with standard deviation 1/H instead of 1/sqrt(H)",
        "core/models/initialisation.py",
        "hidden_size), 1 / math.sqrt(hidden_size)",
        "hidden_size), 1 / hidden_size",
    ),
    # Counting and sampling
    Defect(
        "Witten-Bell smoothing divides by the counts alone", "core/models/ngram.py", "weight = total + kinds", "weight = total"
    ),
    Defect(
        "the temperature multiplies the logits",
        "core/models/sampling.py",
        "return scores / temperature",
        "return scores * temperature",
    ),
    # Training
    Defect(
        "training does not clip the gradient, though it reports the clipped norm",
        "core/training/tbptt.py",
        "clip_by_global_norm(gradients.params.flat, settings.clip_norm)",
        "clip_by_global_norm(gradients.params.flat, 0.0)",
    ),
    Defect(
        "the state is not carried from window to window",
        "core/training/tbptt.py",
        "h0 = self.h if settings.carry_state else None",
        "h0 = None",
    ),
    Defect(
        "the learning rate is that of the next update",
        "core/training/tbptt.py",
        "rate_at(settings, self.step)",
        "rate_at(settings, self.step + 1)",
    ),
    Defect(
        "clipping divides by the squared norm",
        "core/training/optimizers.py",
        "np.multiply(gradient, max_norm / length, gradient)",
        "np.multiply(gradient, max_norm / length**2, gradient)",
    ),
    Defect(
        "Adam has no bias correction",
        "core/training/optimizers.py",
        "mean = (1 - self.BETA_1) / (1 - self.BETA_1**t)\n"
        "        root_mean = math.sqrt((1 - self.BETA_2) / (1 - self.BETA_2**t))",
        "mean = 1 - self.BETA_1\n        root_mean = math.sqrt(1 - self.BETA_2)",
    ),
    Defect(
        "Adagrad's sum of squares decays",
        "core/training/optimizers.py",
        "np.add(squares, step, squares)",
        "np.add(0.9 * squares, step, squares)",
    ),
    Defect(
        "held-out perplexity is the mean of the perplexities of the windows",
        "core/training/held_out.py",
        "return self.judgement(params, settings).nats",
        "return math.log(np.mean([math.exp(nats.mean()) for nats in self.losses(params, settings)]))",
    ),
    Defect(
        "a checkpoint that is opened has lost the optimiser's state",
        "core/training/checkpoint/conversion.py",
        'state = {name: np.array(arrays[f"{beginning}{name}"][row]) for name in names}',
        'state = {name: np.array(arrays[f"{beginning}{name}"][row]) for name in names}\n'
        '    state |= {name: np.zeros_like(array) for name, array in state.items() if name.startswith("optimizer.")}',
    ),
    Defect(
        "the shapes of a checkpoint's arrays are not checked",
        "core/training/checkpoint/schema.py",
        "return few and array.shape == wanted and part.holds(array)",
        "return few and part.holds(array)",
    ),
    # Text
    Defect("the held-out text is trained on, too", "core/text/corpus.py", "train=pairs[:border],", "train=pairs,"),
    Defect(
        "the rows of a mini-batch begin one window apart",
        "core/text/token_stream.py",
        "stride = self.length // batch_size",
        "stride = num_steps",
    ),
    Defect(
        "a symbol outside the vocabulary becomes the first symbol of it",
        "core/text/tokenizer.py",
        "ids[missing] = self.unknown",
        "ids[missing] = 0",
    ),
    Defect(
        "UTF-8 is guessed, not recognised",
        "core/text/encoding.py",
        'or _wide(data) or ("utf-8" if _fits(sample, "utf-8") else "")',
        "or _wide(data)",
    ),
    Defect(
        "an uploaded text may be a million times too large",
        "core/text/upload.py",
        "if len(data) > MAX_BYTES:",
        "if len(data) > MAX_BYTES * MEGABYTE:",
    ),
    # Analysis
    Defect(
        "the Jacobians are multiplied in the wrong order",
        "core/analysis/jacobian.py",
        "_about_one((dh * slopes[-at]) @ W_hh_T)",
        "_about_one((dh * slopes[at - 1]) @ W_hh_T)",
    ),
    Defect(
        "the shares of the gradient of W_hh take the state after the step",
        "core/analysis/gradient_flow.py",
        "before = trace.h[:-1]",
        "before = trace.h[1:]",
    ),
    # Settings
    Defect(
        "a setting, also one in a link, has no upper bound",
        "core/config/knob.py",
        "not self.low <= value <= self.high",
        "not self.low <= value",
    ),
    # Pages
    Defect(
        "a live knob is checked but does not act on the run",
        "pages/app/session/session_run.py",
        "self.run.change(**knobs)",
        "self.run.settings.moved(**knobs)",
    ),
    Defect(
        "a result of the run is kept when the run has moved on",
        "pages/app/session/session_cache.py",
        "if entry is None or entry.what != what or (entry.progress != progress and not _may_wait(session, entry)):",
        "if entry is None or entry.what != what:",
    ),
    Defect(
        "a page that is loaded again does not find its run",
        "pages/app/connection/connections.py",
        "pause(self.session)\n                store(self.session)",
        "pause(self.session)",
    ),
    Defect(
        "one session more than allowed is admitted",
        "pages/app/connection/admission_control.py",
        "if position > self.most - self.admitted or",
        "if position > self.most - self.admitted + 1 or",
    ),
    Defect(
        "a notice that quotes the reader is not escaped",
        "pages/app/layout/elements.py",
        '"<br>".join(map(escape, shown))',
        '"<br>".join(shown)',
    ),
)


def altered(defect: Defect, root: Path = ROOT) -> str:
    """The file with the defect; ``ValueError`` unless the place is there exactly once."""
    source = (root / defect.path).read_text(encoding="utf-8")
    if source.count(defect.before) != 1:
        raise ValueError(f"{defect.path} has {defect.before!r} {source.count(defect.before)} times, not once.")
    return source.replace(defect.before, defect.after)


def copy_repository(target: Path) -> None:
    """All files that git tracks or would track, as they are in the working tree."""
    listed = subprocess.run(
        ["git", "ls-files", "-coz", "--exclude-standard"], cwd=ROOT, capture_output=True, check=True, encoding="utf-8"
    )
    for name in set(listed.stdout.split("\0")) - {""}:
        if (ROOT / name).is_file():  # not those that were removed and are still tracked
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name)
    if (ROOT / NODE_MODULES).is_dir() and (target / NODE_MODULES).parent.is_dir():
        (target / NODE_MODULES).symlink_to(ROOT / NODE_MODULES, target_is_directory=True)


def failed_tests(repository: Path, arguments: Sequence[str]) -> list[str]:
    """Run pytest in ``repository``; the tests that failed, in the order in which pytest lists them.

    ``RuntimeError`` with the end of its output where pytest itself could not run the tests.
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
    """Which of these tests fail without any defect: they show nothing. All cases of a parametrised test count as one."""
    if not tests:
        return set()
    with tempfile.TemporaryDirectory(prefix="no-defect-") as folder:
        copy_repository(Path(folder))
        failed = failed_tests(Path(folder), sorted(set(map(_function, tests))))
    return {test for test in tests if _function(test) in set(map(_function, failed))}


def _function(test: str) -> str:
    """A test without its parameters."""
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
