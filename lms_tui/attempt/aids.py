"""The calculator that an exam allows, and its reference sheet. The journal keeps the reply of the server."""

from typing import Protocol

from lms_tui.attempt.desk import AIDS, Desk
from lms_tui.attempt.told import Told
from lms_tui.common.calculator import Scope
from lms_tui.wire.attempts import ExamAids


class AidsService(Protocol):
    """The endpoint of the aids, as `lms_tui.client.port.Attempts` has it."""

    async def aids(self, attempt_id: int) -> ExamAids: ...


class Aids:
    """The aids of one attempt. A server without this endpoint allows every calculator and has no sheet."""

    def __init__(self, service: AidsService, attempt_id: int, desk: Desk) -> None:
        self._told = Told(desk, AIDS, lambda: service.aids(attempt_id), ExamAids())
        self.read = self._told.read

    @property
    def known(self) -> ExamAids | None:
        """The reply of the server, None before it."""
        return self._told.known

    @property
    def scope(self) -> Scope | None:
        """The calculator that the exam allows, None while that is not known."""
        if (known := self.known) is None:
            return None
        return Scope(known.calculator) if known.calculator in set(Scope) else Scope.SCIENTIFIC
