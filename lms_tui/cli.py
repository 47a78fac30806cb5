def main() -> int:
    """Placeholder until the command line lands."""
    return 0
