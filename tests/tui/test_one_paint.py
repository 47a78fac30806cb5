"""A move is painted once: what the attempt tells again without a change paints nothing."""

import pytest
from textual.geometry import Region

from lms_tui.tui.widgets.palette import PaletteView
from lms_tui.tui.widgets.question import QuestionView
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


async def test_the_next_question_paints_the_rows_that_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    painted: list[Region] = []
    async with sitting(AttemptInMemory(an_exam(30))) as sit:
        await sit.press("n", "p")
        view = sit.app.runner.query_one(QuestionView)
        before, refresh = sit.rows(), view.refresh

        def counted(*regions: Region, **options: bool) -> QuestionView:
            painted.extend(regions or [view.size.region])
            return refresh(*regions, **options)

        monkeypatch.setattr(view, "refresh", counted)
        await sit.press("n")
        after, left = sit.rows(), view.region
    differ = [
        y
        for y in range(left.height)
        if before[left.y + y][left.x : left.right] != after[left.y + y][left.x : left.right]
    ]
    assert 0 < len(differ) < left.height
    assert sorted(region.y for region in painted) == differ
    assert {region.height for region in painted} == {1}
