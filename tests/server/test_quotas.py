"""What costs more than being read is limited by person and by address, over HTTP and the socket alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from laguna.messages import Done, Hint, NewTable, PutBot, Refused, Rematch, Request, SeatWish, TakeOver
from laguna.server.network import quotas
from laguna.server.network.rate_limits import RateLimits, TooMany
from laguna.table.entries import Settings
from tests.server.serving import ADA, BEN, Server, sqlite, tables_at
from tests.server.visiting import program, served

TABLE = "t" * 22
QUICK = {"game": "neptune-vesta", "options": {"rounds": 1}}
BOT = {"kind": "bot", "level": "turtle"}


def allowed(rates: RateLimits, request: Request, identity: str = "ann", address: str = "192.0.2.1") -> bool:
    try:
        quotas.allow(rates, request, identity, address)
    except TooMany as error:
        assert error.sentence.startswith("Too many requests; try again in ")
        return False
    return True


def test_hints_count_the_seconds_that_they_take() -> None:
    rates = RateLimits({"hint": "6/h 9/h"})
    assert allowed(rates, Hint(1, TABLE, seconds=5.0))
    assert not allowed(rates, Hint(1, TABLE, seconds=1.5))
    assert allowed(rates, Hint(1, TABLE, seconds=0.1))
    assert not allowed(rates, Hint(1, TABLE, seconds=0.1))
    assert allowed(rates, Hint(1, TABLE, seconds=3.0), "bob")
    assert not allowed(rates, Hint(1, TABLE, seconds=0.1), "cleo"), "the address has had its share"
    assert allowed(rates, Hint(1, TABLE, seconds=5.0), "cleo", "192.0.2.2")


@pytest.mark.parametrize(
    ("kind", "request_"),
    [("bot", PutBot(1, TABLE, 1, "kraken")), ("bot", TakeOver(1, TABLE, 1)), ("table", Rematch(1, TABLE))],
)
def test_bots_and_rematches_are_limited(kind: str, request_: Request) -> None:
    rates = RateLimits({kind: "2/h 3/h"})
    assert [allowed(rates, request_) for _ in range(3)] == [True, True, False]
    assert [allowed(rates, request_, "bob") for _ in range(2)] == [True, False]
    assert allowed(rates, request_, "bob", "192.0.2.2")


def test_the_bots_of_a_new_table_count_one_by_one() -> None:
    rates = RateLimits({"bot": "5/h off"})
    wanted = NewTable(Settings("mille-fiori"), [SeatWish("me"), *[SeatWish("bot", "turtle")] * 3])
    quotas.allow_table(rates, wanted, "ann", "192.0.2.1")
    with pytest.raises(TooMany):
        quotas.allow_table(rates, wanted, "ann", "192.0.2.1")
    quotas.allow_table(rates, NewTable(Settings("mille-fiori")), "ann", "192.0.2.1")


@pytest.mark.anyio
async def test_over_http_and_nothing_is_changed(tmp_path: Path) -> None:
    async with served(tmp_path, limits={"bot": "1/h 9/h"}) as server:
        ann = await program(server)
        table = (await ann.post("/api/tables", json={"settings": QUICK})).json()["table"]
        put = {"seat": 1, "level": "turtle"}
        assert (await ann.post(f"/api/tables/{table}/put-bot", json=put)).status_code == 200
        refused = await ann.post(f"/api/tables/{table}/put-bot", json=put | {"level": "seal"})
        assert refused.status_code == 429 and int(refused.headers["retry-after"]) > 3000
        assert (await ann.get(f"/api/tables/{table}")).json()["view"]["seats"][1]["level"] == "turtle"
        refused = await ann.post("/api/tables", json={"settings": QUICK, "seats": [{"kind": "me"}, BOT]})
        assert refused.status_code == 429
        assert len((await ann.get("/api/tables/mine")).json()) == 1


@pytest.mark.anyio
async def test_over_the_socket(tmp_path: Path) -> None:
    async with tables_at(sqlite(tmp_path)) as live, Server(live, {"bot": "1/h 9/h"}) as server:
        table = (await live.open(ADA, NewTable(Settings("neptune-vesta")))).table
        async with server.client(ADA) as ada, server.client(BEN) as ben:
            assert isinstance(await ada.ask(lambda number: PutBot(number, table, 1, "turtle")), Done)
            refused = await ada.ask(lambda number: PutBot(number, table, 1, "seal"))
            assert isinstance(refused, Refused) and refused.key == "too-many"
            assert (await ben.ask(lambda number: PutBot(number, table, 1, "seal"))).key != "too-many"
