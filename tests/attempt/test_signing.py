"""The signature of the server gets into the receipt, also when the reply to the end is lost."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest

from lms_tui.attempt.events import EndAsked
from lms_tui.attempt.journal.memory import MemoryJournal
from lms_tui.attempt.journal.receipt import ACKNOWLEDGEMENT, UNSIGNED
from lms_tui.attempt.signing import sign_receipts
from lms_tui.attempt.values import Phase
from lms_tui.wire.attempts import Attempt, ToldAttempt
from lms_tui.wire.errors import ApiError, NotFound, Offline, SignInNeeded, TimedOut
from tests.attempt.test_keeper import KEY, Desk, ScriptedLine

SIGNED = "payload.signature"


@dataclass
class SigningLine(ScriptedLine):
    """A line to a service that signs answers in the reply to the end, and on asking."""

    signs: bool = True

    async def end(self, attempt_id: int) -> Attempt:
        ended = await super().end(attempt_id)
        told = SIGNED if self.signs else ""
        return ToldAttempt.model_validate(dict(ended)).model_copy(update={"acknowledgement": told})

    async def acknowledgement(self, attempt_id: int) -> str:
        await self._named(f"acknowledgement {attempt_id}", self.server.read)
        if not self.signs:
            raise NotFound("No such address.", status=404)
        return SIGNED


@dataclass
class Answering:
    """The endpoint of signatures alone. `asked`: the attempts that it was asked for."""

    trouble: ApiError | None = None
    asked: list[int] = field(default_factory=list)

    async def acknowledgement(self, attempt_id: int) -> str:
        self.asked.append(attempt_id)
        if self.trouble is not None:
            raise self.trouble
        return SIGNED


def signing_desk(tells: str = "epoch", *, signs: bool = True) -> tuple[Desk, SigningLine]:
    desk = Desk()
    desk.server.tells = tells
    line = SigningLine(desk.scheduler, desk.server, desk.line.random, badness=0.0, signs=signs)
    desk.line = line
    return desk.sit(), line


def end(desk: Desk) -> MemoryJournal:
    desk.keeper.do(EndAsked())
    desk.until_over()
    desk.keeper.close()
    assert desk.session.phase is Phase.ENDED
    assert isinstance(desk.journal, MemoryJournal)
    return desk.journal


def later(desk: Desk, service: Answering) -> Mapping[str, str]:
    """Show the list of exams again, and return what the journal knows of a signature."""
    unsigned = desk.journals.outstanding(KEY.origin, KEY.user_id).unsigned
    asyncio.run(sign_receipts(service, desk.journals, unsigned, 0.0))
    return {name: desk.journal.recall(name) for name in (ACKNOWLEDGEMENT, UNSIGNED) if desk.journal.recall(name)}


def test_the_reply_to_the_end_brings_the_signature() -> None:
    desk, line = signing_desk()
    assert SIGNED in end(desk).receipt
    assert not any(name.startswith("acknowledgement") for name in line.log)


def test_after_a_lost_reply_to_the_end_the_signature_is_asked_for() -> None:
    desk, line = signing_desk()
    line.lost_replies["end"] = [TimedOut("No answer in time.")]
    journal = end(desk)
    assert line.log[-1].startswith("acknowledgement")
    assert desk.server.ends == 1
    assert SIGNED in journal.receipt


def test_the_signature_is_asked_for_later_where_the_line_is_cut_at_the_end() -> None:
    desk, line = signing_desk()
    line.lost_replies["end"] = [TimedOut("No answer in time.")]
    line.failures[f"acknowledgement {KEY.attempt_id}"] = [Offline("No connection.")]
    journal = end(desk)
    assert SIGNED not in journal.receipt
    assert later(desk, Answering(Offline("No connection."))) == {}
    assert later(desk, Answering(SignInNeeded("Sign in again."))) == {}
    assert later(desk, Answering()) == {ACKNOWLEDGEMENT: SIGNED}
    assert SIGNED in journal.receipt
    service = Answering()
    later(desk, service)
    assert service.asked == []


def test_an_attempt_that_was_found_to_be_over_is_signed_later() -> None:
    desk, _ = signing_desk()
    desk.server.end()
    desk.crash()
    assert desk.trouble is not None
    desk.journal.close()
    assert later(desk, Answering()) == {ACKNOWLEDGEMENT: SIGNED}


@pytest.mark.parametrize("tells", ["", "epoch"])
def test_a_server_without_signatures_is_asked_once_at_most(tells: str) -> None:
    desk, line = signing_desk(tells, signs=False)
    journal = end(desk)
    assert sum(name.startswith("acknowledgement") for name in line.log) == (1 if tells else 0)
    service = Answering()
    later(desk, service)
    assert service.asked == []
    assert ACKNOWLEDGEMENT not in journal.receipt


def test_a_running_attempt_is_not_asked_for() -> None:
    desk, _ = signing_desk()
    desk.keeper.close()
    service = Answering()
    assert later(desk, service) == {}
    assert service.asked == []
