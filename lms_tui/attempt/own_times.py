"""How long each question of an ended attempt was on the screen, in place of the times that the server counted.

A server sees answers only. It cannot tell how long a question was read after its last answer.
"""

from collections.abc import Mapping, Sequence
from dataclasses import field
from datetime import timedelta
from typing import Final

from lms_tui.attempt.ports import JournalRecord
from lms_tui.attempt.replay import replay_of
from lms_tui.common.frozen import frozen
from lms_tui.wire.attempts import Attempt, ReviewQuestion
from lms_tui.wire.base import format_duration

_WHOLE: Final = 0.9
"""Least share of the time taken that the journal must have seen. Else another computer has seen the rest."""
_SLACK: Final = 5.0
"""Seconds of a short attempt that no question may have: the start and the end."""


@frozen
class OwnTimes:
    """`seconds`: by the ID of the question, empty if this computer does not know them."""

    seconds: Mapping[int, float] = field(default_factory=dict)

    def cover(self, attempt: Attempt) -> bool:
        """Return whether they are the times of the whole attempt."""
        taken = 0.0 if attempt.time_taken is None else attempt.time_taken.total_seconds()
        return bool(self.seconds) and sum(self.seconds.values()) + _SLACK >= _WHOLE * taken

    def put_into(self, questions: Sequence[ReviewQuestion], attempt: Attempt) -> list[ReviewQuestion]:
        """Return the questions with these times if they cover the attempt. Others keep the time of the server."""
        if not self.cover(attempt):
            return list(questions)
        return [self._timed(question) for question in questions]

    def _timed(self, question: ReviewQuestion) -> ReviewQuestion:
        if (seconds := self.seconds.get(question.id)) is None:
            return question
        return question.model_copy(update={"duration": format_duration(timedelta(seconds=seconds))})


NO_TIMES: Final = OwnTimes()


def own_times(journal: JournalRecord) -> OwnTimes:
    """Return the times of a journal. They are unknown if another device took part."""
    replay = replay_of(journal)
    if replay.other_device:
        return NO_TIMES
    seconds: dict[int, float] = {}
    for stay in replay.stays:
        seconds[stay.question_id] = seconds.get(stay.question_id, 0.0) + stay.seconds
    return OwnTimes(seconds)
