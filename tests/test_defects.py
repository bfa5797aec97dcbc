"""The list of defects matches the current product."""

import pytest

from tests.dashboard_server import ROOT
from tests.defects import DEFECTS, Defect, altered


@pytest.mark.parametrize("defect", DEFECTS, ids=lambda defect: defect.name)
def test_a_defect_changes_one_place_of_the_product_and_leaves_valid_python(defect: Defect):
    changed = altered(defect)
    assert changed != (ROOT / defect.path).read_text(encoding="utf-8")
    compile(changed, defect.path, "exec")
    assert (ROOT / defect.tests).is_dir()
