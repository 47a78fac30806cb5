"""Why one question of a file could not be read."""


class Unreadable(Exception):
    """`str(error)` is one sentence for the author of the question; the rest of the file is read all the same."""
