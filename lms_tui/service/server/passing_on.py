"""How what stands in front of an application leaves it a request."""

from starlette.types import Receive


class PassedOn(Exception):
    """The application behind answers the request, and words the refusal. `receive`: gives the body again."""

    def __init__(self, receive: Receive) -> None:
        super().__init__()
        self.receive = receive
