"""Numbers of bytes in words."""


def bytes_of(count: int) -> str:
    """`800 bytes`, `12 KB`, `1.4 MB`, `10 MB`."""
    if count < 1_000:
        return "1 byte" if count == 1 else f"{count} bytes"
    if count < 999_500:
        return f"{round(count / 1_000)} KB"
    return f"{count / 1_000_000:.1f}".removesuffix(".0") + " MB"
