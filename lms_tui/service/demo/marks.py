"""By what the demo institute is recognised in a database."""

from typing import Final

FIRST_STUDENT: Final = "asha"
"""The account that marks a database with the demo institute."""
FIRST_CATEGORY: Final = "Announcements"
"""The category of posts that marks a database with what the institute of an earlier version lacks."""
FIRST_BATCH: Final = "Foundation Morning"
"""A batch that each version of the demo institute has."""
