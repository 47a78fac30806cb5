from starlette.responses import Response

from lms_tui.service.attempts.writes import Done


def response_of(done: Done) -> Response:
    """Return the response to a heartbeat or an answer."""
    response = Response(done.body, media_type="application/json")
    response.raw_headers.extend(done.headers)
    return response
