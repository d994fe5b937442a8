"""`laguna accounts`: what an operator does about accounts, directly in the database.

Servers may be running: they look a token up at each request, and close the sockets of those that are gone
within a minute.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import sys
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer
from rich.console import Console
from rich.table import Table

from laguna.cli.serving import Config, Database, Setting, settings_from
from laguna.errors import BadOption

if TYPE_CHECKING:
    from laguna.server.settings import ServerSettings
    from laguna.server.storage import Account, AccountRow, Session, Storage
    from laguna.table.entries import Milliseconds

T = TypeVar("T")

commands = typer.Typer(
    help="Accounts, for the operator of a server: list them, end their sessions, set a one-time password.",
    no_args_is_help=True,
)
out = Console(markup=False, highlight=False)

ONE_TIME_DAYS = 3  # that a one-time password lasts
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none looks like another
GROUPS, GROUP = 4, 4  # 79 bits

Name = Annotated[str, typer.Argument(metavar="ACCOUNT", help="The account's name, in any mix of case.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")]
AsJson = Annotated[bool, typer.Option("--json", help="JSON instead of a table.")]


@commands.command("list")
def list_accounts(
    search: Annotated[str, typer.Option(help="Only accounts or names with this in them.")] = "",
    as_json: AsJson = False,
    database: Database = None,
    config: Config = None,
    setting: Setting = None,
) -> None:
    """List the accounts, with their sessions and when one was last used (to about a day)."""
    settings = settings_from(config, setting, database=database)
    since = _since(settings)
    found = _do(settings, lambda storage: storage.accounts(search, *since))
    if as_json:
        return _print_json([_described(each) for each in found])
    table = Table("account", "name", "since", "last used", "sessions", box=None, header_style="bold")
    for row in found:
        table.add_row(row.account, row.person.name, _day(row.since), _day(row.used), str(row.sessions))
    out.print(table if found else "There are no such accounts." if search else "There are no accounts.")


@commands.command()
def show(
    account: Name,
    as_json: AsJson = False,
    database: Database = None,
    config: Config = None,
    setting: Setting = None,
) -> None:
    """Show one account and where it is logged in."""
    settings = settings_from(config, setting, database=database)
    since = _since(settings)

    async def look(storage: Storage) -> tuple[AccountRow, list[Session]]:
        found = await _account(storage, account)
        like = await storage.accounts(found.account, *since)
        [row] = [each for each in like if each.account == found.account]
        return row, await storage.sessions_of(row.person.id, *since)

    row, sessions = _do(settings, look)
    if as_json:
        return _print_json(_described(row) | {"sessions": [_session(each) for each in sessions]})
    out.print(f"{row.account}: {row.person.name}, here since {_day(row.since)}")
    if row.one_time_until is not None:
        out.print(f"has a one-time password that must be replaced by {_time(row.one_time_until)}")
    table = Table("logged in", "last used", "with", box=None, header_style="bold")
    for each in sessions:
        words = filter(None, (each.agent.client, each.agent.system))
        table.add_row(_day(each.created), _day(each.used), " on ".join(words) or "?")
    out.print(table if sessions else "not logged in anywhere")


@commands.command("end-sessions")
def end_sessions(
    account: Annotated[str | None, typer.Argument(metavar="[ACCOUNT]", help="Whose sessions.")] = None,
    everyone: Annotated[bool, typer.Option("--everyone", help="Of all accounts.")] = False,
    guests: Annotated[
        bool, typer.Option("--guests", help="With --everyone: of guests too, who lose their seats.")
    ] = False,
    yes: Yes = False,
    database: Database = None,
    config: Config = None,
    setting: Setting = None,
) -> None:
    """End all sessions of an account, or of everyone: they have to log in again."""
    if (account is None) != everyone:
        raise BadOption("account", "Name an account, or say --everyone.")
    if guests and not everyone:
        raise BadOption("guests", "--guests goes with --everyone.")
    settings = settings_from(config, setting, database=database)

    async def end(storage: Storage) -> int:
        if account is None:
            what = "all sessions of everyone, guests included" if guests else "all sessions of all accounts"
            _confirm(f"End {what}?", yes)
            return await storage.drop_all_tokens(guests)
        found = await _account(storage, account)
        _confirm(f"End all sessions of {found.account} ({found.person.name})?", yes)
        return await storage.drop_tokens_of(found.person.id)

    out.print(_ended(_do(settings, end)))


@commands.command()
def password(
    account: Name,
    yes: Yes = False,
    database: Database = None,
    config: Config = None,
    setting: Setting = None,
) -> None:
    """Set a random one-time password, for somebody who forgot theirs; all their sessions end.

    It is printed once. Whoever logs in with it has to choose a password of their own at once. Make sure that
    you give it to the person whose account it is.
    """
    settings = settings_from(config, setting, database=database)
    from laguna.server.people.identity import HASHER
    from laguna.server.people.sessions import DAY, now

    chosen = "-".join("".join(secrets.choice(LETTERS) for _ in range(GROUP)) for _ in range(GROUPS))
    until = now() + ONE_TIME_DAYS * DAY

    async def reset(storage: Storage) -> tuple[Account, int]:
        found = await _account(storage, account)
        _confirm(f"Replace the password of {found.account} ({found.person.name})?", yes)
        hashed = HASHER.hash(chosen)
        return found, await storage.set_one_time_password(found.person.id, hashed, until)

    found, ended = _do(settings, reset)
    out.print(f"One-time password of {found.account}, valid until {_time(until)}:\n\n    {chosen}\n")
    out.print(f"It has to be replaced at the first log-in. {_ended(ended)}")


# ------------------------------------------------------------------ how


def _do(settings: ServerSettings, work: Callable[[Storage], Awaitable[T]]) -> T:
    """Do it with the database open."""
    from laguna.server.storage import Storage

    async def opened() -> T:
        storage = Storage(settings.database_url)
        await storage.open()
        try:
            return await work(storage)
        finally:
            await storage.close()

    return asyncio.run(opened())


def _since(settings: ServerSettings) -> tuple[Milliseconds, Milliseconds]:
    """Since when a session must have been used, and begun, to go on."""
    from laguna.server.people.sessions import Lifetime

    lifetime = Lifetime(settings.token_days, settings.session_days)
    return lifetime.expired_before(), lifetime.ended_before()


async def _account(storage: Storage, name: str) -> Account:
    found = await storage.account(name)
    if found is None:
        raise BadOption("no-account", f"There is no account {name!r:.60}; `laguna accounts list` shows all.")
    return found


def _confirm(question: str, yes: bool) -> None:
    if yes:
        return
    if not sys.stdin.isatty():
        raise BadOption("confirm", f"{question} Add --yes: there is no terminal to ask at.")
    if not typer.confirm(question):
        out.print("Nothing was changed.")
        raise typer.Exit(1)


def _ended(count: int) -> str:
    return f"{count:,} {'session' if count == 1 else 'sessions'} ended."


def _described(row: AccountRow) -> dict[str, Any]:
    return {
        "account": row.account,
        "name": row.person.name,
        "since": _iso(row.since),
        "used": _iso(row.used),
        "sessions": row.sessions,
        "one_time_password_until": _iso(row.one_time_until),
    }


def _session(each: Session) -> dict[str, Any]:
    return {
        "created": _iso(each.created),
        "used": _iso(each.used),
        "client": each.agent.client,
        "system": each.agent.system,
    }


def _iso(at: Milliseconds | None) -> str | None:
    return None if at is None else datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="seconds")


def _time(at: Milliseconds) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")


def _day(at: Milliseconds | None) -> str:
    return "?" if at is None else _time(at)[:10]


def _print_json(value: Any) -> None:
    out.print(json.dumps(value, indent=2, ensure_ascii=False), soft_wrap=True)
