"""Read H5P packages: quizzes, single questions, and the questions inside columns, books and presentations."""

from lms_tui.banks.h5p.reader import read_h5p

__all__ = ["read_h5p"]
