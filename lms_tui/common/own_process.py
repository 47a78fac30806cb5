"""What the processes of this program that it starts itself have in common."""

from pathlib import Path
from typing import Final

import lms_tui

FOLDER: Final = Path(lms_tui.__file__).parents[1]
"""Their working directory. `python -m` then finds this package, not another one in the current directory."""
