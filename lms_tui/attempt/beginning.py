"""How an attempt is begun: with one POST, never a blind second one."""

from typing import TYPE_CHECKING, Protocol

from lms_tui.wire.attempts import RUNNING, Attempt
from lms_tui.wire.errors import Unreachable

if TYPE_CHECKING:
    from collections.abc import Iterable


class BeginningService(Protocol):
    """The two endpoints that a beginning needs, as `lms_tui.client.port.Attempts` has them."""

    async def create(self, slug: str) -> Attempt: ...
    async def of_exam(self, slug: str) -> "list[Attempt]": ...


def running_of(attempts: "Iterable[Attempt]") -> Attempt | None:
    """The newest attempt that runs."""
    return max((a for a in attempts if a.state == RUNNING), key=lambda attempt: attempt.id, default=None)


class Beginning:
    """Begins one attempt at an exam. `unsure`: a request was lost, and nobody knows yet whether it arrived."""

    def __init__(self, service: BeginningService, slug: str) -> None:
        self._service = service
        self._slug = slug
        self.unsure = False

    async def begin(self) -> Attempt:
        """Return the begun attempt; after a lost request the list of attempts tells first whether it arrived.

        Raises what the service raises; while `unsure` after that, the next call looks again before it asks.
        """
        if self.unsure and (begun := await self._look()) is not None:
            return begun
        try:
            return await self._service.create(self._slug)
        except Unreachable:
            self.unsure = True
            if (begun := await self._look()) is None:
                raise
            return begun

    async def _look(self) -> Attempt | None:
        attempts = await self._service.of_exam(self._slug)
        self.unsure = False
        return running_of(attempts)
