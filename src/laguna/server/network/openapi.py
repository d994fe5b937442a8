"""The API document: FastAPI's, with the msgspec structs of the messages as its schemas."""

from __future__ import annotations

from types import UnionType
from typing import Any, get_args, get_origin

import msgspec
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from msgspec import Struct

import laguna
from laguna.games.contract import GameAction, GameView
from laguna.messages import Problem

REFUSALS = {
    400: "The body is not valid JSON.",
    401: "The token or password is not valid.",
    403: "The Origin is wrong, or you are not allowed to do this.",
    404: "It does not exist.",
    408: "The body did not arrive in time.",
    409: "Not possible at the moment; nothing was changed.",
    413: "Too large.",
    422: "The request was understood, but a value is wrong.",
    429: "Too many requests; Retry-After says when to try again.",
    503: "Storage is currently unavailable, or the table is damaged; nothing was changed.",
}
ALWAYS = (403, 422, 429)
_kinds: dict[str, type[Struct]] = {}


def schema(kind: Any) -> dict[str, Any]:
    """The schema of a struct, a list of structs, or a union; this also adds the structs to the document."""
    if get_origin(kind) is list:
        return {"type": "array", "items": schema(*get_args(kind))}
    if get_origin(kind) is UnionType:
        return {"anyOf": [schema(each) for each in get_args(kind)]}
    known = _kinds.setdefault(kind.__name__, kind)
    assert known is kind, f"two structs are called {kind.__name__}"
    return {"$ref": f"#/components/schemas/{kind.__name__}"}


def _content(kind: Any) -> dict[str, Any]:
    return {"application/json": {"schema": schema(kind)}}


def described(
    returns: Any,
    *refused: int,
    takes: type[Struct] | None = None,
    optional: bool = False,
    status: int = 200,
) -> dict[str, Any]:
    """What a route takes and returns, as arguments for FastAPI's decorators.

    `returns` is a struct, a list or a choice of structs, or None; `optional`: the body may be left out.
    """
    good: dict[str, Any] = {"description": "Success, with no content."}
    if returns is not None:
        about = (get_args(returns) or (returns,))[0].__doc__ or "Success."
        good = {"description": about.split("\n")[0], "content": _content(returns)}
    statuses = {*ALWAYS, *refused, *((400, 408, 413) if takes else ())}
    problems = {
        each: {"description": REFUSALS[each], "content": _content(Problem)} for each in sorted(statuses)
    }
    extra = {"requestBody": {"required": not optional, "content": _content(takes)}} if takes else {}
    return {
        "status_code": status,
        "response_model": None,
        "responses": {status: good, **problems},
        "openapi_extra": extra,
    }


def pictured(kind: str, *refused: int) -> dict[str, Any]:
    """The same for a route that returns a picture of this media type."""
    about = described(None, *refused)
    about["responses"][200] = {
        "description": "The picture.",
        "content": {kind: {"schema": {"type": "string", "format": "binary"}}},
    }
    return about


def document(app: FastAPI) -> dict[str, Any]:
    """The complete OpenAPI document, made once."""
    if app.openapi_schema is None:
        made = get_openapi(
            title="Laguna",
            version=laguna.__version__,
            description="Games of sea and glass, and tables to play them at.",
            routes=app.routes,
        )
        _, schemas = msgspec.json.schema_components(
            [*_kinds.values(), GameView, GameAction], ref_template="#/components/schemas/{name}"
        )
        components = made.setdefault("components", {})
        components["schemas"] = dict(sorted(schemas.items()))
        components["securitySchemes"] = {
            "cookie": {"type": "apiKey", "in": "cookie", "name": "laguna"},
            "token": {"type": "http", "scheme": "bearer"},
        }
        made["security"] = [{}, {"cookie": []}, {"token": []}]
        app.openapi_schema = made
    return app.openapi_schema
