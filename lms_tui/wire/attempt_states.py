"""The states of attempts and of their sections, as the API writes them (wire notes, Values)."""

from enum import StrEnum


class AttemptState(StrEnum):
    """Only sections are ever Not Started. A server may give states that are not here."""

    NOT_STARTED = "Not Started"
    RUNNING = "Running"
    COMPLETED = "Completed"
