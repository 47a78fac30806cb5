"""Where the answers are: on this disk, with the server, and when the server was last heard."""

from collections.abc import Sequence

from lms_tui.tui.widgets.drawn import Drawn, Piece, cells
from lms_tui.views.runner import Light, Severity

_LOOK = {Severity.PLAIN: "accent", Severity.GOOD: "good", Severity.WARNING: "warning", Severity.BAD: "bad"}


class SaveLight(Drawn):
    def __init__(self) -> None:
        super().__init__(id="save-light")
        self._light: Light | None = None

    def show(self, light: Light) -> None:
        if light != self._light:
            self._light = light
            self.redraw(0)

    def draw(self, y: int) -> Sequence[Piece]:
        light = self._light
        if light is None or y:
            return ()
        sign, dim = (light.sign, self.looks[_LOOK[light.severity]]), self.looks["dim"]
        text = self.looks["base" if light.severity in {Severity.GOOD, Severity.PLAIN} else _LOOK[light.severity]]
        forms: tuple[Sequence[Piece], ...] = (
            ((light.full, text), ("  ", dim), sign, (f" {light.age}", dim)),
            ((light.short, text), ("  ", dim), sign, (f" {light.age}", dim)),
            ((light.short, text), (" ", dim), sign),
        )
        width = self.size.width
        fitting = next((form for form in forms if cells(form) <= width), forms[-1])
        return ((" " * max(0, width - cells(fitting)), dim), *fitting)
