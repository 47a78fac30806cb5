"""Attempts as wire models."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TypeVar

from sqlalchemy.orm import Session

from lms_tui.common.frozen import frozen
from lms_tui.service.attempts.fields import attempt_view
from lms_tui.service.attempts.rankings import rankings
from lms_tui.service.attempts.records import load_with_all
from lms_tui.service.core.database.tables import Attempt
from lms_tui.service.core.errors import not_yours
from lms_tui.service.core.urls import Urls
from lms_tui.service.exams.attempt_counts import attempt_counts
from lms_tui.service.exams.retakes import AttemptCounts
from lms_tui.service.exams.views import exam_view
from lms_tui.wire import attempts as wire
from lms_tui.wire.attempt_states import AttemptState

A = TypeVar("A", bound=wire.Attempt)


@frozen
class Presenter:
    """Presents the attempts of one student."""

    session: Session
    urls: Urls
    now: datetime

    def many(self, shape: type[A], ids: Sequence[int], counts: Mapping[int, AttemptCounts] | None = None) -> list[A]:
        """Return attempts in the order of their IDs. The number of queries does not depend on that of attempts.

        `counts`: the attempts of the student at each of the exams, if they are known.
        """
        loaded = load_with_all(self.session, ids)
        return self._present(shape, [loaded[id_] for id_ in ids], counts)

    def _present(
        self, shape: type[A], rows: Sequence[Attempt], counts: Mapping[int, AttemptCounts] | None = None
    ) -> list[A]:
        if not rows:
            return []
        if counts is None:
            counts = attempt_counts(self.session, rows[0].user_id, {row.exam_id for row in rows})
        exams = {row.exam_id: exam_view(row.exam, self.urls, self.now) for row in rows}
        places = rankings(self.session, [row.id for row in rows if row.state == AttemptState.COMPLETED])
        return [
            attempt_view(
                shape,
                row,
                row.exam,
                exams[row.exam_id],
                counts[row.exam_id].made,
                places.get(row.id),
                self.urls,
                self.now,
            )
            for row in rows
        ]

    def one(self, shape: type[A], attempt_id: int) -> A:
        return self.many(shape, [attempt_id])[0]

    def own(self, shape: type[A], attempt_id: int, user_id: int) -> A:
        """Return an attempt of this user. Raises Forbidden if it is missing or belongs to another user."""
        row = load_with_all(self.session, [attempt_id]).get(attempt_id)
        if row is None or row.user_id != user_id:
            raise not_yours()
        return self._present(shape, [row])[0]
