import sys

from lms_tui.cli import main

sys.exit(main())
