"""Errors as HTTP responses: a status and a `Problem` body."""

from __future__ import annotations

import msgspec
from starlette.responses import Response

from laguna.errors import BadFile, BadOption, BadPosition, LagunaError, UnknownGame
from laguna.messages import Problem
from laguna.table import redact

INTERNAL = Problem("internal", "Something went wrong on the server. The details are in its log.")

# By key, where the key says more than the error's class.
STATUS = {
    "no-account": 409,
    "no-json": 400,
    "who": 401,
    "wrong-password": 401,
    "session-ended": 401,
    "one-time-password": 403,
    "one-time-over": 403,
    "current-password": 403,
    "origin": 403,
    "metrics": 403,
    "no-table": 404,
    "no-link": 404,
    "no-device": 404,
    "no-page": 404,
    "no-rules-text": 404,
    "unknown-lesson": 404,
    "unknown-puzzle": 404,
    "no-puzzles": 404,
    "method": 405,
    "too-slow": 408,
    "too-large": 413,
    "unknown-bot": 422,
    "too-many": 429,
    "no-svg": 503,
    "not-built": 503,
    "not-drawn": 503,
    "busy": 503,
    "unavailable": 503,
    "unreadable-table": 503,
}


class Denied(LagunaError):
    """A request refused before it reached any table."""


def status_of(error: LagunaError) -> int:
    """404 for games that do not exist, 422 for impossible values, 409 for what is not possible now."""
    if error.key in STATUS:
        return STATUS[error.key]
    if isinstance(error, UnknownGame):
        return 404
    return 422 if isinstance(error, Denied | BadOption | BadFile | BadPosition) else 409


def refusal(error: LagunaError, problem: Problem | None = None) -> Response:
    """The response to a refused request; `problem` is what the person may know, where a table was asked."""
    seconds = error.arguments.get("seconds")
    headers = {"Retry-After": str(seconds)} if error.key == "too-many" else {}
    if status_of(error) == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return respond(problem or redact.error(None, None, error), status_of(error), headers)


def respond(problem: Problem, status: int, headers: dict[str, str] | None = None) -> Response:
    return Response(msgspec.json.encode(problem), status, headers, "application/json")
