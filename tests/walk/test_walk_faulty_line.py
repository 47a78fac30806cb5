"""A walk accuses a right server of nothing, whatever the line loses."""

from functools import partial
from pathlib import Path
from random import Random

import pytest

from tests.walk.unreliable import Unreliable
from tests.walk.walk_world import accused, at_file, walk_through


@pytest.mark.slow
@pytest.mark.parametrize("tens", range(10))
async def test_a_right_server_is_never_accused_on_a_faulty_line(
    tens: int, furnished_file: Path, tmp_path: Path
) -> None:
    """In 100 walks, one request in 30 to one in 4 is lost."""
    for seed in range(tens * 10, tens * 10 + 10):
        world = at_file(furnished_file, tmp_path / f"service-{seed}")
        random = Random(seed)
        share = random.choice([0.03, 0.1, 0.25])
        report = await walk_through(world, partial(Unreliable, random=random, share=share))
        assert accused(report) == set(), seed
        await world.close()
