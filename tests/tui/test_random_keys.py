"""No random keys, clicks and sizes end the program."""

from pathlib import Path

import pytest

from tests.tui.random_keys import STEPS, play


@pytest.mark.parametrize("seed", [5, 55, 101, 102])
async def test_random_keys_do_not_end_the_program(tmp_path: Path, seed: int) -> None:
    assert 0 < len(await play(tmp_path, seed)) <= STEPS
