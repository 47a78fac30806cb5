from lms_tui.wire.base import Count, Instant, Text, Wire


class Batch(Wire):
    """A group of students."""

    id: Count = 0
    name: Text = ""
    url: Text = ""
    created: Instant = None
    modified: Instant = None
