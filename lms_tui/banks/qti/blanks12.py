"""Read the keys of a blank in a QTI 1.2 item of Canvas, where the labels of a response are its accepted answers."""

from collections.abc import Collection, Iterator, Mapping
from typing import Final

from lms_tui.banks.model import TextKey
from lms_tui.banks.texts import literal
from lms_tui.banks.unreadable import Unreadable
from lms_tui.banks.xml_tree import Node
from lms_tui.common.cleaning import clean_line

_OFFERS: Final = frozenset({"dropdown", "wordbank"})
_ANY_CASE: Final = frozenset({"", "textinchoices", "textcontainsanswer"})
"""The ways to compare that ignore the case unless the label says otherwise."""


def is_blank(response: Node) -> bool:
    """Return whether New Quizzes wrote this response as a blank."""
    return any(label.get("answer_type") for label in response.walk("response_label"))


def offers(response: Node) -> bool:
    """Return whether a blank shows its labels to choose from, in a list or a word bank."""
    return any(label.get("answer_type").lower() in _OFFERS for label in response.walk("response_label"))


def chosen_keys(texts: Mapping[str, str], right: Collection[str], gap: int) -> Iterator[TextKey]:
    """Yield the right choices. `texts` are all choices by name, and `right` the names that earn marks."""
    yield from (TextKey(literal(texts[name]), gap) for name in right if name in texts)


def typed_keys(response: Node, texts: Mapping[str, str], gap: int) -> Iterator[TextKey]:
    """Yield the accepted texts of a blank that students fill in. Raises Unreadable for what cannot be marked."""
    for label in response.walk("response_label"):
        text, way = texts.get(label.get("ident"), ""), label.get("scoring_algorithm").lower()
        if not text:
            continue
        sensitive = label.get("ignore_case", str(way in _ANY_CASE)).lower() == "false"
        match way:
            case "textcontainsanswer":
                yield TextKey(f"*{literal(text)}*", gap, sensitive)
            case "textcloseenough" if label.get("levenshtein_distance") != "0":
                raise Unreadable(f"Its blank {gap} accepts near matches (TextCloseEnough), which is not supported.")
            case "" | "equivalence" | "textequivalence" | "textinchoices" | "textcloseenough":
                yield TextKey(literal(text), gap, sensitive)
            case _:
                named = clean_line(label.get("scoring_algorithm"))[:40]
                raise Unreadable(f"Its blank {gap} is marked by “{named}”, which is not supported.")
