"""Write the body of a QTI 2 item as HTML, with gaps and blanks in place of its interactions."""

import html
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from lms_tui.banks.pictures import Missing
from lms_tui.banks.qti.source import Source
from lms_tui.banks.texts import BLANK
from lms_tui.banks.xml_tree import Malformed, Node, decode_xml, inner_html, outer_html, parse_xml

INLINE: Final = frozenset({"textEntryInteraction", "inlineChoiceInteraction", "gap"})
_SILENT: Final = frozenset(
    {
        "stylesheet", "feedbackInline", "feedbackBlock", "templateBlock", "templateInline", "endAttemptInteraction",
        "infoControl", "catalogInfo", "companionMaterialsInfo", "prompt", "gapText", "gapImg",
    }
)  # fmt: skip
_DEEPEST: Final = 5
_PICTURES: Final = (".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp")
_WITH_TEXT: Final = frozenset({"gapMatchInteraction", "hottextInteraction"})


def is_interaction(node: Node) -> bool:
    return node.name.endswith("Interaction") and node.name != "endAttemptInteraction"


@dataclass(slots=True)
class Body:
    """Writes the body of an item.

    `gaps` gives the number of each gap by the identity of its element. A single gap is a blank. With `prompts`, the
    prompt of an interaction is written in its place.
    """

    source: Source
    gaps: Mapping[int, int] = field(default_factory=dict)
    blank: bool = False
    prompts: bool = False
    depth: int = 0

    def html(self, node: Node) -> str:
        """Return the content of an element as HTML."""
        return self.source.embed(inner_html(node, self.rewrite))

    def rewrite(self, node: Node) -> str | None:
        """Write a QTI element as HTML. Returns None for an element of HTML."""
        if node.name in INLINE:
            return self._gap(node)
        if is_interaction(node):
            return self._interaction(node)
        if self.blank and node.name in {"p", "div"} and _holds_a_field_only(node):
            return ""
        if node.name in _SILENT:
            if node.name.startswith("feedback"):
                self.source.collector.left_out("feedback inside the text", line=node.line)
            return ""
        writers = {
            "hottext": self._inner,
            "rubricBlock": self._rubric,
            "object": self._object,
            "include": self._included,
        }
        return writers[node.name](node) if node.name in writers else None

    def _inner(self, node: Node) -> str:
        return inner_html(node, self.rewrite)

    def _interaction(self, node: Node) -> str:
        """Write the prompt of an interaction, and the text inside a gap match or hot text."""
        inside = self._inner(node) if node.name in _WITH_TEXT else ""
        return f"{self.prompt(node)}{inside}" if self.prompts else inside

    def prompt(self, node: Node) -> str:
        """Write the prompt of an interaction."""
        prompt = node.find("prompt")
        written = self._inner(prompt) if prompt else ""
        return f"<div>{written}</div>" if written else ""

    def _gap(self, node: Node) -> str:
        number = self.gaps.get(id(node))
        if number is None:
            return ""
        return BLANK if self.blank else f"[[{number}]]"

    def _rubric(self, node: Node) -> str:
        if "candidate" in node.get("view", "candidate"):
            return f"<div>{self._inner(node)}</div>"
        self.source.collector.left_out("notes for markers", line=node.line)
        return ""

    def _object(self, node: Node) -> str | None:
        reference = node.get("data")
        if not node.get("type").startswith("image/") and not reference.lower().endswith(_PICTURES):
            return None
        return f'<img src="{html.escape(reference)}" alt="{html.escape(" ".join(node.text.split()))}">'

    def _included(self, node: Node) -> str:
        """Write a stimulus that XInclude includes. Its pictures are relative to its own file."""
        reference = node.get("href")
        if self.depth >= _DEEPEST:
            return ""
        try:
            data, beside = self.source.place.read(reference), self.source.beside(reference)
            inner = parse_xml(decode_xml(data).text)
        except (Missing, Malformed) as error:
            problem = "is not in the file" if isinstance(error, Missing) else f"cannot be read: {error}"
            self.source.pictures.problems.append(f"The included text “{reference[:60]}” {problem.rstrip('.')}.")
            return ""
        deeper = Body(beside, self.gaps, self.blank, self.prompts, self.depth + 1)
        return deeper.source.embed(outer_html(inner, deeper.rewrite) if inner.name == "div" else deeper.html(inner))


def _holds_a_field_only(node: Node) -> bool:
    """Return whether a paragraph contains only an input field."""
    inside = [each for each in node.children if isinstance(each, Node) or each.strip()]
    return len(inside) == 1 and isinstance(inside[0], Node) and inside[0].name == "textEntryInteraction"
