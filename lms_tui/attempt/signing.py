"""The server's signature of the answers of an attempt that is over, where the reply to its end did not arrive."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Protocol

from lms_tui.attempt.journal.receipt import ACKNOWLEDGEMENT, EPOCH, UNSIGNED, lacks_signature, receipt_of
from lms_tui.attempt.ports import AttemptKey, JournalError, JournalRecord, Journals
from lms_tui.wire.errors import ApiError, Refused, SignInNeeded


class AcknowledgingService(Protocol):
    """The endpoint of signatures, as `lms_tui.client.port.Attempts` has it."""

    async def acknowledgement(self, attempt_id: int) -> str: ...


async def asked(service: AcknowledgingService, journal: JournalRecord, attempt_id: int) -> Mapping[str, str]:
    """Ask for the signature, and return facts for the journal. A server without an epoch is not asked.

    Raises the errors of the service, but counts a refusal as the answer that there is no signature.
    """
    if journal.recall(ACKNOWLEDGEMENT) or not journal.recall(EPOCH):
        return {}
    try:
        signed = await service.acknowledgement(attempt_id)
    except SignInNeeded:
        raise
    except Refused:
        signed = ""
    return {ACKNOWLEDGEMENT: signed} if signed else {UNSIGNED: "yes"}


async def sign_receipts(
    service: AcknowledgingService, journals: Journals, unsigned: Iterable[AttemptKey], now: float
) -> None:
    """Give the receipts of these attempts their signatures, which a lost reply has left out.

    `now` is in seconds since 1970. A failure ends this quietly. The next call asks for the others.
    """
    for key in unsigned:
        try:
            facts = await asked(service, journals.look(key), key.attempt_id)
        except (ApiError, JournalError):
            return
        with suppress(JournalError):  # another window has the attempt open, or the disk is full
            journal = journals.open(key, "")
            try:
                if lacks_signature(journal):
                    journal.remember(facts)
                    journal.keep_receipt(receipt_of(journal, now))
            finally:
                journal.close()
