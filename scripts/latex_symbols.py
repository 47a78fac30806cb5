"""Write the table of LaTeX symbols that the formula reader uses, from the table of latex2mathml.

    uv run scripts/latex_symbols.py

Run it again after an update of latex2mathml. `tests/content/test_latex_reader.py` compares the two tables.
"""

from pathlib import Path
from typing import Final

from latex2mathml.symbols_parser import SYMBOLS

TARGET: Final = Path(__file__).parents[1] / "lms_tui/content/maths/latex_symbols.txt"
NOTICE: Final = """\
% LaTeX commands and their Unicode code points, made by scripts/latex_symbols.py.
%
% Derived from unimathsymbols.txt, Copyright 2011 Günter Milde, which may be distributed and modified under the
% LaTeX Project Public License, version 1.3 or later (https://www.latex-project.org/lppl.txt). Modified: only the
% commands and code points are kept, with additions from latex2mathml 3.81, Copyright Ronie Martinez, MIT License.
% The complete original is part of latex2mathml (https://pypi.org/project/latex2mathml).
"""


def main() -> None:
    """Write the table without the characters that stand for themselves."""
    rows = [f"{code} {command}\n" for command, code in sorted(SYMBOLS.items()) if command != chr(int(code, 16))]
    TARGET.write_text(NOTICE + "".join(rows), "utf-8")


if __name__ == "__main__":
    main()
