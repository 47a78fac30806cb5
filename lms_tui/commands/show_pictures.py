"""Pictures and formulas for what is printed into a terminal: drawn as it can, at once, and left there."""

from collections.abc import Mapping
from typing import Final, Self

from lms_tui.content.images import Bitmap, Formula, embedded, payload_of
from lms_tui.content.model import Maths, Part
from lms_tui.tui.terminal.rasterizer import Rasterizer, is_installed, is_svg

_VARIABLE: Final = "LMS_TUI_PICTURES"
_INK, _PAPER = "#000000", "#ffffff"
"""The colours of a shell's terminal are not known; black on white can be read in all of them."""


def protocol_in(environment: Mapping[str, str]) -> str:
    """The way a terminal draws pictures, as far as it says so without being asked; `LMS_TUI_PICTURES` decides."""
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
    """Draws SVG in every terminal; the terminal draws formulas and pictures itself only where `formulas` are wanted."""

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
        """What draws the whole picture of this part at the cursor."""
        from lms_tui.tui.terminal.graphics import Protocol, drawn

        return drawn(Protocol(self._protocol), part.bitmap, part.columns, part.rows)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._rasterizer is not None:
            self._rasterizer.close()
