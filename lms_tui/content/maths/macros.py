r"""Expand a formula's own macros (`\newcommand`, `\def`) and quantities with units (`\SI`, `\num`, `\ang`)."""

import re
from typing import Final

_DEFINITION: Final = re.compile(
    r"\\(?:re|provide)?newcommand\*?\s*\{?\s*\\(?P<name>[A-Za-z]+)\s*\}?\s*(?:\[(?P<count>\d)\])?\s*(?=\{)"
    r"|\\def\s*\\(?P<def>[A-Za-z]+)(?P<params>(?:#\d)*)\s*(?=\{)"
    r"|\\DeclareMathOperator\*?\s*\{?\s*\\(?P<operator>[A-Za-z]+)\s*\}?\s*(?=\{)"
)
_DEFINES: Final = re.compile(r"\\(?:(?:re|provide)?newcommand|def|newenvironment|DeclareMathOperator|let)(?![A-Za-z])")
_EXPONENT: Final = re.compile(r"\s*([-+]?[\d.,]*)\s*[eEdD]\s*([-+]?\d+)\s*\Z")
_UNIT: Final = re.compile(r"\\([A-Za-z]+)|([A-Za-z]+|[^\\])")
_UNITS: Final = {
    "metre": "m", "meter": "m", "gram": "g", "second": "s", "ampere": "A", "kelvin": "K", "mole": "mol",
    "candela": "cd",
    "hertz": "Hz", "newton": "N", "pascal": "Pa", "joule": "J", "watt": "W", "coulomb": "C", "volt": "V", "farad": "F",
    "ohm": r"\Omega", "siemens": "S", "weber": "Wb", "tesla": "T", "henry": "H", "lumen": "lm", "lux": "lx",
    "becquerel": "Bq", "litre": "L", "liter": "L", "tonne": "t", "hour": "h", "minute": "min", "day": "d", "bar": "bar",
    "electronvolt": "eV", "degree": r"{}^{\circ}", "celsius": r"{}^{\circ}C", "degreeCelsius": r"{}^{\circ}C",
    "percent": r"\%", "kilogram": "kg", "nano": "n", "micro": r"\mu ", "milli": "m", "centi": "c", "deci": "d",
    "kilo": "k", "mega": "M", "giga": "G", "tera": "T", "pico": "p", "femto": "f", "km": "km", "kg": "kg", "cm": "cm",
    "mm": "mm", "eV": "eV", "Hz": "Hz", "kHz": "kHz", "MHz": "MHz",
}  # fmt: skip
_POWERS: Final = {"squared": "^{2}", "cubed": "^{3}"}
_MOST: Final = 300
"""Most replacements in one formula, because a macro may refer to itself."""


class UnreadableFormula(ValueError):
    """Raised for source that cannot be read. The formula is shown as its source."""


def group(source: str, at: int) -> tuple[str, int]:
    """Return the content of the group at `at` and the index after it. An unclosed group extends to the end."""
    depth = 0
    place = at
    while place < len(source):
        char = source[place]
        if char == "\\":
            place += 1
        elif char == "{":
            depth += 1
        elif char == "}":
            depth -= 1
            if depth == 0:
                return source[at + 1 : place], place + 1
        place += 1
    return source[at + 1 :], len(source)


def expanded(source: str, longest: int) -> str:
    """Expand the formula's own macros. Raises UnreadableFormula without an end or above `longest` characters."""
    if not _DEFINES.search(source):
        return source
    macros: dict[str, tuple[str, int]] = {}
    while found := _DEFINITION.search(source):
        body, end = group(source, found.end())
        if found["operator"]:
            macros[found["operator"]] = (rf"\operatorname{{{body}}}", 0)
        else:
            count = int(found["count"] or 0) if found["name"] else (found["params"] or "").count("#")
            macros[found["name"] or found["def"]] = (body, count)
        source = source[: found.start()] + source[end:]
    if _DEFINES.search(source):
        raise UnreadableFormula
    return _replaced(source, macros, longest)


def _replaced(source: str, macros: dict[str, tuple[str, int]], longest: int) -> str:
    if not macros:
        return source
    use = re.compile(r"\\(" + "|".join(sorted(macros, key=len, reverse=True)) + r")(?![A-Za-z])")
    for _ in range(_MOST):
        found = use.search(source)
        if found is None:
            return source
        body, count = macros[found[1]]
        end = found.end()
        for number in range(1, count + 1):
            while source[end : end + 1] == " ":
                end += 1
            argument, end = group(source, end) if source[end : end + 1] == "{" else (source[end : end + 1], end + 1)
            body = body.replace(f"#{number}", argument)
        source = f"{source[: found.start()]}{{{body}}}{source[end:]}"
        if len(source) > longest:
            raise UnreadableFormula
    raise UnreadableFormula


def quantity(name: str, first: str, unit: str) -> str:
    r"""Expand a quantity: `\SI{3e8}{\metre\per\second}` becomes 3\times 10^{8}\,\mathrm{m/s}."""
    if name in {"SI", "qty"}:
        return rf"{_number(first)}\,{_unit(unit)}"
    if name == "ang":
        return rf"{first}^{{\circ}}"
    return _number(first) if name == "num" else _unit(first)


def _number(text: str) -> str:
    found = _EXPONENT.match(text)
    if found is None:
        return text
    return rf"{found[1]}\times 10^{{{found[2]}}}" if found[1] else rf"10^{{{found[2]}}}"


def _unit(text: str) -> str:
    """Write a unit, with a thin space in products and a slash in quotients."""
    result = ""
    glued = True
    for word, plain in _UNIT.findall(text):
        if word == "per":
            result, glued = f"{result}/", True
        elif word in _POWERS:
            result += _POWERS[word]
        else:
            part = (
                rf"\mathrm{{{_UNITS.get(word, word)}}}"
                if word
                else rf"\mathrm{{{plain}}}"
                if plain.isalpha()
                else plain
            )
            result += ("" if glued or not word else r"\,") + part.replace(".", r"\,")
            glued = word in {"kilo", "mega", "giga", "tera", "milli", "micro", "nano", "pico", "femto", "centi", "deci"}
    return result
