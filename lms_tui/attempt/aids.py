"""The calculator that an exam allows, and its reference sheet. The journal keeps the reply of the server."""

from typing import Protocol

from lms_tui.attempt.desk import AIDS, Desk
from lms_tui.common.calculator import Scope
from lms_tui.wire.attempts import ExamAids
from lms_tui.wire.errors import ApiError, Refused, SignInNeeded


class AidsService(Protocol):
    """The endpoint of the aids, as `lms_tui.client.port.Attempts` has it."""

    async def aids(self, attempt_id: int) -> ExamAids: ...


class Aids:
    """The aids of one attempt. A server without this endpoint allows every calculator and has no sheet."""

    def __init__(self, service: AidsService, attempt_id: int, desk: Desk) -> None:
        self._service = service
        self._attempt_id = attempt_id
        self._desk = desk

    @property
    def known(self) -> ExamAids | None:
        """The reply of the server, None before it."""
        text = self._desk.text(AIDS)
        return ExamAids.model_validate_json(text) if text else None

    @property
    def scope(self) -> Scope | None:
        """The calculator that the exam allows, None while that is not known."""
        if (known := self.known) is None:
            return None
        return Scope(known.calculator) if known.calculator in set(Scope) else Scope.SCIENTIFIC

    async def read(self) -> None:
        """Ask the server unless the answer is known. Without a reply it stays unknown."""
        if self.known is None:
            try:
                told = await self._service.aids(self._attempt_id)
            except SignInNeeded:
                return
            except Refused:
                told = ExamAids()
            except ApiError:
                return
            self._desk.keep(AIDS, told.model_dump_json())
