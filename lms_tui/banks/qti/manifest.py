"""Read the manifest of a QTI package: tests, items and their metadata."""

import re
from collections.abc import Iterator
from dataclasses import field
from typing import Final

from lms_tui.banks.qti.document2 import Labels
from lms_tui.banks.xml_tree import Node
from lms_tui.common.cleaning import clean_line
from lms_tui.common.frozen import frozen

_TEXTS: Final = ("string", "langstring")
_SORT: Final = re.compile(
    r"(?P<tests>imsqti_test|imsqti_assessment_xmlv2)|(?P<items>imsqti_item|imsqti_apipitem)"
    r"|(?P<older>imsqti_xmlv1|^assessment/x-bb-qti)"
)
"""The sort of a resource, by its type."""


@frozen
class Manifest:
    """References as written, relative to the manifest. `older` holds assessments and banks of QTI 1.2."""

    title: str = ""
    tests: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    older: tuple[str, ...] = ()
    labels: dict[str, Labels] = field(default_factory=dict)


def read_manifest(root: Node) -> Manifest:
    found: dict[str, dict[str, None]] = {"tests": {}, "items": {}, "older": {}}
    labels: dict[str, Labels] = {}
    for resource in root.walk("resource"):
        files = (file.get("href") for file in resource.all("file"))
        reference = resource.get("href") or resource.get("file") or next(files, "")
        if not reference:
            continue
        if sort := _SORT.search(resource.get("type").lower()):
            found[sort.lastgroup or ""][reference] = None
        labels[reference] = Labels(_subject(resource), tuple(_texts(resource, "keyword")))
    title = root.find("metadata")
    named = next(_texts(title, "title"), "") if title else ""
    return Manifest(named, tuple(found["tests"]), tuple(found["items"]), tuple(found["older"]), labels)


def _texts(node: Node, name: str) -> Iterator[str]:
    for found in node.walk(name):
        for text in found.walk(*_TEXTS):
            if written := clean_line(text.text):
                yield written


def _subject(resource: Node) -> tuple[str, ...]:
    for classification in resource.walk("classification"):
        path = classification.first("taxonPath", "taxonpath")
        purpose = clean_line(" ".join(node.text for node in classification.walk("purpose"))).lower()
        if path is not None and (not purpose or "discipline" in purpose):
            return tuple(entry for taxon in path.all("taxon") for entry in _texts(taxon, "entry"))
    return ()
