"""Reviews: every action judged in the background, once, the same for everyone, and never before the end."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import httpx
import msgspec
import pytest

import laguna
from laguna.errors import Refusal
from laguna.games import rulebooks
from laguna.lab import analysis
from laguna.lab.analysis import clear_loss, look_back
from laguna.messages import Outlook, Review
from laguna.server.judgments import Judged
from laguna.server.live import bot_jobs, reviews
from laguna.server.live.bot_jobs import Answer, BotRunner, Job, job_for, job_for_review
from laguna.server.live.bus import Nats
from laguna.server.live.requests import Tables, new_table_id
from laguna.server.live.reviews import iterations_for, plan, review_of
from laguna.server.live.summary import summary_of
from laguna.server.live.table_cache import NoTable
from laguna.server.storage import Storage, StoredReview
from laguna.table import redact
from laguna.table.entries import Settings
from laguna.table.table import Table
from tests.server.nats_server import NatsServer
from tests.server.nursery import Nursery
from tests.server.samples import new_table
from tests.server.serving import ADA, sqlite, tables_at
from tests.server.test_http import NO_TABLE, opened, two_at_a_table
from tests.server.visiting import HERE, browser, client, program, served

pytestmark = pytest.mark.anyio


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches that are too short to be right, where that does not matter."""
    monkeypatch.setattr(reviews, "MAX_ITERATIONS", 40)
    monkeypatch.setattr(reviews, "MIN_ITERATIONS", 40)
    monkeypatch.setattr(analysis, "FORECASTS", 2)
    monkeypatch.setattr(analysis, "WORLDS", 1)


def a_table(game: str = "atlantis", players: int = 2, seed: int = 1, until: int = 10_000) -> Table:
    """A table whose game was played at random, to its end or until somebody resigned."""
    table = Table.open(new_table_id(), Settings(game, players), ADA, seed.to_bytes(32), 1)
    for seat in range(players):
        table.sit(ADA, seat, 1)
    table.start(ADA, 1)
    draw = Random(seed)
    while table.status == "playing" and table.started.played < until:
        seat = table.deciders[0]
        table.act(ADA, seat, draw.choice(table.started.legal(seat)), None, 1)
    if table.status == "playing":
        table.resign(ADA, 0, 1)
    return table


async def added(tables: Tables, table: Table) -> str:
    await tables._cache.add(table)
    return table.id


async def reviewed(tables: Tables, table_id: str) -> Review:
    """The review, once it is complete."""
    found = await tables.review(table_id, lambda: None)
    while not found.complete:
        await asyncio.sleep(0.02)
        found = await tables.review(table_id)
    return found


def told(review: Review) -> Any:
    return msgspec.to_builtins(review)["actions"]


# ------------------------------------------------------------------ what it says


async def test_a_review_says_what_the_analysis_says_and_always_the_same(
    tmp_path: Path, quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reviews, "MAX_ITERATIONS", 200)
    table = a_table("neptune-vesta", seed=3, until=12)
    game = table.started
    judged = look_back(game, seconds=None, iterations=iterations_for(len(plan(game, set())[1])))
    async with tables_at(sqlite(tmp_path)) as tables:
        review = await reviewed(tables, await added(tables, table))
    assert (review.done, review.total) == (12, 12)
    assert [each.number for each in review.actions] == list(range(1, 13))
    for one, other in zip(review.actions, judged, strict=True):
        assert (one.seat, one.action, one.value) == (other.seat, str(other.played), other.played.value)
        assert one.loss == round(other.loss, 4) and one.forced == other.forced
        assert one.outlook.chances == [round(chance, 4) for chance in other.chances]
        assert one.outlook.scores == [round(score, 1) for score in other.expected]
        assert (one.best is not None) == (other.loss >= clear_loss(2))
        if one.best is not None:
            assert one.best.action == str(other.best) and one.best.visits == other.visits
            assert one.best.chance == pytest.approx(one.outlook.chances[one.seat] + one.loss, abs=2e-4)
    assert review.start == Outlook(
        [round(chance, 4) for chance in judged[0].best_chances],
        [round(score, 1) for score in judged[0].scores],
    )
    again = tmp_path / "again"
    again.mkdir()
    async with tables_at(sqlite(again), at_once=1) as tables:
        assert told(await reviewed(tables, await added(tables, table))) == told(review)


