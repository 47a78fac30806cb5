"""The replay of an attempt and the history of the subjects as sentences."""

from collections.abc import AsyncIterator, Iterable
from typing import TYPE_CHECKING

from lms_tui.attempt.own_times import NO_TIMES, own_times
from lms_tui.attempt.replay import replay_of
from lms_tui.client.port import subjects_told
from lms_tui.views import replay, subject_history
from lms_tui.views.error_messages import review_message
from lms_tui.wire.attempts import Attempt, ReviewQuestion
from lms_tui.wire.base import Page
from lms_tui.wire.errors import ApiError

if TYPE_CHECKING:
    from lms_tui.attempt.ports import JournalRecord
    from lms_tui.client.port import Attempts


async def replayed(journal: "JournalRecord", pages: AsyncIterator[Page[ReviewQuestion]]) -> list[str]:
    """The replay. Without the review it tells times and returns, and why it judges no change."""
    review: list[ReviewQuestion] = []
    reason = ""
    try:
        async for page in pages:
            review += page.results
    except ApiError as error:
        reason = review_message(error).text
    view = replay.replay_view(replay_of(journal), review, reason)
    told = (replay.line_words(line, timed=view.timed) for line in view.lines if line.stays or line.changes)
    return [*replay.words(view), *told]


async def timed(
    pages: AsyncIterator[Page[ReviewQuestion]], journal: "JournalRecord | None", attempt: Attempt
) -> AsyncIterator[Page[ReviewQuestion]]:
    """The review with the times that its questions were on the screen of this computer."""
    times = NO_TIMES if journal is None else own_times(journal)
    async for page in pages:
        yield page.model_copy(update={"results": tuple(times.put_into(page.results, attempt))})


async def history(service: "Attempts", attempts: Iterable[Attempt]) -> list[str]:
    """Each subject over the last attempts."""
    taken = [(attempt, await subjects_told(service, attempt.id)) for attempt in subject_history.last_finished(attempts)]
    return subject_history.history_words(subject_history.subject_histories(taken))
