"""The newest migration."""

from typing import Final

HEAD: Final = "0022"
"""A test compares it with the scripts. A start on a current database needs no Alembic."""
