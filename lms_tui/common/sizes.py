"""Numbers of bytes in words."""


def bytes_of(count: int) -> str:
    """`800 bytes`, `12 KB`, `1.4 MB`."""
    if count < 1_000:
        return "1 byte" if count == 1 else f"{count} bytes"
    return f"{round(count / 1_000)} KB" if count < 1_000_000 else f"{count / 1_000_000:.1f} MB"