@pytest.mark.parametrize("game", rulebooks())
async def test_every_game_can_be_reviewed_to_its_result(game: str, tmp_path: Path, quick: None) -> None:
    table = a_table(game, players=rulebooks()[game].meta.players[0])
    async with tables_at(sqlite(tmp_path)) as tables:
        review = await reviewed(tables, await added(tables, table))
        last = review.actions[-1]
        assert table.result is not None and review.total == table.started.played == len(review.actions)
        assert last.outlook.scores == table.result.scores
        assert [seat for seat, chance in enumerate(last.outlook.chances) if chance] == table.result.winners
        for each, entry in zip(review.actions, table.started.log[1:], strict=True):
            assert (each.seat, each.action) == (entry.seat, str(entry.action))
            assert len(each.outlook.chances) == table.started.players and 0 <= each.loss <= 1
        assert (await tables.review(table.id)) == review


async def test_a_better_action_comes_with_what_it_was_certain_to_do(
    tmp_path: Path, quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reviews, "MAX_ITERATIONS", 200)
    table = a_table("neptune-vesta", seed=1, until=25)
    async with tables_at(sqlite(tmp_path)) as tables:
        review = await reviewed(tables, await added(tables, table))
    past = table.started.copy()
    past.back_to(0)
    mistakes = 0
    for each in review.actions:
        if each.best is not None:
            mistakes += 1
            assert each.best.action != each.action and each.best.scores and each.best.forecasts
            events = past.preview(each.best.action).events
            assert msgspec.to_builtins(each.best.events) == msgspec.to_builtins(events)
        past.play(each.action)
    assert mistakes > 3, "it was played at random"


async def test_a_game_that_was_given_up_is_reviewed_as_far_as_it_went(tmp_path: Path, quick: None) -> None:
    async with tables_at(sqlite(tmp_path)) as tables:
        some = await reviewed(tables, await added(tables, a_table(until=5)))
        assert some.total == 5 and max(some.actions[-1].outlook.chances) < 1
        none = await reviewed(tables, await added(tables, a_table(until=0)))
        assert (none.done, none.total, none.start, none.actions) == (0, 0, None, [])


def test_the_outlook_stays_as_it_was_where_nothing_was_decided() -> None:
    def judged(number: int, **more: Any) -> Judged:
        return Judged(number, 0, "?", {"do": "?"}, **more)

    first, later = Outlook([0.5, 0.5]), Outlook([0.9, 0.1])
    forced = [judged(number, forced=True) for number in range(1, 6)]
    known = [forced[0], judged(2, before=first, after=later), forced[2], judged(4), forced[4]]
    whole = review_of("", StoredReview(5, known))
    assert whole.complete and whole.start == first
    assert [each.outlook for each in whole.actions] == [first, later, later, later, later]
    part = review_of("", StoredReview(5, [forced[0], *known[2:3], judged(4, after=later), forced[4]]))
    assert not part.complete and part.start is None and part.done == 4
    assert [each.number for each in part.actions] == [4, 5]  # what 1 and 3 left unchanged is not known yet


def test_a_long_game_is_searched_less_for_each_decision() -> None:
    assert iterations_for(190) * 190 <= reviews.ITERATIONS
    assert iterations_for(1) == reviews.MAX_ITERATIONS and iterations_for(10**6) == reviews.MIN_ITERATIONS


# ------------------------------------------------------------------ who gets it, and when


async def test_everyone_gets_the_same_review_over_http(tmp_path: Path, quick: None) -> None:
    async with served(tmp_path) as server:
        table = f"/api/tables/{await added(server.services.tables, a_table(until=12))}/review"
        visitor = await browser(server)
        nothing = (await client(server).get(table)).json()
        assert (nothing["done"], nothing["complete"], nothing["start"]) == (0, False, None)
        await asyncio.sleep(0.1)
        assert (await client(server).get(table)).json() == nothing  # looking starts nothing
        begun = await visitor.post(table)
        assert begun.status_code == 200
        while not (found := (await visitor.get(table)).json())["complete"]:
            await asyncio.sleep(0.02)
        assert (await client(server).get(table)).json() == found
        assert (await client(server, origin="http://laguna.test").post(table)).json() == found


