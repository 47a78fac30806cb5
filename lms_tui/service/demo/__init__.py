"""A small institute to practise in, with content of its own."""

from lms_tui.service.demo.institute import build_institute, ensure_demo

__all__ = ["build_institute", "ensure_demo"]
