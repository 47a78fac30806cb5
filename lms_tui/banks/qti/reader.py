"""Read one QTI file of any version."""

from collections.abc import Mapping
from typing import Any, Final

from lms_tui.banks.collect import Collector
from lms_tui.banks.model import Reading
from lms_tui.banks.pictures import Budget
from lms_tui.banks.qti.banks12 import Banks
from lms_tui.banks.qti.document2 import Document2, Labels
from lms_tui.banks.qti.document12 import Document12, stimulus_of
from lms_tui.banks.qti.modern import in_words_of_2
from lms_tui.banks.qti.source import SingleFile, Source
from lms_tui.banks.xml_tree import Malformed, Node, Unsafe, XmlText, elements, outline, parse_xml, pieces
from lms_tui.common.cleaning import clean_line

_ITEMS: Final = ("item", "assessmentItem", "qti-assessment-item")


def read_qti(text: XmlText, title: str) -> Reading:
    """Read a QTI text into an exam. `title` is used if the text has none. Raises Unsafe.

    If the XML is broken, complete items are read one by one.
    """
    collector = Collector()
    source = Source.at(SingleFile(), collector, Budget())
    try:
        _, settings = read_document(text, source)
    except Unsafe:
        raise
    except Malformed as error:
        collector.error(f"{error} The questions were read one by one.", error.line)
        salvage(str(text), source)
        return collector.reading(title)
    return collector.reading(settings.pop("title", "") or title, **settings)


def read_document(
    text: XmlText,
    source: Source,
    labels: Mapping[str, Labels] | None = None,
    taken: set[str] | None = None,
    banks: Banks | None = None,
) -> tuple[str, dict[str, Any]]:
    """Add the content of a document and return the name of its root with the settings of the exam.

    `taken` receives the paths of the members that a test names. A test may draw from `banks`. The items of QTI 1.2 are
    read one by one, so that memory does not hold all of them. Raises Malformed or Unsafe before anything is added.
    """
    wanted: set[str] = set()
    text, root = outline(text, "item", lambda node: wanted.add(stimulus_of(node)))
    older = Document12(source, wanted=wanted, banks=banks or Banks(), items=elements(text, "item"))
    return root.name, read_root(root, source, labels, taken, older)


def read_root(
    root: Node,
    source: Source,
    labels: Mapping[str, Labels] | None = None,
    taken: set[str] | None = None,
    older: Document12 | None = None,
) -> dict[str, Any]:
    """Add the content of a root element and return the settings of the exam. `older` reads those of QTI 1.2."""
    if root.name in {"questestinterop", "assessment", "section", "item"}:
        heading = (older or Document12(source)).read(root)
        return {"title": heading.title, "duration": heading.duration, "language": heading.language}
    root = in_words_of_2(root)
    document = Document2(source, labels or {}, set() if taken is None else taken)
    match root.name:
        case "assessmentItem":
            document.item(root)
            return {"title": clean_line(root.get("title"))}
        case "assessmentTest":
            return {"title": clean_line(root.get("title")), **document.test(root)}
        case "assessmentSection":
            document.section(root, 0)
        case _:
            for node in root.walk("assessmentItem"):
                document.item(node)
    return {}


def salvage(text: str, source: Source) -> None:
    """Read the complete items of a broken file."""
    for piece in pieces(text, *_ITEMS):
        if not piece.text:
            source.collector.error("This question was left out. Its element is not closed.", piece.line)
            continue
        try:
            node = parse_xml(piece.text, piece.line)
        except Malformed as error:
            source.collector.error(f"This question was left out. {error}", error.line)
        else:
            read_root(node, source)
