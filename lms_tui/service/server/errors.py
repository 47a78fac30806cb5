"""Why the service cannot start."""

from lms_tui.common.user_errors import AdvisedError


class ServiceError(AdvisedError):
    """The service cannot start. `str(error)` is the reason, `advice` the remedy."""
