"""Limits that hold before a file is read. Code that only passes a file on imports nothing else."""

from typing import Final

LARGEST: Final = 64 * 1024 * 1024
"""Most bytes of a file that is read."""
