"""The newest migration, and its tables as SQLite takes them."""

from pathlib import Path
from typing import Final

HEAD: Final = "0022"
"""A test compares it with the scripts. A start on a current database needs no Alembic."""
TABLES: Final = Path(__file__).with_name("tables.sql")
"""The statements that create the tables. SQLAlchemy would take 40 ms to make them.

`scripts/demo_template.py` writes them, and a test compares them with the tables.
"""
BETWEEN: Final = ";\n\n"
"""Stands between two statements."""
