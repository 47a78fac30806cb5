"""The reference pages of `docs/`, made from the program: `python -m lms_tui.reference` writes them."""
