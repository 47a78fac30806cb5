"""No import cycle between the modules of a package. Imports for type checking count too."""

from functools import cache
from graphlib import CycleError, TopologicalSorter

import grimp
import pytest

PACKAGES = ["lms_tui.banks", "lms_tui.content", "lms_tui.tui"]


@cache
def graph() -> grimp.ImportGraph:
    return grimp.build_graph("lms_tui", cache_dir=None)


@pytest.mark.parametrize("package", PACKAGES)
def test_modules_of_a_package_do_not_import_each_other_in_a_cycle(package: str) -> None:
    modules = {package} | graph().find_descendants(package)
    assert len(modules) > 1
    try:
        TopologicalSorter(
            {module: graph().find_modules_directly_imported_by(module) & modules for module in modules}
        ).prepare()
    except CycleError as error:
        pytest.fail(" → ".join(error.args[1]))
