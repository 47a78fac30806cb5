"""The processes that the program starts from its own modules."""

from pathlib import Path
from typing import Final

import lms_tui

FOLDER: Final = Path(lms_tui.__file__).parents[1]
"""Their working directory. `python -m` then finds this package, not another one in the current directory."""
