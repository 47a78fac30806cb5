"""Pictures and formulas of `lms-tui exam show`, drawn by the terminal's protocol or with half blocks."""

from collections.abc import Mapping
from typing import Final, Self

from lms_tui.content.images import Bitmap, Formula, embedded, payload_of
from lms_tui.content.lines import Part
from lms_tui.content.model import Maths
from lms_tui.tui.terminal.rasterizer import Rasterizer, is_installed, is_svg

_VARIABLE: Final = "LMS_TUI_PICTURES"
_INK, _PAPER = "#000000", "#ffffff"
"""Black on white is readable on every terminal, whose colours are not known."""


def protocol_in(environment: Mapping[str, str]) -> str:
    """Return the graphics protocol by `LMS_TUI_PICTURES`, else by the terminal's variables, else ""."""
    wanted = environment.get(_VARIABLE, "auto").lower()
    if wanted != "auto":
        return wanted if wanted in {"kitty", "iterm", "sixel"} else ""
    term, program = environment.get("TERM", ""), environment.get("TERM_PROGRAM", "")
    if "TMUX" in environment or term.startswith(("tmux", "screen")):
        return ""
    if term in {"xterm-kitty", "xterm-ghostty"}:
        return "kitty"
    return "iterm" if program in {"iTerm.app", "WezTerm"} else ""


class ShownPictures:
    """Draws SVG with half blocks. With `formulas`, the terminal's protocol draws pictures and formulas."""

    def __init__(self, environment: Mapping[str, str], *, formulas: bool) -> None:
        self._rasterizer = Rasterizer() if is_installed() else None
        self._protocol = protocol_in(environment) if formulas else ""
        self.graphics = bool(self._protocol)
        self.formulas = self.graphics and self._rasterizer is not None

    def find(self, source: str) -> Bitmap | None:
        found = embedded(source)
        if found is not None or self._rasterizer is None or not source.lower().startswith("data:image/svg"):
            return found
        data = payload_of(source)
        return self._rasterizer.svg(data) if data is not None and is_svg(data) else None

    def formula(self, maths: Maths) -> Formula | None:
        return self._rasterizer.formula(maths, _INK, _PAPER) if self._rasterizer is not None and self.formulas else None

    def draw(self, part: Part) -> str:
        """Return the sequence that draws the whole picture of this part at the cursor."""
        from lms_tui.tui.terminal.graphics import Protocol, drawn

        return drawn(Protocol(self._protocol), part.bitmap, part.columns, part.rows)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._rasterizer is not None:
            self._rasterizer.close()
