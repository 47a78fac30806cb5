import sys

from lms_tui.cli import run

sys.exit(run())
