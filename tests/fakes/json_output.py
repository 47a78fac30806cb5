"""The JSON that a command has printed, compared with the form that `docs/json.md` tells."""

import json
from typing import Any

from lms_tui.commands.json_shapes import SHAPES, check_output


def told(text: str, *words: str) -> Any:
    """Return what the command of these words has printed. Raises ValidationError where its form is another one."""
    names = (" ".join(words[:count]) for count in (2, 1))
    check_output(next(name for name in names if name in SHAPES), text)
    return json.loads(text)
