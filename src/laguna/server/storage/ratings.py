"""Ratings in the database, written in the transaction of the log entry that ends a rated game.

So they are written exactly once: not if the entry is not durable, and not again, because the same entry is
not written again. Computing them later from the logs would need the order in which all games of all players
ended, each time; and a leaderboard would lag behind.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from sqlalchemy import Connection, bindparam, func, insert, select, update

from laguna.server import rating
from laguna.server.rating import Rating
from laguna.server.storage import schema
from laguna.server.storage.inserting import insert_new
from laguna.table.entries import Milliseconds, PersonId

_ratings, _changes = schema.ratings.c, schema.rating_changes.c
_UPDATE = update(schema.ratings).where(
    _ratings.person_id == bindparam("of"), _ratings.game == bindparam("at_game")
)


class RatedGame(Struct, frozen=True):
    """A rated game that has just ended, and the place of each player."""

    table: str
    game: str
    at: Milliseconds
    ranks: dict[PersonId, int]


class RatingChange(Struct, frozen=True):
    """What a game did to somebody's rating."""

    table: str
    at: Milliseconds
    before: Rating
    after: Rating


class Ranked(Struct, frozen=True):
    """Somebody on a leaderboard."""

    person: PersonId
    name: str
    rating: Rating


# ------------------------------------------------------------------ writing


def write(connection: Connection, games: Sequence[RatedGame]) -> None:
    """Rate everybody who still has an account; whoever deleted theirs counts as a newcomer to the others."""
    known = _locked(connection, games)
    changes = []
    for game in games:
        before = {person: known.get((person, game.game), Rating()) for person in game.ranks}
        after = rating.after(list(before.values()), list(game.ranks.values()))
        for (person, old), new in zip(before.items(), after, strict=True):
            if (person, game.game) in known:
                known[person, game.game] = new
                changes.append(_change(game, person, old, new))
    if changes:
        connection.execute(insert(schema.rating_changes), changes)
        connection.execute(_UPDATE, [_row(*key, each, ("of", "at_game")) for key, each in known.items()])


def _locked(connection: Connection, games: Sequence[RatedGame]) -> dict[tuple[str, str], Rating]:
    """The ratings of these games' players, made if need be, and locked in a fixed order.

    Another server may be about to rate the same people for another game, or to delete one of them.
    """
    people = sorted({person for game in games for person in game.ranks})
    accounts = schema.accounts.c.person_id
    asked = select(accounts).where(accounts.in_(people)).order_by(accounts).with_for_update(read=True)
    there = set(connection.scalars(asked))
    keys = sorted({(person, game.game) for game in games for person in game.ranks if person in there})
    if not keys:
        return {}
    insert_new(connection, schema.ratings, [_row(*key, Rating()) for key in keys])
    rows = connection.execute(
        select(schema.ratings)
        .where(_ratings.person_id.in_(there))
        .order_by(_ratings.person_id, _ratings.game)
        .with_for_update()
    )
    found = {(row.person_id, row.game): Rating(row.mu, row.sigma, row.games) for row in rows}
    return {key: found[key] for key in keys}


def _row(
    person: str, game: str, each: Rating, names: tuple[str, str] = ("person_id", "game")
) -> dict[str, object]:
    return dict(zip(names, (person, game), strict=True)) | {
        "mu": each.mu,
        "sigma": each.sigma,
        "games": each.games,
    }


def _change(game: RatedGame, person: str, old: Rating, new: Rating) -> dict[str, object]:
    return {
        "table_id": game.table,
        "person_id": person,
        "game": game.game,
        "at": game.at,
        "mu_before": old.mu,
        "sigma_before": old.sigma,
        "mu": new.mu,
        "sigma": new.sigma,
    }


# ------------------------------------------------------------------ reading


def ratings_of(connection: Connection, person_id: str) -> dict[str, Rating]:
    """A person's ratings by game."""
    asked = select(schema.ratings).where(_ratings.person_id == person_id).order_by(_ratings.game)
    return {row.game: Rating(row.mu, row.sigma, row.games) for row in connection.execute(asked)}


def changes_of(connection: Connection, person_id: str, game: str, limit: int) -> list[RatingChange]:
    """The latest changes of a rating, the oldest of them first."""
    asked = select(schema.rating_changes).where(_changes.person_id == person_id, _changes.game == game)
    rows = connection.execute(asked.order_by(_changes.at.desc(), _changes.table_id).limit(limit)).all()
    return [
        RatingChange(row.table_id, row.at, Rating(row.mu_before, row.sigma_before), Rating(row.mu, row.sigma))
        for row in reversed(rows)
    ]


def changes_at(connection: Connection, person_id: str, ids: Sequence[str]) -> dict[str, RatingChange]:
    """What these tables did to a person's rating."""
    asked = select(schema.rating_changes).where(_changes.person_id == person_id, _changes.table_id.in_(ids))
    return {
        row.table_id: RatingChange(
            row.table_id, row.at, Rating(row.mu_before, row.sigma_before), Rating(row.mu, row.sigma)
        )
        for row in connection.execute(asked)
    }


def best(connection: Connection, game: str, limit: int) -> tuple[list[Ranked], int]:
    """The best rated people at a game, and how many are rated."""
    people = schema.people.c
    asked = (
        select(people.id, people.name, _ratings.mu, _ratings.sigma, _ratings.games)
        .join(schema.ratings, _ratings.person_id == people.id)
        .where(_ratings.game == game)
        .order_by((_ratings.mu - 3 * _ratings.sigma).desc(), people.id)
        .limit(limit)
    )
    found = [
        Ranked(row.id, row.name, Rating(row.mu, row.sigma, row.games)) for row in connection.execute(asked)
    ]
    count = connection.scalar(select(func.count()).where(_ratings.game == game))
    return found, count or 0
