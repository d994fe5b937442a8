"""What can go wrong between a client and its server."""

from __future__ import annotations

from laguna.errors import LagunaError
from laguna.messages import Problem


class Refused(LagunaError):
    """The server said no, and nothing was changed: `key`, `sentence`, `clause` and `arguments` say why."""

    @classmethod
    def because(cls, problem: Problem) -> Refused:
        """Of a `refused` frame, a `bye` or the body of an HTTP answer."""
        refused = cls(problem.key, problem.sentence, problem.clause)
        refused.arguments = problem.arguments
        return refused


class Unreachable(LagunaError):
    """No connection to the server could be made for as long as the client is patient."""

    def __init__(self, url: str, reason: object) -> None:
        super().__init__("unreachable", f"The server {url} cannot be reached: {reason}.", url=url)


class Unanswered(LagunaError):
    """The connection broke before the answer, and what happened since does not tell what became of it."""

    def __init__(self, request: str) -> None:
        super().__init__(
            "unanswered",
            f"The connection broke before the server answered {request!r}; it may or may not have happened.",
            request=request,
        )


class ConnectionLost(Exception):
    """Inside the client: the websocket broke while a request waited for its answer."""
