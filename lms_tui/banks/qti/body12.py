"""Write the texts of a QTI 1.2 item as HTML, with gaps and blanks in place of its fields."""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from lms_tui.banks.markup import plain_to_html
from lms_tui.banks.pictures import Missing, data_uri, from_base64
from lms_tui.banks.qti.source import Source
from lms_tui.banks.texts import BLANK, plain
from lms_tui.banks.xml_tree import Node, inner_html
from lms_tui.common.cleaning import clean_line

_RESPONSES: Final = (
    "response_lid", "response_str", "response_num", "response_grp", "response_xy", "response_extension",
)  # fmt: skip
_MARKUP: Final = re.compile(r"</?(?:p|br|div|span|img|b|i|em|strong|sub|sup|ul|ol|li|table|a|h[1-6])\b[^<>]*>|&\w+;")
_BLOCK: Final = re.compile(r"\s*<(?:p|div|ul|ol|table|h[1-6]|blockquote|pre)\b", re.IGNORECASE)
_GENERAL: Final = ("general_fb", "solution", "general")
_TO_ALL: Final = re.compile(r"QUE_\d+_ALL")
"""The feedback that Respondus shows after every answer."""


@dataclass(slots=True)
class Body12:
    """The text of an item. `responses` are its answer fields, in order."""

    node: Node
    source: Source
    responses: list[Node] = field(init=False)

    def __post_init__(self) -> None:
        presentation = self.node.find("presentation")
        self.responses = [] if presentation is None else list(presentation.walk(*_RESPONSES))

    def stem(self, *, blank: bool = False, gaps: dict[str, int] | None = None) -> str:
        """Return the question text.

        `blank` puts a line in place of a single field. `gaps` gives the numbers of fields by name.
        """
        presentation = self.node.find("presentation")
        prompts = gaps is None and len(self.responses) == 1
        pieces = list(self._flow(presentation, prompts=prompts)) if presentation else []
        told = "\0" in "".join(pieces[:-1]) or any(pieces[at] == "\0" for at in range(len(pieces) - 1))
        text = _joined([piece for piece in pieces if piece != "\0" or gaps is not None or (blank and told)])
        if gaps is not None:
            return _numbered(text, gaps)
        return text.replace("\0", BLANK)

    def _flow(self, node: Node, *, prompts: bool) -> Iterator[str]:
        r"""Yield the texts of a presentation, and \0 for each field. The text of a gap is only its name."""
        for child in node:
            if child.name in _RESPONSES:
                if prompts:
                    yield from self._prompt(child)
                yield "\0"
            elif child.name == "material":
                yield self._material(child)
            elif child.get("class") == "RESPONSE_BLOCK":
                yield from ("\0" for _ in child.walk(*_RESPONSES))
            elif child.name not in {"qticomment", "reference"} and child.get("class") != "RIGHT_MATCH_BLOCK":
                yield from self._flow(child, prompts=prompts)

    def rows(self) -> Iterator[tuple[str, Node]]:
        """Yield the text beside each response of a match in Blackboard, with the response."""
        for row in self._blocks("RESPONSE_BLOCK"):
            response = row.first(*_RESPONSES)
            if response is not None:
                yield _joined([part for part in self._flow(row, prompts=False) if part != "\0"]), response

    def right_sides(self) -> list[str]:
        """Return the texts that a match in Blackboard offers to all its rows."""
        return [plain(_joined(list(self._flow(row, prompts=False)))) for row in self._blocks("RIGHT_MATCH_BLOCK")]

    def _blocks(self, name: str) -> Iterator[Node]:
        for block in self.node.walk("flow"):
            if block.get("class") == name:
                yield from block.all("flow")

    def _prompt(self, response: Node) -> Iterator[str]:
        yield from (self._material(child) for child in response.all("material"))

    def materials(self, node: Node) -> str:
        """Return the texts of an element without those of its answers."""
        direct = [self._material(child) for child in node.all("material")]
        if not direct and node.name == "response_label":
            direct = [self._material(child) for child in node.walk("material")]
            if not direct:
                return plain_to_html(clean_line(node.text))
        return _joined(direct)

    def offered(self, response: Node) -> dict[str, str]:
        """Return the choices of a response by name, as plain text."""
        return {label.get("ident"): plain(self.materials(label)) for label in response.walk("response_label")}

    def _material(self, node: Node) -> str:
        parts = [
            self._mat(child)
            for child in node.walk(
                "mattext", "matemtext", "mat_formattedtext", "matimage", "matbreak", "mataudio", "matvideo"
            )
        ]
        return self.source.embed(" ".join(filter(None, parts)))

    def _mat(self, node: Node) -> str:
        match node.name:
            case "mattext" | "matemtext" | "mat_formattedtext":
                return _mattext(node)
            case "matbreak":
                return "<br>"
            case "matimage":
                return self._image(node)
            case _:
                self.source.collector.left_out("sound and video", line=node.line)
                return ""

    def _image(self, node: Node) -> str:
        reference = node.get("uri") or node.get("label")
        if node.get("embedded").lower() == "base64" or (not reference and node.text.strip()):
            try:
                reference = data_uri(from_base64(node.text))
            except Missing as problem:
                collector = self.source.collector
                collector.warn(f"A picture {problem}.", node.line, collector.next_number)
        return f'<img src="{html.escape(reference)}" alt="{html.escape(clean_line(node.get("label")))}">'

    def feedback(self, name: str) -> str:
        """Return the text of the feedback with this name."""
        if not name:
            return ""
        found = next((node for node in self.node.all("itemfeedback") if node.get("ident") == name), None)
        return _joined([self._material(node) for node in found.walk("material")]) if found else ""

    def explaining(self) -> Iterator[str]:
        """Yield the names of the feedback that is shown after any answer."""
        for node in self.node.all("itemfeedback"):
            name = node.get("ident")
            if name.lower() in _GENERAL or _TO_ALL.fullmatch(name) or node.find("solution"):
                yield name


def _mattext(node: Node) -> str:
    if any(isinstance(child, Node) for child in node.children):
        return inner_html(node)
    text, kind = node.text.strip(), (node.get("texttype") or node.get("type")).lower()
    if "html" in kind or (not kind and _MARKUP.search(text)):
        return text
    return plain_to_html(text)


def _joined(parts: list[str]) -> str:
    """Join texts. Fields stay in their line, and each plain text is a separate paragraph."""
    result = ""
    for part in filter(None, parts):
        if not result:
            result = part
        elif part == "\0" or result.endswith("\0"):
            result += f" {part}"
        elif _BLOCK.match(part) or result.endswith(("</p>", "</div>")):
            result += part
        else:
            result += f"<br>{part}"
    return result.strip()


def _numbered(text: str, gaps: dict[str, int]) -> str:
    """Put [[n]] in place of `[name]`, or of the fields in order."""
    named = {name: gap for name, gap in gaps.items() if f"[{name}]" in text}
    for name, gap in named.items():
        text = text.replace(f"[{name}]", f"[[{gap}]]")
    missing = iter([gap for name, gap in gaps.items() if name not in named])
    text = re.sub("\0", lambda _found: _next_gap(missing), text).strip()
    return text + "".join(f" [[{gap}]]" for gap in missing)


def _next_gap(missing: Iterator[int]) -> str:
    gap = next(missing, 0)
    return f"[[{gap}]]" if gap else ""
