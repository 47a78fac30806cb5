def quoted(text: str) -> str:
    """Return text as a string literal of Typst."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(max(char, " ") for char in escaped) + '"'
