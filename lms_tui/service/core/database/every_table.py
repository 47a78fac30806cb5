"""All tables, for what creates, copies or compares a whole database."""

from lms_tui.service.core.database import broadcasts, playbacks, tables

METADATA = tables.Base.metadata
MAPPED = (tables, broadcasts, playbacks)
"""The modules whose import adds tables."""
