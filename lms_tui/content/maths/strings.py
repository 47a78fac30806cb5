def quoted(text: str) -> str:
    """Write text as a string of the typesetter: whatever it holds stays text."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(max(char, " ") for char in escaped) + '"'
