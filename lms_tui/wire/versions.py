"""The versions of the paths of the API."""

from typing import Final

VERSIONS: Final = ("v2.2", "v2.3", "v2.5")
"""Those of the API document, the oldest first. Servers deprecate the older ones at different times."""
