"""A thousand lies, drawn over endpoints, fields and kinds of lie: each is named by a rule at its own endpoint.

A walk through recorded replies takes 0.15 s, so every lie gets a walk with all rules, up to the rule that names it. The
recorded server cannot act differently after a lie. A walk that stops early and gives the reason also counts, because it
ends with 2.
`test_walk_deviations.py` has the lies that lead elsewhere, before a real service.
"""

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml

from tests.walk.lies import Lie, LyingServer, Stopping, lies_of
from tests.walk.test_walk_right_server import SHARED
from tests.walk.walk_world import replayed
from tests.walk.wrong_server import Heard

UNSTATED: list[dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("unstated.yaml").read_text("utf-8"))
COUNT, PARTS = 1_000, 10


def is_unstated(lie: Lie) -> bool:
    return any(re.search(pattern, str(lie)) for entry in UNSTATED for pattern in entry["lies"])


def drawn(heard: list[Heard]) -> list[Lie]:
    lies = lies_of(heard)
    Random(1).shuffle(lies)
    return lies[:COUNT]


def test_there_are_more_lies_than_are_drawn(heard: list[Heard]) -> None:
    assert len(lies_of(heard)) > COUNT


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
async def test_each_lie_is_named_or_the_document_leaves_it_open(heard: list[Heard], part: int) -> None:
    missed = []
    for lie in drawn(heard)[part::PARTS]:
        server = LyingServer(heard, lie)
        watcher = Stopping(lie)
        report = await replayed(server, watcher=watcher)
        if server.lied and not (watcher.named or report.stopped or is_unstated(lie)):
            missed.append(str(lie))
    assert missed == []


@pytest.mark.skipif(not SHARED.is_dir(), reason="the document lies beside the project and is not here")
def test_each_sentence_is_in_the_document() -> None:
    text = (SHARED / "lms-api.md").read_text("utf-8")
    assert [entry["says"] for entry in UNSTATED if entry["says"] not in text] == []
