"""Make `docs/json.md` from the forms of the JSON that commands print."""

from collections.abc import Mapping
from typing import Any, Final

from pydantic import TypeAdapter

from lms_tui.commands.json_shapes import SHAPES
from lms_tui.reference.api_pages import kind_of, objects_of
from lms_tui.reference.tables import MADE, table

_HEAD: Final = f"""# The output of `--json`

{MADE}

This page has the form of what each command prints with `--json` on standard output. Notes, progress and errors go to
standard error, and `--quiet` does not shorten JSON. The names and kinds of the fields stay the same within a version
`0.x`. Later versions may add fields. A time is `2026-01-31T09:30:00+00:00`, and a duration `0:40:00`.

Commands without `--json` open the app or an editor, run the service, print JSON or a script anyway, or only confirm
what they have done.

## Commands
"""
_REFERENCE: Final = "#/$defs/{model}"


def page() -> str:
    schemas: dict[str, Mapping[str, Any]] = {}
    rows = []
    for command, shape in SHAPES.items():
        schema = TypeAdapter(shape).json_schema(ref_template=_REFERENCE)
        found: dict[str, Any] = schema.pop("$defs", {})
        if "properties" in schema:  # an object that no other one refers to
            found[schema["title"]] = schema
            schema = {"$ref": _REFERENCE.format(model=schema["title"])}
        schemas |= found
        rows.append((f"`lms-tui {command}`", kind_of(schema)))
    objects = objects_of(schemas, may_lack=", may be missing")
    return "\n".join([_HEAD, table(("command", "output"), rows), "## Objects\n", *objects]).rstrip("\n") + "\n"
