"""People in the database: names, the hashes of their tokens and passwords, and links to seats.

The times of a token's ends are arguments: which tokens still count is up to `people/sessions.py`.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence

from msgspec import Struct
from sqlalchemy import ColumnElement, Connection, and_, case, delete, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from laguna.server.storage import schema
from laguna.server.storage.errors import AccountTaken
from laguna.table.entries import Milliseconds, Person

_AT_ONCE = 1000  # tokens in one statement


class Agent(Struct, frozen=True):
    """What a token was made for, in the words of `people/agents.py`; None where that is not known."""

    client: str | None = None
    system: str | None = None


UNKNOWN = Agent()


class Token(Struct, frozen=True):
    """A token that exists here."""

    person: Person
    created: Milliseconds
    used: Milliseconds  # when it was last used, as far as recorded
    account: bool  # the person has one


class Session(Struct, frozen=True):
    """One of a person's tokens."""

    hash: bytes
    created: Milliseconds
    used: Milliseconds
    agent: Agent


class Account(Struct, frozen=True):
    """A person who can come back with a password."""

    person: Person
    account: str
    password_hash: str
    one_time_until: Milliseconds | None = None  # set if the password is the operator's, to be used once

    def __repr__(self) -> str:
        return f"Account({self.account!r})"


class AccountRow(Struct, frozen=True):
    """An account in the operator's list."""

    account: str
    person: Person
    since: Milliseconds
    used: Milliseconds | None  # when one of its tokens was last used, as far as recorded
    sessions: int  # that still count
    one_time_until: Milliseconds | None


def _now() -> int:
    return time.time_ns() // 1_000_000


def new_person(connection: Connection, token_hash: bytes, name: str, agent: Agent = UNKNOWN) -> Person:
    person = Person(secrets.token_urlsafe(16), name)
    connection.execute(insert(schema.people).values(id=person.id, name=name, created=_now()))
    add_token(connection, person.id, token_hash, agent)
    return person


def token(connection: Connection, token_hash: bytes) -> Token | None:
    people, tokens, accounts = schema.people.c, schema.tokens.c, schema.accounts.c
    row = connection.execute(
        select(people.id, people.name, tokens.created, tokens.used, accounts.key)
        .join(schema.tokens)
        .outerjoin(schema.accounts)
        .where(tokens.hash == token_hash)
    ).first()
    if row is None:
        return None
    return Token(Person(row.id, row.name), row.created, max(row.created, row.used), row.key is not None)


def rename(connection: Connection, person_id: str, name: str) -> None:
    connection.execute(update(schema.people).where(schema.people.c.id == person_id).values(name=name))


def add_token(connection: Connection, person_id: str, token_hash: bytes, agent: Agent = UNKNOWN) -> None:
    now = _now()
    connection.execute(
        insert(schema.tokens).values(
            hash=token_hash,
            person_id=person_id,
            created=now,
            used=now,
            client=agent.client,
            system=agent.system,
        )
    )


def sessions_of(
    connection: Connection, person_id: str, used_since: Milliseconds, made_since: Milliseconds
) -> list[Session]:
    """The person's tokens that still count, the latest used first."""
    tokens = schema.tokens.c
    found = connection.execute(
        select(tokens.hash, tokens.created, tokens.used, tokens.client, tokens.system)
        .outerjoin_from(schema.tokens, schema.accounts, _OF_ACCOUNT)
        .where(tokens.person_id == person_id, _counts(used_since, made_since))
        .order_by(tokens.used.desc(), tokens.created.desc(), tokens.hash)
    )
    return [
        Session(bytes(row.hash), row.created, max(row.created, row.used), Agent(row.client, row.system))
        for row in found
    ]


_OF_ACCOUNT = schema.tokens.c.person_id == schema.accounts.c.person_id


def _counts(used_since: Milliseconds, made_since: Milliseconds) -> ColumnElement[bool]:
    """The token was used since then and, if it is of an account, was made since then."""
    tokens = schema.tokens.c
    used = or_(tokens.used >= used_since, tokens.created >= used_since)
    return and_(used, or_(schema.accounts.c.key.is_(None), tokens.created >= made_since))


def drop_token(connection: Connection, token_hash: bytes) -> None:
    connection.execute(delete(schema.tokens).where(schema.tokens.c.hash == token_hash))


def drop_tokens_of(connection: Connection, person_id: str, but: bytes | None = None) -> int:
    """Delete the person's tokens, all or all but that one; how many there were."""
    tokens = schema.tokens.c
    these = delete(schema.tokens).where(tokens.person_id == person_id)
    return connection.execute(these if but is None else these.where(tokens.hash != but)).rowcount


def drop_all_tokens(connection: Connection, guests: bool) -> int:
    """Delete the tokens of all accounts, and those of guests too if wanted; how many there were."""
    of_accounts = schema.tokens.c.person_id.in_(select(schema.accounts.c.person_id))
    all_tokens = delete(schema.tokens)
    return connection.execute(all_tokens if guests else all_tokens.where(of_accounts)).rowcount


