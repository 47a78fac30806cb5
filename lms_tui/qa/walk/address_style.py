"""How a server writes the paths of the API document: the start, the version, and the slash at the end."""

import re
from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from typing import Final

from lms_tui.common.frozen import frozen

_DOCUMENTED: Final = re.compile(r"/api/(v\d+(?:\.\d+)?)/([^?]*)")


class Slash(StrEnum):
    """Which paths have a slash at their end. DOCUMENT: those of the document."""

    DOCUMENT = "document"
    ALWAYS = "always"
    NEVER = "never"


@frozen
class AddressStyle:
    """`prefix` stands for `/api`. `version` is for all paths. `versions` is for resources such as `me/stats`."""

    prefix: str = "/api"
    slash: Slash = Slash.DOCUMENT
    version: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)

    def path(self, path: str) -> str:
        """Return a path of the document as the server writes it, and any other address unchanged."""
        found = _DOCUMENTED.fullmatch(path)
        if not found:
            return path
        version, rest = found.groups()
        version = self.versions.get(resource_of(path)) or self.version or version
        path = f"{self.prefix}/{version}/{rest}"
        match self.slash:
            case Slash.ALWAYS:
                return f"{path.rstrip('/')}/"
            case Slash.NEVER:
                return path.rstrip("/")
            case _:
                return path


def resource_of(path: str) -> str:
    """Return the resource of a path of the document: `me/stats`, or the first name after the version."""
    rest = _DOCUMENTED.sub(r"\2", path)
    return "me/stats" if rest.startswith("me/stats") else rest.partition("/")[0]
