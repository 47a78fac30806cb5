"""Scores over time as a chart, in the colours of the theme."""

from collections.abc import Sequence
from typing import Any

from textual.color import Color
from textual_plotext import PlotextPlot

from lms_tui.tui.presenters.stats import Point


class TrendChart(PlotextPlot):
    """Percent of every finished attempt, oldest at the left."""

    DEFAULT_CSS = """
    TrendChart {
        border: round $border-blurred; border-title-color: $primary; border-title-style: bold;
        padding: 0 1; background: $surface;
    }
    """
    can_focus = False

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.border_title = "Scores over time"
        self._points: Sequence[Point] = ()

    def on_mount(self) -> None:
        self.watch(self.app, "theme", self._draw, init=False)

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
        plot.ylim(min(0, *shares) if shares else 0, 100)
        plot.yticks([0, 25, 50, 75, 100], ["0 %", "25 %", "50 %", "75 %", "100 %"])
        plot.xaxes(True, False)
        plot.yaxes(True, False)
        if shares:
            step = max(1, len(shares) // 6)
            shown = places[::step]
            plot.xticks(shown, [self._points[place - 1].day.rsplit(" ", 1)[0] for place in shown])
            plot.xlim(0.5, len(shares) + 0.5)
            plot.plot(places, shares, marker="braille", color=_rgb(variables["primary"]))
            plot.scatter(places, shares, marker="●", color=_rgb(variables["accent"]))
        self.refresh()


def _rgb(text: str) -> tuple[int, int, int]:
    return Color.parse(text).rgb
