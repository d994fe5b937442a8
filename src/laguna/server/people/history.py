"""A person's games, and their results, from the summaries of their tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncIterator, Iterator
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import astuple

from laguna.messages import (
    GameRating,
    Leaderboard,
    MyResults,
    PlayedGame,
    PlayedGames,
    RatedPerson,
    RatingPoint,
    Results,
    ResultsWith,
    SeatView,
)
from laguna.server.storage import RatingChange, Storage, TableRow
from laguna.table.entries import Person

AT_ONCE = 200  # tables per query
MAX_OPPONENTS = 50
MAX_POINTS = 200  # of a rating's history
MAX_BEST = 20

Outcome = Literal["won", "shared", "lost", "running"]
Against = Literal["people", "bots"]


class Wanted(Struct, frozen=True):
    """Which games: those for which everything that is given holds."""

    game: str | None = None
    players: int | None = None
    rated: bool | None = None
    result: Outcome | None = None
    against: Against | None = None  # people: at least one; bots: no other people
    level: str | None = None  # with this bot
    opponent: str | None = None  # with a person of this name, in any mix of case


# ------------------------------------------------------------------ one game


def played_game(row: TableRow, person: Person, change: RatingChange | None = None) -> PlayedGame:
    """A table as a game of this person."""
    table = row.summary
    mine = table.seats_of(person.id)
    over = table.result
    return PlayedGame(
        table=row.table,
        game=table.game,
        players=table.players,
        status=table.status,
        rated=table.rated,
        created=row.created,
        ended=table.ended,
        seats=table.seats,
        mine=mine,
        how=over.how if over else None,
        result=_result(over.winners, mine[0]) if over and len(mine) == 1 else None,
        ranks=table.ranks,
        scores=over.scores if over else [],
        rating=rating_point(change) if change else None,
    )


def _result(winners: list[int], seat: int) -> Outcome:
    if seat not in winners:
        return "lost"
    return "won" if len(winners) == 1 else "shared"


def _others(game: PlayedGame) -> Iterator[SeatView]:
    return (seat for seat in game.seats if seat.seat not in game.mine)


def fits(game: PlayedGame, wanted: Wanted) -> bool:
    others = list(_others(game))
    people = [seat for seat in others if seat.kind == "person"]
    return (
        wanted.game in (None, game.game)
        and wanted.players in (None, game.players)
        and wanted.rated in (None, game.rated)
        and wanted.result in (None, "running" if game.status != "over" else game.result)
        and wanted.against in (None, "people" if people else "bots" if others else None)
        and wanted.level in (None, *(seat.level for seat in others if seat.kind == "bot"))
        and (wanted.opponent is None or wanted.opponent.casefold() in map(_folded, people))
    )


def _folded(seat: SeatView) -> str | None:
    return None if seat.name is None else seat.name.casefold()


# ------------------------------------------------------------------ many games


async def games_of(
    storage: Storage, person: Person, wanted: Wanted, after: str | None = None
) -> AsyncIterator[tuple[TableRow, PlayedGame]]:
    """The person's games that are wanted, the newest first; only those that come after this table."""
    ids = await storage.games_of(person.id)
    first = ids.index(after) + 1 if after in ids else 0
    for start in range(first, len(ids), AT_ONCE):
        for row in await storage.rows(ids[start : start + AT_ONCE]):
            game = played_game(row, person)
            if fits(game, wanted):
                yield row, game


async def page(
    storage: Storage, person: Person, wanted: Wanted, after: str | None, count: int
) -> PlayedGames:
    """So many games, and where to go on."""
    rows: list[TableRow] = []
    async for row, _ in games_of(storage, person, wanted, after):
        rows.append(row)
        if len(rows) > count:
            break
    shown = rows[:count]
    changes = await storage.rating_changes_at(person.id, [row.table for row in shown if row.summary.rated])
    return PlayedGames(
        [played_game(row, person, changes.get(row.table)) for row in shown],
        shown[-1].table if len(rows) > count else None,
    )


class Tally:
    """Adds up results."""

    def __init__(self) -> None:
        self.won = self.shared = 0
        self.share = 0.0
        self.scores: list[int] = []

    def add(self, game: PlayedGame) -> None:
        [seat] = game.mine
        self.won += game.result == "won"
        self.shared += game.result == "shared"
        self.share += 0 if game.result == "lost" else 1 / game.ranks.count(1)
        self.scores.append(game.scores[seat])

    def results(self) -> Results:
        games = len(self.scores)
        average = sum(self.scores) / games
        return Results(games, self.won, self.shared, self.share / games, average, max(self.scores))


Common = tuple[str, str | int]  # what games have in common: a field of ResultsWith and its value
ALL: Common = ("all", "")


async def results(storage: Storage, person: Person, wanted: Wanted) -> MyResults:
    """The person's results in the games that are wanted."""
    tallies: defaultdict[Common, Tally] = defaultdict(Tally)
    names: dict[Any, str | None] = {}
    async for row, game in games_of(storage, person, wanted):
        if game.result is None:
            continue
        people = {_person(row, seat): seat.name for seat in _others(game) if seat.kind == "person"}
        names = {**people, **names}  # the newest game comes first: so everybody has their latest name
        levels = {seat.level or "" for seat in _others(game) if seat.kind == "bot"}
        tallies[ALL].add(game)
        tallies["game", game.game].add(game)
        tallies["players", game.players].add(game)
        for key in [*(("name", each) for each in people), *(("level", level) for level in levels)]:
            tallies[key].add(game)

    def listed(*fields: str) -> list[ResultsWith]:
        found = []
        for (field, value), tally in tallies.items():
            if field in fields:
                common: dict[str, Any] = {field: names.get(value, value)}
                found.append(ResultsWith(*astuple(tally.results()), **common))
        return sorted(found, key=lambda each: -each.games)

    return MyResults(
        all=tallies[ALL].results() if ALL in tallies else None,
        by_game=listed("game"),
        by_opponent=listed("name", "level")[:MAX_OPPONENTS],
        by_players=sorted(listed("players"), key=lambda each: each.players or 0),
    )


def _person(row: TableRow, seat: SeatView) -> str:
    """Who sat there, as a key; all whose names were deleted are the same nobody."""
    return "" if seat.name is None else row.summary.holders[seat.seat][0]


# ------------------------------------------------------------------ ratings


def rating_point(change: RatingChange) -> RatingPoint:
    shown = change.after.shown
    return RatingPoint(change.table, change.at, shown, shown - change.before.shown)


async def ratings(storage: Storage, person: Person) -> list[GameRating]:
    """The person's ratings, with their latest history."""
    return [
        GameRating(
            game=game,
            rating=rating.shown,
            uncertainty=rating.uncertainty,
            games=rating.games,
            provisional=rating.provisional,
            history=[
                rating_point(each) for each in await storage.rating_changes(person.id, game, MAX_POINTS)
            ],
        )
        for game, rating in (await storage.ratings_of(person.id)).items()
    ]


async def leaderboard(storage: Storage, game: str, person: Person) -> Leaderboard:
    """The best at a game, as this person sees them: with a mark on their own line."""
    best, rated = await storage.best_rated(game, MAX_BEST)
    return Leaderboard(
        game,
        [
            RatedPerson(
                place=place,
                name=each.name,
                rating=each.rating.shown,
                uncertainty=each.rating.uncertainty,
                games=each.rating.games,
                provisional=each.rating.provisional,
                me=each.person == person.id,
            )
            for place, each in enumerate(best, 1)
        ],
        rated,
    )
