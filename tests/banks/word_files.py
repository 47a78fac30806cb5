"""Small Word documents for tests, written by hand as Word writes them."""

import html
import zipfile
from io import BytesIO

SPACES = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
)
NUMBERING = (
    f"<w:numbering {SPACES}>"
    '<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/></w:lvl>'
    '<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/></w:lvl></w:abstractNum>'
    '<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum>'
    '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>'
    "</w:numbering>"
)
STYLES = (
    f'<w:styles {SPACES}><w:style w:styleId="Heading1"><w:name w:val="heading 1"/><w:pPr><w:outlineLvl w:val="0"/>'
    '</w:pPr></w:style><w:style w:styleId="Heading2"><w:name w:val="heading 2"/><w:basedOn w:val="Heading1"/><w:pPr>'
    '<w:outlineLvl w:val="1"/></w:pPr></w:style><w:style w:styleId="Title"><w:name w:val="Title"/></w:style></w:styles>'
)


def r(text: str, style: str = "") -> str:
    """A run. `style` is XML of its properties, such as `<w:b/>`."""
    kept = html.escape(text, quote=False).replace("\n", '</w:t><w:br/><w:t xml:space="preserve">')
    properties = f"<w:rPr>{style}</w:rPr>" if style else ""
    return f'<w:r>{properties}<w:t xml:space="preserve">{kept}</w:t></w:r>'


def p(*parts: str, style: str = "", level: int = -1, series: int = 1, bold: bool = False) -> str:
    """A paragraph of runs (XML) or texts, in the list `series` if it has a level."""
    listed = f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{series}"/></w:numPr>' if level >= 0 else ""
    named = f'<w:pStyle w:val="{style}"/>' if style else ""
    runs = "".join(part if part.startswith("<") else r(part, "<w:b/>" if bold else "") for part in parts)
    return f"<w:p><w:pPr>{named}{listed}</w:pPr>{runs}</w:p>"


def table(*rows: list[str]) -> str:
    cells = ("".join(f"<w:tc>{cell if cell.startswith('<') else p(cell)}</w:tc>" for cell in row) for row in rows)
    return f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for row in cells)}</w:tbl>"


def picture(name: str = "rId9") -> str:
    return f'<w:r><w:drawing><a:graphic><a:blip r:embed="{name}"/></a:graphic></w:drawing></w:r>'


def lines(text: str) -> str:
    """A paragraph for each line."""
    return "".join(p(line) for line in text.strip().split("\n"))


def docx(*body: str, members: dict[str, bytes | str] | None = None) -> bytes:
    """A document with this body. `members` are further files in it."""
    relations = (
        '<Relationships><Relationship Id="rId9" Target="media/image1.png"/>'
        '<Relationship Id="rId8" Target="media/image2.wmf"/></Relationships>'
    )
    files: dict[str, bytes | str] = {
        "word/document.xml": f"<w:document {SPACES}><w:body>{''.join(body)}</w:body></w:document>",
        "word/_rels/document.xml.rels": relations,
        "word/numbering.xml": NUMBERING,
        "word/styles.xml": STYLES,
        **(members or {}),
    }
    stream = BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as package:
        for name, data in files.items():
            package.writestr(name, data)
    return stream.getvalue()
