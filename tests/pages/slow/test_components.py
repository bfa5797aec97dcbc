"""Every component is drawn by its script with data as every section sends them."""

import json
from collections import defaultdict
from collections.abc import Iterator

import pytest

from core.content.lecture import saved
from core.content.notation import FIRST, SECOND
from core.content.scenes import SCENES
from tests.javascript.node import HERE, run
from tests.pages.app_session import START
from tests.pages.views import View, of

pytestmark = pytest.mark.xdist_group("every_section")  # one process draws them


def test_components_read_all_they_are_sent_and_nothing_else(views, tmp_path, visit):
    """Every component is given its data, then those of the smaller network, if it follows a play head, and the first again.

    Data whose keys have all been given before are left out.
    """
    given: dict[str, list[list]] = defaultdict(list)
    keys: dict[str, set[str]] = defaultdict(set)

    def add(first: View, *later: View) -> None:
        for name in dict.fromkeys(name for name, _ in first.components):
            shown, *others = [[data for kind, data in view.components if kind == name] for view in (first, *later)]
            for i, data in enumerate(shown):
                if new := set(key_paths(data)) - keys[name]:
                    keys[name] |= new
                    then = [other[i] for other in others if "link" in data and len(other) > i]
                    given[name].append([data, *then, data])

    for both in zip(of(views, FIRST), of(views, SECOND), strict=True):
        add(*both)
    lecturer = visit(START)
    lecturer.stage.lecture.open_file(saved(SCENES))
    for session in (visit("unrolled", scene="machine"), visit(), lecturer.run()):
        add(View("", "", "", list(session.components()), [], [], []))
    path = tmp_path / "scenes.json"
    path.write_text(json.dumps(given), encoding="utf-8")
    run(str(HERE / "scenes.js"), str(path))


def key_paths(data: object, path: str = "") -> Iterator[str]:
    yield f"{path} {type(data).__name__}"
    for key, value in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        yield from key_paths(value, f"{path}[]" if isinstance(data, list) or key.isdigit() else f"{path}.{key}")
