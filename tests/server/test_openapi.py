"""The API document holds what it says: schemathesis asks for everything in it, and nothing breaks."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import requests
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from laguna import messages
from laguna.server.network.openapi import document
from laguna.server.network.routes import routes
from tests.server.running import running
from tests.size import scaled

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
EXAMPLES = scaled(4, 25)  # for each operation


TABLES: list[str] = []  # that the server under test has
TURNS = itertools.count()


@pytest.fixture(scope="module")
def visited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with running(tmp_path_factory.mktemp("openapi")) as server:
        with httpx.Client(base_url=server.url, timeout=60) as visitor:
            visit(visitor)
            yield visitor
        server.stop()
        assert '"level": "error"' not in server.log.read_text()


def visit(visitor: httpx.Client) -> None:
    """Open tables in every state, so that there is something to ask for."""
    visitor.headers["authorization"] = f"Bearer {visitor.post('/api/tokens').json()['token']}"
    quick = {"game": "neptune-vesta", "options": {"rounds": 1}}
    bot = {"kind": "bot", "level": "turtle"}
    wanted: list[dict[str, Any]] = [
        {"settings": quick},
        {"settings": quick, "seats": [{"kind": "me"}, {"kind": "me"}], "start": True},
        {"settings": quick, "seats": [{"kind": "me"}, bot], "start": True},
        {"settings": quick, "seats": [{"kind": "me"}, {"kind": "me"}], "start": True},
    ]
    TABLES[:] = [visitor.post("/api/tables", json=each).json()["table"] for each in wanted]
    assert visitor.post(f"/api/tables/{TABLES[-1]}/resign", json={"seat": 0}).status_code == 200


def the_document() -> Any:
    """As a server gives it; only the servers of the tests are not known yet."""
    app = FastAPI()
    app.include_router(routes)
    return document(app)


api = schemathesis.openapi.from_dict(the_document())


@api.exclude(path="/api/log-out").parametrize()
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_whatever_is_asked_is_answered_as_documented(
    visited: httpx.Client, case: schemathesis.Case[Any]
) -> None:
    which = next(TURNS) % 5
    if which < len(TABLES) and "table" in (case.path_parameters or {}):
        case.path_parameters["table"] = TABLES[which]  # mostly one that exists
    headers = {"authorization": visited.headers["authorization"]}
    with requests.Session() as session:
        case.call_and_validate(
            base_url=str(visited.base_url), headers=headers, session=session, checks=CHECKS
        )


def test_every_message_over_http_is_in_the_document(visited: httpx.Client) -> None:
    found = visited.get("/api/openapi.json").json()
    assert found == the_document()
    schemas = found["components"]["schemas"]
    for kind in (
        messages.NewTable,
        messages.TableView,
        messages.TableSummary,
        messages.Me,
        messages.Credentials,
        messages.SeatLink,
        messages.Problem,
        messages.Replay,
    ):
        assert kind.__name__ in schemas
    assert "HTTPValidationError" not in schemas
    for path, methods in found["paths"].items():
        for method, operation in methods.items():
            assert operation.get("description"), f"{method} {path} has no words"
            good = [status for status in operation["responses"] if status.startswith("2")]
            assert len(good) == 1
            refused = [status for status in operation["responses"] if not status.startswith("2")]
            assert {"403", "422", "429"} <= set(refused)


def test_requests_at_a_table_have_the_fields_of_their_frames(visited: httpx.Client) -> None:
    schemas = visited.get("/api/openapi.json").json()["components"]["schemas"]
    assert schemas["ActBody"]["properties"].keys() == {
        "version",
        "action",
        "seat",
        "if_goes_on",
        "head",
    }
    assert schemas["ActBody"]["required"] == ["version", "action"]
    assert schemas["ActBody"]["additionalProperties"] is False
