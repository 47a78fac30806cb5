"""The save light: how many answers are saved and sent, and whether the server replies."""

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
        dim, look = self.looks["dim"], self.looks[_LOOK[light.severity]]
        text = self.looks["base"] if light.severity in {Severity.GOOD, Severity.PLAIN} else look
        counts: tuple[Piece, ...] = ((light.sign, look), ("  ", dim), (light.text, text))
        return ((" " * max(0, self.size.width - cells(counts)), dim), *counts)
