"""Read the content of a paragraph: texts with their styles, pictures and equations."""

import html
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from lms_tui.banks.collect import Collector
from lms_tui.banks.pictures import Missing, Pictures, shown
from lms_tui.banks.word.omml import mathml
from lms_tui.banks.word.runs import OBJECT, Run, Runs, Style
from lms_tui.banks.xml_tree import Node
from lms_tui.common.cleaning import HINTS, UNSEEN, clean_line

_BLACK: Final = frozenset({"", "auto", "000000", "text1", "black"})
_OFF: Final = frozenset({"0", "false", "off", "none"})
_SYMBOLS: Final = {
    "F0FC": "✓", "F0FE": "☑", "F0FB": "✗", "F0FD": "☒", "F0A8": "☐", "F06F": "☐", "F0E0": "→", "F0DF": "←",
    "F061": "α", "F062": "β", "F067": "γ", "F064": "δ", "F071": "θ", "F06C": "λ", "F06D": "μ", "F070": "π",
    "F073": "σ", "F077": "ω", "F044": "Δ", "F057": "Ω", "F0B0": "°", "F0B1": "±", "F0B4": "×", "F0A3": "≤",
    "F0B3": "≥", "F0B9": "≠", "F0BB": "≈", "F0AE": "→", "F0D6": "√", "F0A5": "∞", "F0B7": "•",
}  # fmt: skip
"""Signs of the fonts Symbol and Wingdings."""
_SIGNS: Final = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "\u2011"}
"""Elements that stand for a character."""
_NO_TEXT: Final = frozenset({"pPr", "rPr", "instrText", "fldData", "sdtPr", "binData", "docPr", "Fallback"})
_UNSHOWN: Final = {
    "chart": "A chart", "relIds": "A diagram", "contentPart": "A drawing by hand", "control": "A form control",
}  # fmt: skip


@dataclass(slots=True)
class Content:
    """Reads paragraphs. `links` are the files by the names of their relations, `notes` the texts of footnotes."""

    collector: Collector
    pictures: Pictures
    links: Mapping[str, str]
    notes: Mapping[tuple[str, str], str]
    line: int = 0
    found: list[Run] = field(default_factory=list)
    boxes: list[Node] = field(default_factory=list)

    @staticmethod
    def plain(text: str) -> Runs:
        return Runs((Run(text),))

    def runs(self, paragraph: Node, line: int, bold: bool) -> tuple[Runs, list[Node]]:
        """Return the runs of a paragraph, and the text boxes in it."""
        self.line, self.found, self.boxes = line, [], []
        self._take_all(paragraph, Style(bold=bold))
        for problem in self.pictures.told():
            self._warn(problem)
        return Runs(tuple(self.found)), self.boxes

    def tell_deleted(self, node: Node, line: int) -> None:
        text = "".join(part.text for part in node.walk("delText", "t"))
        if text.strip():
            self.collector.warn(f"The deleted text “{clean_line(text)}” was left out.", line)

    def _warn(self, message: str) -> None:
        self.collector.warn(message, self.line)

    def _take(self, node: Node, style: Style) -> None:  # noqa: C901 - one branch for each kind of element
        match node.name:
            case "r":
                own = node.find("rPr")
                self._take_all(node, _styled(style, own) if own else style)
            case "t":
                self._add(node.text, style)
            case "sym":
                self._add(_SYMBOLS.get(node.get("char").upper(), "�"), style)
            case "oMath":
                self.found.append(Run(OBJECT, style, mathml(node)))
            case "blip" | "imagedata":
                self._picture(node)
            case "txbxContent":
                self.boxes.append(node)
            case "footnoteReference" | "endnoteReference":
                self._footnote(node, style)
            case "del" | "moveFrom":
                self.tell_deleted(node, self.line)
            case "AlternateContent":
                self._take_all(list(node)[:1], style)
            case name if name in _SIGNS:
                self._add(_SIGNS[name], style)
            case name if name in _UNSHOWN:
                self._warn(f"{_UNSHOWN[name]} was left out.")
            case name if name not in _NO_TEXT:
                self._take_all(node, style)

    def _take_all(self, nodes: Iterable[Node], style: Style) -> None:
        for node in nodes:
            self._take(node, style)

    def _footnote(self, node: Node, style: Style) -> None:
        if note := self.notes.get((node.name.removesuffix("Reference"), node.get("id"))):
            self._add(f" ({note})", style)
            self._warn("A footnote was put into the text.")

    def _add(self, text: str, style: Style) -> None:
        # A dangerous character is marked where it is shown. Here that would break letters that are joined across runs.
        if text := HINTS.sub("", text.replace(OBJECT, UNSEEN)):
            self.found.append(Run(text, style))

    def _picture(self, node: Node) -> None:
        target = self.links.get(node.get("embed") or node.get("id") or node.get("link"), "")
        try:
            uri = self.pictures.uri(target)
        except Missing as problem:
            self._warn(f"The picture “{shown(target)}” {problem}.")
            self.found.append(Run(OBJECT, html=f'<img src="" alt="{html.escape(shown(target))}">'))
        else:
            self.found.append(Run(OBJECT, html=f'<img src="{uri}" alt="">'))


def _styled(style: Style, own: Node) -> Style:
    for child in own:
        value = child.get("val")
        is_on = value.lower() not in _OFF
        match child.name:
            case "b":
                style = replace(style, bold=is_on)
            case "i":
                style = replace(style, italic=is_on)
            case "u":
                style = replace(style, underlined=is_on)
            case "vertAlign":
                style = replace(style, raised=value == "superscript", lowered=value == "subscript")
            case "highlight":
                style = replace(style, marked=is_on)
            case "shd":
                style = replace(style, marked=child.get("fill").lower() not in {"", "auto", "ffffff"})
            case "color":
                style = replace(style, coloured=value.lower() not in _BLACK)
            case "rStyle" if value.lower() in {"strong", "emphasis"}:
                style = replace(style, bold=value.lower() == "strong", italic=value.lower() != "strong")
            case _:
                pass
    return style
