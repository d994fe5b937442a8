"""People in the database: names, the hashes of their tokens and passwords, and links to seats."""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence

from msgspec import Struct
from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from laguna.server.storage import schema
from laguna.server.storage.errors import AccountTaken
from laguna.table.entries import Milliseconds, Person

_AT_ONCE = 1000  # tokens in one statement


class Token(Struct, frozen=True):
    """A token that exists here."""

    person: Person
    used: Milliseconds  # when it was last used, as far as recorded


class Account(Struct, frozen=True):
    """A person who can come back with a password."""

    person: Person
    account: str
    password_hash: str

    def __repr__(self) -> str:
        return f"Account({self.account!r})"


def _now() -> int:
    return time.time_ns() // 1_000_000


def new_person(connection: Connection, token_hash: bytes, name: str) -> Person:
    person = Person(secrets.token_urlsafe(16), name)
    connection.execute(insert(schema.people).values(id=person.id, name=name, created=_now()))
    add_token(connection, person.id, token_hash)
    return person


def token(connection: Connection, token_hash: bytes) -> Token | None:
    people, tokens = schema.people.c, schema.tokens.c
    row = connection.execute(
        select(people.id, people.name, tokens.created, tokens.used)
        .join(schema.tokens)
        .where(tokens.hash == token_hash)
    ).first()
    return None if row is None else Token(Person(row.id, row.name), max(row.created, row.used))


def rename(connection: Connection, person_id: str, name: str) -> None:
    connection.execute(update(schema.people).where(schema.people.c.id == person_id).values(name=name))


def add_token(connection: Connection, person_id: str, token_hash: bytes) -> None:
    now = _now()
    row = insert(schema.tokens).values(hash=token_hash, person_id=person_id, created=now, used=now)
    connection.execute(row)


def drop_token(connection: Connection, token_hash: bytes) -> None:
    connection.execute(delete(schema.tokens).where(schema.tokens.c.hash == token_hash))


def drop_tokens_of(connection: Connection, person_id: str) -> None:
    connection.execute(delete(schema.tokens).where(schema.tokens.c.person_id == person_id))


def drop_unused_tokens(connection: Connection, since: Milliseconds) -> None:
    tokens = schema.tokens.c
    connection.execute(delete(schema.tokens).where(tokens.used < since, tokens.created < since))


def note_use(connection: Connection, hashes: Sequence[bytes], before: Milliseconds) -> None:
    tokens = schema.tokens.c
    for some in _batches(hashes):
        due = update(schema.tokens).where(tokens.hash.in_(some), tokens.used < before)
        connection.execute(due.values(used=_now()))


def known_tokens(connection: Connection, hashes: Sequence[bytes]) -> set[bytes]:
    tokens = schema.tokens.c
    return {
        row.hash
        for some in _batches(hashes)
        for row in connection.execute(select(tokens.hash).where(tokens.hash.in_(some)))
    }


def _batches(hashes: Sequence[bytes]) -> list[Sequence[bytes]]:
    return [hashes[first : first + _AT_ONCE] for first in range(0, len(hashes), _AT_ONCE)]


def make_account(
    connection: Connection, person_id: str, account: str, password_hash: str, token_hash: bytes
) -> None:
    accounts = schema.accounts
    has = connection.scalar(select(accounts.c.account).where(accounts.c.person_id == person_id))
    if has is not None:
        raise AccountTaken("has-account", f"You already have an account: {has}.", account=has)
    try:
        connection.execute(
            insert(accounts).values(
                key=account.lower(), account=account, person_id=person_id, password_hash=password_hash
            )
        )
    except IntegrityError:
        raise AccountTaken("account-taken", f"The account {account} is taken.", account=account) from None
    _replace_tokens(connection, person_id, token_hash)


def change_password(connection: Connection, person_id: str, password_hash: str, token_hash: bytes) -> None:
    accounts = schema.accounts
    connection.execute(
        update(accounts).where(accounts.c.person_id == person_id).values(password_hash=password_hash)
    )
    _replace_tokens(connection, person_id, token_hash)


def _replace_tokens(connection: Connection, person_id: str, token_hash: bytes) -> None:
    """Make this the person's only token."""
    drop_tokens_of(connection, person_id)
    add_token(connection, person_id, token_hash)


def account(connection: Connection, name: str) -> Account | None:
    people, accounts = schema.people.c, schema.accounts.c
    row = connection.execute(
        select(people.id, people.name, accounts.account, accounts.password_hash)
        .join(schema.accounts)
        .where(accounts.key == name.lower())
    ).first()
    return None if row is None else Account(Person(row.id, row.name), row.account, row.password_hash)


def account_of(connection: Connection, person_id: str) -> str | None:
    accounts = schema.accounts.c
    return connection.scalar(select(accounts.account).where(accounts.person_id == person_id))


def known_since(connection: Connection, person_id: str) -> Milliseconds | None:
    return connection.scalar(select(schema.people.c.created).where(schema.people.c.id == person_id))


def add_link(connection: Connection, link_hash: bytes, table_id: str, seat: int) -> None:
    connection.execute(insert(schema.links).values(hash=link_hash, table_id=table_id, seat=seat))


def link(connection: Connection, link_hash: bytes) -> tuple[str, int] | None:
    links = schema.links.c
    row = connection.execute(select(links.table_id, links.seat).where(links.hash == link_hash)).first()
    return None if row is None else (row.table_id, row.seat)


def revoke_links(connection: Connection, table_id: str, seat: int) -> None:
    links = schema.links.c
    connection.execute(delete(schema.links).where(links.table_id == table_id, links.seat == seat))
