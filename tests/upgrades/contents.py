"""What the files of a data directory hold, as the program reads them. Later versions must read the same."""

import dataclasses
import json
from contextlib import closing
from datetime import UTC, datetime
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Any, Final

from lms_tui.attempt.journal.receipt import verify
from lms_tui.attempt.journal.snapshot import read_snapshot
from lms_tui.attempt.journal.store import FileJournals
from lms_tui.attempt.ports import AttemptKey
from lms_tui.common.settings import find_paths, load
from lms_tui.practice.decks import Decks
from lms_tui.practice.store import Deck
from lms_tui.runtime.kept_lists import KeptLists
from lms_tui.runtime.profiles import ProfileList
from lms_tui.runtime.secrets import FileTokens
from tests.service.service_world import World

_READ_AT: Final = datetime(2027, 1, 1, tzinfo=UTC)
"""The service tells the time left and what is available for this moment, so that it tells the same on any day."""
_USERS: Final = ("asha", "ravi", "admin")
_OF_USER: Final = (
    "/api/v2.2/me/",
    "/api/v2.5/me/stats/",
    "/api/v2.5/me/courses/",
    "/api/v2.5/me/ssh-keys/",
    "/api/v2.2/exams/",
    "/api/v2.2/exams/available/",
    "/api/v2.2/exams/history/",
    "/api/v2.2/attempts/",
    "/api/v2.2/posts/",
)
_OF_ADMIN: Final = (
    "/api/v2.2/admin/users/?email=asha@school.example",
    "/api/v2.2/admin/posts/",
    "/api/v2.5/admin/exams/every-type/results/",
    "/api/v2.5/admin/exams/every-type/statistics/",
)
_OF_ATTEMPT: Final = ("", "/questions/", "/aids/", "/review/", "/review/subjects/")


async def contents_of(folder: Path) -> dict[str, Any]:
    """Return everything that the directories `data` and `config` in this folder hold."""
    paths = find_paths(folder / "data", {"LMS_TUI_CONFIG_DIR": str(folder / "config")})
    profiles = ProfileList(paths.profiles).all()
    settings = load(paths, {})
    told = {
        "settings": [settings.appearance, settings.runner, settings.network, dict(settings.keys)],
        "profiles": profiles,
        "tokens": [FileTokens(paths.secrets).read(profile) for profile in profiles],
        "home screens": [KeptLists(paths.secrets).read(profile) for profile in profiles],
        "journals": [_journal(path, paths.journals) for path in FileJournals(paths.journals).paths()],
        "receipts": [verify(path) for path in sorted(paths.exports.glob("receipt-*.txt"))],
        "decks": [_deck(path) for path in Decks(paths.journals, float, float).paths()],
        "service": await _service(paths.service),
    }
    plain: dict[str, Any] = json.loads(json.dumps(told, default=_plain))
    return plain


def _plain(value: object) -> object:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Path | Decimal):
        return str(value)
    return list(value)  # type: ignore[call-overload]  # a sequence, or an error that names its type


def _journal(path: Path, folder: Path) -> dict[str, Any]:
    """Open a journal for writing, as an exam does that is resumed."""
    seen = read_snapshot(path)
    key = AttemptKey(seen.recall("origin"), int(seen.recall("user_id")), int(path.stem))
    journal = FileJournals(folder).open(key, "")
    try:
        return {
            "restored": journal.restored,
            "facts": dict(seen.facts),
            "history": journal.history(),
            "visits": journal.visits(),
            "replies": [{"boot": reply.boot, "told": dict(reply.told)} for reply in journal.replies()],
            "sequence": journal.last_sequence(),
        }
    finally:
        journal.close()


def _deck(path: Path) -> dict[str, Any]:
    with closing(Deck(path)) as deck:
        rows = deck.rows()
        return {
            "about": {name: deck.about(name) for name in ("origin", "user")},
            "rows": rows,
            "cards": dict(sorted(deck.cards([row.card_id for row in rows]).items())),
            "memories": [deck.memory(row.card_id) for row in rows],
            "reviews": deck.reviews(),
        }


async def _service(folder: Path) -> dict[str, Any]:
    """Return what the service tells its users, by user and path."""
    world = World.at(folder)
    world.clock.now = _READ_AT
    try:
        told: dict[str, Any] = {}
        for user in _USERS:
            paths = [*_OF_USER, *(_OF_ADMIN if user == "admin" else ())]
            for path in paths:
                told[f"{user} {path}"] = await _told(world, user, path)
            for attempt in told[f"{user} /api/v2.2/attempts/"][1]["results"]:
                for path in _OF_ATTEMPT:
                    full = f"/api/v2.2/attempts/{attempt['id']}{path}"
                    told[f"{user} {full}"] = await _told(world, user, full)
        return told
    finally:
        await world.close()


async def _told(world: World, user: str, path: str) -> list[Any]:
    response = await world.caller(user).send("GET", path)
    return [response.status_code, response.json()]
