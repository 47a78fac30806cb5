"""The error for one question that cannot be read."""


class Unreadable(Exception):
    """`str(error)` is one sentence for the author. The rest of the file is still read."""
