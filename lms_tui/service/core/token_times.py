"""From when on the tokens of a user are valid. Commands revoke tokens, and read none."""

from datetime import UTC, datetime, timedelta


def whole_second(moment: datetime) -> int:
    """Return the first whole second at or after moment, because tokens count in seconds."""
    return -int(-moment.timestamp() // 1)


def revoked(now: datetime, valid_from: datetime) -> datetime:
    """Return the `tokens_valid_from` that revokes every token issued so far. `valid_from`: its value until now.

    It is later than the second in which any of them can have been issued. For a new account that second is ahead of
    the clock.
    """
    return max(now, datetime.fromtimestamp(whole_second(valid_from), UTC)) + timedelta(microseconds=1)
