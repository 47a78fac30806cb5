"""Errors for a person at the shell (standard library only): what happened, and what to do about it."""


class AdvisedError(Exception):
    """`str(error)` says in one sentence what happened, `advice` in another what to do."""

    def __init__(self, message: str, advice: str) -> None:
        super().__init__(message)
        self.advice = advice


class UsageError(AdvisedError):
    """A command that was given something it cannot work with."""
