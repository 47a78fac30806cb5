"""Write the demo institute that the program ships, so that its first start need not build one.

    uv run scripts/demo_template.py

Run it again after a change of the tables, of the demo institute, or of how attempts are scored.
`tests/service/test_demo_template.py` compares the file with an institute that it builds.
"""

import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from lms_tui.service.core.database.engine import Database
from lms_tui.service.demo.institute import ensure_demo
from lms_tui.service.demo.template import MADE_AT, TEMPLATE


def main() -> None:
    """Build an institute and write it as the statements that make its database."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "service.sqlite3"
        database = Database.in_file(file)
        try:
            database.prepare(brief=True)
            with database.write() as session:
                ensure_demo(session, lambda: MADE_AT)
        finally:
            database.close()
        with closing(sqlite3.connect(file)) as connection:
            TEMPLATE.write_text("".join(f"{statement}\n" for statement in connection.iterdump()), "utf-8")


if __name__ == "__main__":
    main()
