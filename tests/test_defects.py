"""The list of defects fits the product as it is."""

import pytest

from tests.defects import DEFECTS, ROOT, Defect, altered


@pytest.mark.parametrize("defect", DEFECTS, ids=lambda defect: defect.name)
def test_a_defect_changes_one_place_of_the_product_and_what_it_leaves_is_python(defect: Defect):
    changed = altered(defect)
    assert changed != (ROOT / defect.path).read_text(encoding="utf-8")
    compile(changed, defect.path, "exec")
    assert defect.path.startswith(("core/", "pages/"))
    assert all((ROOT / folder).is_dir() for folder in defect.tests)


def test_the_defects_have_names_of_their_own():
    assert len({defect.name for defect in DEFECTS}) == len(DEFECTS)
