"""What can go wrong between a client and its server."""

from __future__ import annotations

from laguna.errors import LagunaError
from laguna.messages import Problem


class Refused(LagunaError):
    """The server refused, and nothing changed: `key`, `sentence`, `clause` and `arguments` say why."""

    @classmethod
    def because(cls, problem: Problem) -> Refused:
        """Of a `refused` frame, a `bye` or the body of an HTTP answer."""
        refused = cls(problem.key, problem.sentence, problem.clause)
        refused.arguments = problem.arguments
        return refused


class Unreachable(LagunaError):
    """The server could not be reached within the client's patience."""

    def __init__(self, url: str, reason: object) -> None:
        super().__init__("unreachable", f"The server {url} cannot be reached: {reason}.", url=url)


class Unanswered(LagunaError):
    """The connection broke before the answer, and it is not known whether the request was carried out."""

    def __init__(self, request: str) -> None:
        super().__init__(
            "unanswered",
            f"The connection broke before the server answered {request!r}; it may or may not have happened.",
            request=request,
        )


class Unfair(LagunaError):
    """The game file is not that of the game that this client saw: somebody has cheated."""

    def __init__(self, sentence: str) -> None:
        super().__init__("unfair", sentence)


class ConnectionLost(Exception):
    """Internal: the websocket broke while a request was waiting for its answer."""