async def asked_everywhere(visitor: httpx.AsyncClient, table: str) -> list[Any]:
    """All that could tell something of a game that is over."""
    wish = {"settings": {"game": "neptune-vesta"}, "origin": {"table": table, "actions": 0}}
    answers = [
        await visitor.get(f"/api/tables/{table}/review"),
        await visitor.post(f"/api/tables/{table}/review"),
        await visitor.get(f"/api/tables/{table}/position", params={"actions": 0}),
        await visitor.get(f"/api/tables/{table}/file"),
        await visitor.post("/api/tables", json=wish),
    ]
    return [(answer.status_code, answer.json()["key"]) for answer in answers if answer.is_error]


async def test_nothing_is_learned_of_a_running_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with served(tmp_path) as server:
        ann, bob, path = await two_at_a_table(server)
        table = path.rpartition("/")[2]
        for visitor in (ann, bob, await program(server)):
            assert await asked_everywhere(visitor, table) == [(409, "not-over")] * 5
            assert await asked_everywhere(visitor, await opened(ann)) == [(409, "not-over")] * 5
            missing = (await visitor.post(f"/api/tables/{NO_TABLE}/review")).json()
            assert missing["key"] == "no-table"
        assert await server.services.storage.review(table) is None
        # And this would notice if it were otherwise.
        monkeypatch.setattr(redact, "finished_game", lambda table: table.started.copy())
        assert await asked_everywhere(ann, table) == [(409, "not-over")]  # only the file


async def test_a_job_holds_nothing_that_the_seat_could_not_know() -> None:
    game = a_table("mille-fiori", players=4, until=30).started
    other = game.copy()
    other.back_to(20)
    assert other.seat is not None
    twin = other.copy()
    twin.rules.redeal(twin.state, other.seat, 77)
    played = game.log[21].action
    assert played is not None and twin.state_bytes() != other.state_bytes()
    assert job_for_review(twin, played, 21, 100) == job_for_review(other, played, 21, 100)


async def test_only_new_reviews_count_against_the_limit(tmp_path: Path, quick: None) -> None:
    async with served(tmp_path, limits={"review": "1/h 5/h"}) as server:
        first, second = [await added(server.services.tables, a_table(until=3)) for _ in range(2)]
        visitor = await browser(server)
        for table, status in ((first, 200), (first, 200), (second, 429), (first, 200)):
            answer = await visitor.post(f"/api/tables/{table}/review")
            assert answer.status_code == status
        assert (await visitor.get(f"/api/tables/{second}/review")).json()["done"] == 0


async def test_there_is_an_end_to_how_many_wait(
    tmp_path: Path, quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reviews, "MAX_REVIEWS", 1)
    async with tables_at(sqlite(tmp_path)) as tables:
        one, other = [await added(tables, a_table(until=12)) for _ in range(2)]
        await tables.review(one, lambda: None)
        with pytest.raises(Refusal, match="try again"):
            await tables.review(other, lambda: None)
        assert await tables._storage.review(other) is None
        await reviewed(tables, one)
        with pytest.raises(NoTable):
            await tables.review(NO_TABLE, lambda: None)


# ------------------------------------------------------------------ bots come first


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[Job]:
    """The jobs in the order in which they were done, each of which takes a moment."""
    done: list[Job] = []

    def compute(job: Job, threads: int = 1) -> Answer:
        time.sleep(0.02)
        done.append(job)
        return Answer("?", judged=Judged(job.seed, 0, "?", {"do": "?"}))

    monkeypatch.setattr(bot_jobs, "compute", compute)
    return done


async def test_a_bot_waits_for_one_job_of_a_review_at_most(computed: list[Job]) -> None:
    game = laguna.new("neptune-vesta", seed=1)
    runner = BotRunner(at_once=1)
    jobs = [job_for_review(game, game.legal()[0], number, 1) for number in range(1, 9)]
    judging = [asyncio.create_task(runner.judge(job)) for job in jobs]
    while len(computed) < 2:
        await asyncio.sleep(0.001)
    moves = [runner.move(job_for(game, 0, "heron")) for _ in range(3)]
    await asyncio.gather(*moves)
    assert [job.level for job in computed].count("review") <= 3
    assert [job.level for job in computed[-3:]] == ["heron"] * 3
    await asyncio.gather(*judging)
    assert [job.seed for job in computed if job.played] == list(range(1, 9))


