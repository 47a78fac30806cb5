"""A move is painted once: what the attempt tells again without a change paints nothing."""

import pytest

from lms_tui.tui.widgets.palette import PaletteView
from tests.fakes.attempts import AttemptInMemory, an_exam
from tests.fakes.sitting import sitting


async def test_saving_and_sending_repaint_changed_cells_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    painted: list[tuple[int, ...]] = []
    async with sitting(AttemptInMemory(an_exam(30))) as sit:
        await sit.press("n")
        await sit.work()
        redraw = PaletteView.redraw

        def counted(palette: PaletteView, *lines: int) -> None:
            painted.append(lines)
            redraw(palette, *lines)

        monkeypatch.setattr(PaletteView, "redraw", counted)
        await sit.press("n")
        assert len(painted) == 1
        await sit.work()
        assert len(painted) == 1
        await sit.press("b")
        assert len(painted) == 2
        await sit.work()
        assert "sent 1" in sit.text()
        assert len(painted) == 2
