"""A service without notices to students and without signatures, as those of others."""

from lms_tui.wire.attempts import AttemptNotice
from lms_tui.wire.errors import NotFound


class WithoutNotices:
    async def notices(self, attempt_id: int) -> list[AttemptNotice]:
        raise NotFound(f"Attempt {attempt_id} has no notices.")

    async def notices_seen(self, attempt_id: int, notice_id: int) -> None:
        raise NotFound(f"Attempt {attempt_id} has no notice {notice_id}.")

    async def acknowledgement(self, attempt_id: int) -> str:
        raise NotFound(f"Attempt {attempt_id} has no acknowledgement.")
