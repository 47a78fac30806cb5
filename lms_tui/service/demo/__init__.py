"""A small institute to practise in, with content of its own."""

from lms_tui.service.demo.institute import ensure_demo

__all__ = ["ensure_demo"]
