"""Rename QTI 3.0 to QTI 2.x: `qti-choice-interaction` becomes `choiceInteraction`."""

import re
from typing import Final

from lms_tui.banks.xml_tree import Node

_HYPHEN: Final = re.compile(r"-([a-z0-9])")
_PREFIX: Final = "qti-"


def in_words_of_2(node: Node) -> Node:
    """Rename a tree in place and return it. HTML elements and attributes stay."""
    waiting = [node]
    while waiting:
        each = waiting.pop()
        if each.name.startswith(_PREFIX):
            each.name = _camel(each.name.removeprefix(_PREFIX))
            each.attributes = {
                name if name.startswith(("data-", "aria-")) else _camel(name): value
                for name, value in each.attributes.items()
            }
        waiting.extend(each)
    return node


def _camel(name: str) -> str:
    return _HYPHEN.sub(lambda found: found[1].upper(), name)
