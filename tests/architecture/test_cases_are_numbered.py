"""Each of the thirty nasty cases has a test that carries its number, and the documentation names it."""

import ast
import re
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[2]
CASES = set(range(1, 31))


def marked() -> dict[int, set[str]]:
    """The names of the tests of each case, by `@pytest.mark.case(N)`."""
    found: dict[int, set[str]] = defaultdict(set)
    for path in (ROOT / "tests").rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                for mark in node.decorator_list:
                    if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.case":
                        found[ast.literal_eval(mark.args[0])].add(node.name)
    return found


def documented() -> dict[int, set[str]]:
    """The names of the tests in each row of the table of cases."""
    cases = (ROOT / "docs/reliability.md").read_text("utf-8").partition("## Thirty cases")[2].partition("\n## ")[0]
    rows = re.findall(r"(?m)^\| (\d+) \|(.*)\|$", cases)
    return {int(number): set(re.findall(r"`(test_\w+)`", rest)) for number, rest in rows}


def test_every_case_has_a_test_with_its_number() -> None:
    assert set(marked()) == CASES


def test_the_documentation_names_the_tests_of_each_case() -> None:
    tests, rows = marked(), documented()
    assert set(rows) == CASES
    assert [number for number, names in rows.items() if not names or not names <= tests[number]] == []
