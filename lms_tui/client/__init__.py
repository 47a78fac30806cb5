"""The API over HTTP."""

import sys

# httpx imports its command line, which brings click, Pygments and parts of rich, unless it cannot.
sys.modules.setdefault("httpx._main", None)  # type: ignore[arg-type]  # Python fails to import a module that is None here