def drop_unused_tokens(connection: Connection, since: Milliseconds) -> None:
    tokens = schema.tokens.c
    connection.execute(delete(schema.tokens).where(tokens.used < since, tokens.created < since))


def note_use(connection: Connection, hashes: Sequence[bytes], before: Milliseconds) -> None:
    tokens = schema.tokens.c
    for some in _batches(hashes):
        due = update(schema.tokens).where(tokens.hash.in_(some), tokens.used < before)
        connection.execute(due.values(used=_now()))


def known_tokens(connection: Connection, hashes: Sequence[bytes], made_since: Milliseconds = 0) -> set[bytes]:
    """Which of these tokens still exist; those of accounts only if they were made since then."""
    asked = (
        select(schema.tokens.c.hash)
        .outerjoin_from(schema.tokens, schema.accounts, _OF_ACCOUNT)
        .where(_counts(0, made_since))
    )
    return {
        row.hash
        for some in _batches(hashes)
        for row in connection.execute(asked.where(schema.tokens.c.hash.in_(some)))
    }


def _batches(hashes: Sequence[bytes]) -> list[Sequence[bytes]]:
    return [hashes[first : first + _AT_ONCE] for first in range(0, len(hashes), _AT_ONCE)]


def make_account(
    connection: Connection,
    person_id: str,
    account: str,
    password_hash: str,
    token_hash: bytes,
    agent: Agent = UNKNOWN,
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
    _replace_tokens(connection, person_id, token_hash, agent)


def change_password(
    connection: Connection,
    person_id: str,
    password_hash: str,
    token_hash: bytes,
    agent: Agent = UNKNOWN,
    before: str | None = None,
) -> bool:
    """False, changing nothing, if `before` is given and is no longer the password's hash."""
    accounts = schema.accounts
    this = update(accounts).where(accounts.c.person_id == person_id)
    if before is not None:
        this = this.where(accounts.c.password_hash == before)
    if not connection.execute(this.values(password_hash=password_hash, one_time_until=None)).rowcount:
        return False
    _replace_tokens(connection, person_id, token_hash, agent)
    return True


def log_in(connection: Connection, account: Account, token_hash: bytes, agent: Agent) -> bool:
    """False, adding no token, if the password was changed since the account was read."""
    accounts = schema.accounts.c
    same = select(accounts.key).where(
        accounts.person_id == account.person.id, accounts.password_hash == account.password_hash
    )
    if connection.scalar(same.with_for_update()) is None:
        return False
    add_token(connection, account.person.id, token_hash, agent)
    return True


def set_one_time_password(
    connection: Connection, person_id: str, password_hash: str, until: Milliseconds
) -> int:
    """Set a password to be replaced until then, and delete the person's tokens; how many there were."""
    accounts = schema.accounts
    connection.execute(
        update(accounts)
        .where(accounts.c.person_id == person_id)
        .values(password_hash=password_hash, one_time_until=until)
    )
    return drop_tokens_of(connection, person_id)


def _replace_tokens(connection: Connection, person_id: str, token_hash: bytes, agent: Agent) -> None:
    """Make this the person's only token."""
    drop_tokens_of(connection, person_id)
    add_token(connection, person_id, token_hash, agent)


def account(connection: Connection, name: str) -> Account | None:
    people, accounts = schema.people.c, schema.accounts.c
    row = connection.execute(
        select(people.id, people.name, accounts.account, accounts.password_hash, accounts.one_time_until)
        .join(schema.accounts)
        .where(accounts.key == name.lower())
    ).first()
    if row is None:
        return None
    return Account(Person(row.id, row.name), row.account, row.password_hash, row.one_time_until)


def accounts(
    connection: Connection, containing: str, used_since: Milliseconds, made_since: Milliseconds
) -> list[AccountRow]:
    """The accounts with this in their name, or in the name of the person, in order of the account."""
    people, tokens, found = schema.people.c, schema.tokens.c, schema.accounts.c
    rows = connection.execute(
        select(
            found.account,
            people.id,
            people.name,
            people.created,
            func.max(tokens.used).label("used"),
            func.count(case((_counts(used_since, made_since), tokens.hash))).label("sessions"),
            found.one_time_until,
        )
        .join_from(schema.accounts, schema.people)
        .outerjoin(schema.tokens, tokens.person_id == people.id)
        .where(
            or_(
                found.key.icontains(containing, autoescape=True),
                people.name.icontains(containing, autoescape=True),
            )
        )
        .group_by(found.key, people.id)
        .order_by(found.key)
    )
    return [
        AccountRow(
            row.account, Person(row.id, row.name), row.created, row.used, row.sessions, row.one_time_until
        )
        for row in rows
    ]


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
