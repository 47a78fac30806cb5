"""Scores over time as a chart, in the colours of the theme."""

from collections.abc import Sequence
from typing import Any, Final

from textual.color import Color
from textual_plotext import PlotextPlot

from lms_tui.views.stats import Point

_MOST: Final = 115
"""Per cent at the upper edge. It leaves room for the number above a full column."""
_LABELS: Final = 8
"""Most columns that get a date and a number each."""
_AXIS: Final = 7
"""Columns of the axis."""
_UNIT_FROM: Final = 6
"""Least columns for a number with its sign, and a blank. With fewer, the number stands alone: the axis has the sign."""
_FEWEST: Final = 4
"""Least number of columns that the width is planned for."""


class TrendChart(PlotextPlot):
    """The score in per cent of each finished attempt, the oldest at the left."""

    DEFAULT_CSS = """
    TrendChart {
        border: round $border-blurred; border-title-color: $primary; border-title-style: bold;
        padding: 0 1; background: $surface;
    }
    """
    can_focus = False

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.border_title = "Scores over time"
        self._points: Sequence[Point] = ()

    def on_mount(self) -> None:
        self.watch(self.app, "theme", self._draw, init=False)

    def on_resize(self) -> None:
        self._draw()

    def show(self, points: Sequence[Point]) -> None:
        self._points = points
        self._draw()

    def _draw(self) -> None:
        plot: Any = self.plt
        plot.clear_data()
        plot.clear_figure()
        shares = [point.share for point in self._points]
        places = list(range(1, len(shares) + 1))
        variables = self.app.theme_variables
        plot.ylim(min(0, *shares) if shares else 0, _MOST)
        plot.yticks([0, 50, 100], ["0 %", "50 %", "100 %"])
        plot.xaxes(True, False)
        plot.yaxes(True, False)
        if shares:
            plot.xlim(0.4, max(len(shares), _FEWEST) + 0.6)
            plot.bar(places, shares, marker="hd", width=0.5, color=_rgb(variables["primary"]))
            # Set after the bars, which replace the tick labels.
            shown = places[:: max(1, -(-len(shares) // _LABELS))]
            plot.xticks(shown, [self._points[place - 1].day.rsplit(" ", 1)[0] for place in shown])
            if len(shares) <= _LABELS:
                self._say_shares(plot, shares, variables)
        self.refresh()

    def _say_shares(self, plot: Any, shares: Sequence[float], variables: dict[str, str]) -> None:
        """Write the number above each column."""
        above = 1.5 * _MOST / max(4, self.size.height - 5)
        colours = {"color": _rgb(variables["foreground"]), "background": _rgb(variables["surface"])}
        each = (self.size.width - _AXIS) / max(len(shares), _FEWEST)
        unit = " %" if each >= _UNIT_FROM else ""
        for place, share in enumerate(shares, start=1):
            plot.text(f"{share:.0f}{unit}", place, max(share, 0) + above, alignment="center", **colours)


def _rgb(text: str) -> tuple[int, int, int]:
    return Color.parse(text).rgb
