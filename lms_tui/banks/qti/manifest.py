"""Read the manifest of a QTI package: tests, items and their metadata."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from lms_tui.banks.qti.document2 import Labels
from lms_tui.banks.xml_tree import Node
from lms_tui.common.cleaning import clean_line

_TEXTS: Final = ("string", "langstring")


@dataclass(frozen=True, slots=True)
class Manifest:
    """References as written, relative to the manifest. `older` holds assessments and banks of QTI 1.2."""

    title: str = ""
    tests: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    older: tuple[str, ...] = ()
    labels: dict[str, Labels] = field(default_factory=dict)


def read_manifest(root: Node) -> Manifest:
    tests: list[str] = []
    items: list[str] = []
    older: list[str] = []
    labels: dict[str, Labels] = {}
    for resource in root.walk("resource"):
        reference = (
            resource.get("href")
            or resource.get("file")
            or next((file.get("href") for file in resource.all("file")), "")
        )
        kind = resource.get("type").lower()
        if not reference:
            continue
        if "imsqti_test" in kind or "imsqti_assessment_xmlv2" in kind:
            tests.append(reference)
        elif "imsqti_item" in kind or "imsqti_apipitem" in kind:
            items.append(reference)
        elif "imsqti_xmlv1" in kind or kind.startswith("assessment/x-bb-qti"):
            older.append(reference)
        labels[reference] = Labels(_subject(resource), tuple(_texts(resource, "keyword")))
    title = root.find("metadata")
    named = next(_texts(title, "title"), "") if title else ""
    return Manifest(named, _once(tests), _once(items), _once(older), labels)


def _once(references: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(references))


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
