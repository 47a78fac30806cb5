"""A small institute for practice."""

from lms_tui.service.demo.institute import build_institute, ensure_demo

__all__ = ["build_institute", "ensure_demo"]