def decisions(table: Table) -> int:
    """How many of its actions were not forced; only they are searched. That depends on how it was dealt."""
    game = table.started.copy()
    actions = [str(line.action) for line in game.log[1:]]
    game.back_to(0)
    found = 0
    for action in actions:
        found += len(game.legal()) > 1
        game.play(action)
    return found


async def test_several_reviews_take_turns(tmp_path: Path, computed: list[Job]) -> None:
    async with tables_at(sqlite(tmp_path), at_once=1) as tables:
        played = [a_table(until=8) for _ in range(3)]
        ids = [await added(tables, each) for each in played]
        for each in ids:
            await tables.review(each, lambda: None)
        for each in ids:
            await reviewed(tables, each)
    numbers = [job.seed for job in computed]
    assert len(numbers) == sum(map(decisions, played))
    assert all(abs(number - place // 3) <= 3 for place, number in enumerate(numbers, 1))


async def test_what_cannot_be_judged_does_not_stop_the_rest(
    tmp_path: Path, quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    compute = bot_jobs.compute

    def breaking(job: Job, threads: int = 1) -> Answer:
        return Answer(problem="broken") if job.seed == 3 else compute(job, threads)

    monkeypatch.setattr(bot_jobs, "compute", breaking)
    async with tables_at(sqlite(tmp_path)) as tables:
        review = await reviewed(tables, await added(tables, a_table(until=6)))
    third = review.actions[2]
    assert third.loss == 0 and third.best is None and not third.forced
    assert third.outlook == review.actions[1].outlook


async def test_workers_judge_too(tmp_path: Path, quick: None) -> None:
    """A worker in this process, so that it searches as little."""
    from laguna.server.worker import work

    table = a_table("neptune-vesta", until=8)
    with NatsServer() as nats:
        stop = asyncio.Event()
        worker = asyncio.create_task(work(nats.url, 1, stop))
        bus = Nats(nats.url)
        async with tables_at(sqlite(tmp_path), bus, at_once=1) as tables:
            await tables.games.ready("neptune-vesta", "bots")
            here, asked = BotRunner.here, 0

            async def counted(runner: BotRunner, job: Job) -> Answer:
                nonlocal asked
                asked += runner is tables._bots
                return await here(runner, job)

            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(BotRunner, "here", counted)
                while (found := await tables._bots._on_a_worker(plan(table.started, set())[1][0][1])) is None:
                    await asyncio.sleep(0.05)
                assert found.judged is not None
                review = await reviewed(tables, await added(tables, table))
            assert review.total == 8 and asked == 0
        stop.set()
        await worker


# ------------------------------------------------------------------ kept, and done once


async def stored_rows(storage: Storage, table_id: str) -> dict[int, bytes]:
    found = await storage.review(table_id)
    return {} if found is None else {each.number: msgspec.json.encode(each) for each in found.judged}


async def test_kill_in_the_middle_and_nothing_is_lost_or_done_twice(url: str, servers: Nursery) -> None:
    """With a plant that keeps the searches short enough for a test."""
    storage = Storage(url)
    await storage.start()
    table = a_table(until=60)
    await storage.open_table(table.id, table.secret, table.entries, summary_of(table))
    server = servers.server(database=url, plant="short_reviews", metrics=True)
    path = f"/api/tables/{table.id}/review"
    before: dict[int, bytes] = {}
    async with server:
        async with httpx.AsyncClient(base_url=server.url, headers={"origin": server.url}) as visitor:
            assert (await visitor.post(path)).status_code == 200
            while not (await visitor.get(path)).json()["done"] > 3:
                await asyncio.sleep(0.01)
        await server.kill()
        before = await stored_rows(storage, table.id)
        assert 3 < len(before) < table.started.played, "it was killed in the middle"
        await server.start()
        async with httpx.AsyncClient(base_url=server.url) as visitor:
            while not (found := (await visitor.get(path)).json())["complete"]:
                await asyncio.sleep(0.02)
            metrics = (await visitor.get("/metrics")).text
    after = await stored_rows(storage, table.id)
    assert {number: after[number] for number in before} == before
    assert sorted(after) == list(range(1, table.started.played + 1)) and found["done"] == len(after)
    searched = {each["number"] for each in found["actions"] if not each["forced"]}
    assert f"laguna_reviewed_actions_total {len(searched - before.keys()):.1f}" in metrics
    await storage.close()


async def test_a_claim_is_one_servers_until_it_expires(storage: Storage) -> None:
    table = await new_table(storage)
    judged = [Judged(1, 0, "1Ra1", {"do": "place"})]
    await storage.begin_review(table, 2)
    await storage.begin_review(table, 9)  # changes nothing
    assert await storage.claim_review(table, "one", 100, 200)
    assert not await storage.claim_review(table, "two", 199, 300)
    assert await storage.add_judgments(table, "one", 250, judged)
    assert await storage.unfinished_reviews(249, 10) == []
    assert await storage.unfinished_reviews(250, 10) == [table]
    assert await storage.claim_review(table, "two", 250, 300)
    assert not await storage.add_judgments(table, "one", 400, [Judged(2, 0, "?", {"do": "?"})])
    found = await storage.review(table)
    assert found is not None and (found.actions, found.judged, found.complete) == (2, judged, False)
    await storage.release_reviews("one")
    assert await storage.unfinished_reviews(299, 10) == []
    await storage.release_reviews("two", others=True)
    assert await storage.unfinished_reviews(299, 10) == []
    await storage.release_reviews("two")
    assert await storage.unfinished_reviews(0, 10) == [table]
    assert await storage.claim_review(table, "three", 0, 300)
    await storage.release_reviews("two", others=True)
    assert await storage.unfinished_reviews(0, 10) == [table]
    await storage.finish_review(table)
    assert await storage.unfinished_reviews(10**12, 10) == []


async def test_one_of_two_servers_does_it_and_the_other_takes_over(
    postgresql_url: str, monkeypatch: pytest.MonkeyPatch, computed: list[Job]
) -> None:
    monkeypatch.setattr(reviews, "CLAIM", 1000)
    monkeypatch.setattr(reviews.Reviews, "sweep", _nothing)
    table = a_table(until=30)

    with NatsServer() as nats:
        async with tables_at(postgresql_url, Nats(nats.url), at_once=1) as other:
            async with tables_at(postgresql_url, Nats(nats.url), at_once=1) as first:
                table_id = await added(first, table)
                await first.review(table_id, lambda: None)
                await until(lambda: len(computed) > 3)
                await other.review(table_id, lambda: None)
                assert not other._reviews._under_way  # the first one has it
                assert (await other.review(table_id)).done > 0
                monkeypatch.setattr(Storage, "release_reviews", _nothing)  # as if it were killed
            found = await other.review(table_id, lambda: None)
            assert not other._reviews._under_way and not found.complete
            while not other._reviews._under_way:
                await asyncio.sleep(0.1)
                await other.review(table_id, lambda: None)
            assert (await reviewed(other, table_id)).done == 30
    decisions = [job.seed for _, job in plan(table.started, set())[1]]
    assert {job.seed for job in computed} == set(decisions)
    assert len(computed) <= len(decisions) + 1  # one was under way at most


async def _nothing(*_: object, **__: object) -> None:
    pass


async def until(is_so: Callable[[], bool]) -> None:
    while not is_so():
        await asyncio.sleep(0.005)


async def test_a_closed_server_leaves_its_reviews_to_the_next(tmp_path: Path, computed: list[Job]) -> None:
    async with tables_at(sqlite(tmp_path), at_once=1) as tables:
        table_id = await added(tables, a_table(until=20))
        await tables.review(table_id, lambda: None)
        await until(lambda: len(computed) > 3)
    async with tables_at(sqlite(tmp_path), at_once=1) as tables:  # nobody asks again
        while not (found := await tables.review(table_id)).complete:
            await asyncio.sleep(0.02)
    assert found.done == 20 and len(computed) <= 21


async def test_a_damaged_judgment_is_made_again(tmp_path: Path, quick: None) -> None:
    async with tables_at(sqlite(tmp_path)) as tables:
        table_id = await added(tables, a_table(until=6))
        whole = await reviewed(tables, table_id)
        with tables._storage._writing.begin() as connection:
            connection.exec_driver_sql("UPDATE judgments SET judged = '{}' WHERE number = 2")
        damaged = await tables.review(table_id)
        assert not damaged.complete and damaged.done == 5
        assert told(await reviewed(tables, table_id)) == told(whole)


# ------------------------------------------------------------------ games from files


def finished_game(game: str = "neptune-vesta", seed: int = 3, **options: Any) -> laguna.Game:
    """A game from a seed, as people play them in Python, played at random to its end."""
    played = laguna.new(game, seed=seed, **options)
    draw = Random(seed)
    while not played.over:
        played.play(draw.choice(played.legal(played.deciders[0])), played.deciders[0])
    return played


async def test_a_finished_game_from_a_file_becomes_a_table_and_is_reviewed(
    tmp_path: Path, quick: None
) -> None:
    file = finished_game(rounds=1).dumps()
    async with served(tmp_path) as server:
        visitor, other = await browser(server), await browser(server)
        kept = await visitor.post("/api/tables/file", content=file)
        assert kept.status_code == 200, kept.text
        table = kept.json()["table"]
        assert (await other.post("/api/tables/file", content=file)).json()["table"] == table, "the same file"
        view = (await client(server).get(f"/api/tables/{table}")).json()["view"]
        assert view["from_file"] and view["status"] == "over" and not view["settings"]["rated"]
        assert view["secret"] is None and view["mine"] == [] and view["host"] is False
        assert (await client(server).get(f"/api/tables/{table}/file")).text == file
        assert (await client(server).get("/api/tables")).json() == []
        assert (await visitor.get("/api/me/games")).json()["games"] == []
        review = f"/api/tables/{table}/review"
        assert (await visitor.post(review)).status_code == 200
        while not (found := (await visitor.get(review)).json())["complete"]:
            await asyncio.sleep(0.02)
        assert found["total"] == laguna.loads(file).played


async def test_games_from_files_are_the_same_after_a_restart(tmp_path: Path) -> None:
    begun = laguna.new("atlantis", seed=5, players=2)
    middle = laguna.from_position("atlantis", begun.position(), seed=6)
    draw = Random(1)
    while not middle.over:
        middle.play(draw.choice(middle.legal()))
    live = a_table("mille-fiori", until=10_000).started.dumps()
    files = [middle.dumps(), live]
    async with tables_at(sqlite(tmp_path)) as tables:
        kept = [(await tables.open_file(laguna.loads(file), lambda: None)).table for file in files]
    async with tables_at(sqlite(tmp_path)) as tables:
        assert [await tables.game_file(str(table)) for table in kept] == files


async def test_what_is_no_finished_game_is_not_kept(tmp_path: Path) -> None:
    whole = finished_game(rounds=1)
    unfinished = laguna.new("neptune-vesta", seed=3, rounds=1)
    wrong = whole.dumps().replace('"winners": [', '"winners": [7, ')
    async with served(tmp_path) as server:
        visitor = await browser(server)
        for text, status, key in (
            ("{", 400, "no-json"),
            (wrong, 422, "result"),
            (unfinished.dumps(), 409, "unfinished"),
        ):
            refused = await visitor.post("/api/tables/file", content=text)
            assert (refused.status_code, refused.json()["key"]) == (status, key)
        assert (
            await client(server, origin=HERE).post("/api/tables/file", content=whole.dumps())
        ).status_code == 401


async def test_keeping_games_from_files_counts_as_opening_tables(tmp_path: Path) -> None:
    async with served(tmp_path, limits={"table": "1/h 1/h"}) as server:
        visitor = await browser(server)
        first, second = (finished_game(seed=seed, rounds=1).dumps() for seed in (1, 2))
        assert [
            (await visitor.post("/api/tables/file", content=file)).status_code
            for file in (first, second, first)
        ] == [200, 429, 200]
