"""Identity: guests with a token, people with an account and a password, and anyone who opens a seat link.

Tokens and links are 256 random bits, of which only the SHA-256 is stored: reading the database does not let
anyone impersonate a person, and the time it takes to look up a hash reveals nothing. Unused tokens expire;
those of accounts end after some time in any case.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import unicodedata
from base64 import urlsafe_b64encode
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import argon2
from starlette.requests import HTTPConnection
from starlette.responses import Response

from laguna.errors import BadOption
from laguna.messages import Credentials, Device, LogIn, Me, NewPassword
from laguna.server.logs import get_log
from laguna.server.network.guard import address_of, bearer, is_https
from laguna.server.network.http_errors import Denied
from laguna.server.network.rate_limits import RateLimits, neighborhood
from laguna.server.people.agents import agent_of
from laguna.server.people.passwords import check_new
from laguna.server.people.sessions import Lifetime, now
from laguna.server.settings import ServerSettings
from laguna.server.storage import Account, Agent, Session, Storage
from laguna.table.entries import Milliseconds, Person

log = get_log("identity")

T = TypeVar("T")

COOKIE = "laguna"
SECURE_COOKIE = "__Host-laguna"  # over https: no other host, and no page without TLS, can set it
MAX_COOKIE_DAYS = 400  # browsers keep no cookie longer
MAX_TOKEN = 100  # characters
WRONG = "Wrong account name or password."
MAX_DEVICES = 100  # in a list
NOBODY = Person("nobody", "Nobody")  # a spectator without an identity

# Islands of the lagoon: the same in every language.
ISLANDS = (
    *("Burano", "Certosa", "Chioggia", "Giudecca", "Lido", "Mazzorbo", "Murano"),
    *("Pellestrina", "Poveglia", "Torcello", "Tronchetto", "Vignole"),
)

# About 60 ms and 32 MiB per password; two at a time, so that a flood of them does not exhaust the machine.
HASHER = argon2.PasswordHasher(time_cost=3, memory_cost=32_768, parallelism=1)
AT_ONCE = 2
# The hash of a random password that nobody knows: checked when there is no account, to take just as long.
NOBODYS_HASH = (
    "$argon2id$v=19$m=32768,t=3,p=1$f7btcx81t7S/bMGR06aYNQ$rKQSfIvZZyM0yMj+5FNKJUue0dv8K/ihSh7V7LX3fTg"
)


def new_token() -> str:
    return secrets.token_urlsafe(32)


def hash_of(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


def device_id(token_hash: bytes) -> str:
    """What a token is called in lists: it leads back to neither the token nor its hash."""
    return urlsafe_b64encode(hashlib.sha256(b"device" + token_hash).digest()[:12]).decode()


def guest_name() -> str:
    """An initial name, such as Murano 417."""
    return f"{secrets.choice(ISLANDS)} {secrets.randbelow(900) + 100}"


# Printable by category, yet invisible: fillers, joiners, an empty braille cell, a null notehead.
BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\U0001d159")


def tidy_name(name: str) -> str:
    """A name in its stored form: one line, no extra spaces, nothing invisible."""
    tidy = " ".join(unicodedata.normalize("NFC", name).split())
    if not 0 < len(tidy) <= 40 or not _can_be_seen(tidy):
        raise BadOption("name", "A name needs 1 to 40 visible characters.")
    return tidy


def _can_be_seen(name: str) -> bool:
    """Every visible character; accents and variation selectors only after a base character."""
    begins_with_mark = unicodedata.category(name[0]).startswith("M")
    return name.isprintable() and BLANK.isdisjoint(name) and not begins_with_mark


class SessionEnded(Denied):
    """An account's token that is too old: its owner has to log in again."""

    def __init__(self, days: int) -> None:
        sentence = f"You logged in here {days} days ago or earlier: log in again."
        super().__init__("session-ended", sentence, days=days)


class Identity:
    """Identifies people, for HTTP and for the socket."""

    def __init__(self, settings: ServerSettings, storage: Storage, rates: RateLimits) -> None:
        self._settings = settings
        self._storage = storage
        self._rates = rates
        self._threads = ThreadPoolExecutor(AT_ONCE, "laguna-passwords")
        self._lifetime = Lifetime(settings.token_days, settings.session_days)

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)

    # -------------------------------------------------------------- who asks

    def token_of(self, asked: HTTPConnection) -> str | None:
        """The token from a program's header, or else from a browser's cookie.

        The guard checks that the cookie comes with our own page.
        """
        cookie = asked.cookies.get(SECURE_COOKIE if is_https(asked.scope, self._settings) else COOKIE)
        token = bearer(asked.headers) or cookie
        return token if token and len(token) <= MAX_TOKEN else None

    async def known(self, asked: HTTPConnection) -> Person | None:
        """The person making the request, or None; raises Denied if a program sends an invalid token."""
        try:
            return (await self._known(asked))[0]
        except SessionEnded:
            if bearer(asked.headers):
                raise
            return None

    async def _known(self, asked: HTTPConnection) -> tuple[Person | None, bool]:
        """The person, and whether this use should renew the token, which is recorded only now and then.

        Raises Denied if a program sends an invalid token, and SessionEnded if a token is too old.
        """
        token = self.token_of(asked)
        found = await self._storage.token(hash_of(token)) if token else None
        if token is None or found is None or found.used < self._lifetime.expired_before():
            if bearer(asked.headers):
                raise Denied("who", "This token is not valid, or no longer valid.")
            return None, False
        if found.account and found.created < self._lifetime.ended_before():
            raise SessionEnded(self._settings.session_days)
        if asked.scope["type"] == "http":
            self._rates.allow("request", found.person.id, None)
        noted_before = self._lifetime.noted_before()
        due = found.used < noted_before
        if due:
            await self._storage.note_use([hash_of(token)], noted_before)
        return found.person, due

    async def somebody(self, asked: HTTPConnection) -> Person:
        """The person making the request; raises Denied if unknown."""
        person, _ = await self._known(asked)
        if person is None:
            raise Denied("who", "You are not identified: open the page first, or send a token.")
        return person

    async def at_socket(self, asked: HTTPConnection) -> tuple[Person, bytes]:
        """The person opening a socket, and the hash of its token; raises Denied if unknown."""
        person = await self.somebody(asked)
        return person, hash_of(self.token_of(asked) or "")

    async def guest(self, address: str, agent: Agent) -> tuple[Person, str]:
        """A new guest, and the token that identifies them."""
        self._rates.allow("guest", None, address)
        token = new_token()
        return await self._storage.new_person(hash_of(token), guest_name(), agent), token

    async def me(self, asked: HTTPConnection) -> tuple[Me, str | None]:
        """The person, a new guest if unknown; and the token, if the browser needs a cookie (again)."""
        ended = False
        try:
            person, renewed = await self._known(asked)
            token = self.token_of(asked) if renewed and not bearer(asked.headers) else None
        except SessionEnded:
            if bearer(asked.headers):
                raise
            person, ended = None, True
        if person is None:
            person, token = await self.guest(address_of(asked.scope), agent_of(asked))
        return await self.tell(person, ended), token

    def give(self, asked: HTTPConnection, answer: Response, token: str | None) -> None:
        """Put a token into the browser's cookie; None deletes the cookie."""
        https = is_https(asked.scope, self._settings)
        answer.set_cookie(
            SECURE_COOKIE if https else COOKIE,
            token or "",
            max_age=min(self._settings.token_days, MAX_COOKIE_DAYS) * 86_400 if token else 0,
            path="/",
            secure=https,
            httponly=True,
            samesite="lax",
        )

    async def tell(self, person: Person, session_ended: bool = False) -> Me:
        return Me(person.name, await self._storage.account_of(person.id), session_ended)

    async def rename(self, person: Person, name: str) -> Person:
        renamed = Person(person.id, tidy_name(name))
        await self._storage.rename(person.id, renamed.name)
        return renamed

    # -------------------------------------------------------------- accounts

    async def make_account(self, person: Person, given: Credentials, address: str, agent: Agent) -> str:
        """Turn a guest into an account; returns the token that replaces the guest's, which becomes invalid.

        Raises AccountTaken if someone else has the account.
        """
        self._allow_password(given.account, address)
        await self._in_thread(check_new, given.password, given.account)
        hashed = await self._in_thread(HASHER.hash, given.password)
        token = new_token()
        await self._storage.make_account(person.id, given.account, hashed, hash_of(token), agent)
        log.info("account made", person=person.id, address=address)
        return token

    async def change_password(
        self, person: Person, given: NewPassword, address: str, agent: Agent
    ) -> tuple[str, str]:
        """Change the password; returns the account and a new token, and all old tokens become invalid."""
        account = await self._account(person)
        if account is None:
            raise Denied("no-account", "A guest has no password; create an account first.")
        await self._check_password(account, given.current, address)
        token = await self._set_password(account, given.new, agent)
        log.info("password changed", person=person.id, address=address)
        return account.account, token

    async def _set_password(self, account: Account, new: str, agent: Agent) -> str:
        """Replace the password that was just checked; returns a new token, and all old ones are void."""
        await self._in_thread(check_new, new, account.account)
        hashed = await self._in_thread(HASHER.hash, new)
        token = new_token()
        before = account.password_hash
        if not await self._storage.change_password(account.person.id, hashed, hash_of(token), agent, before):
            raise Denied("wrong-password", WRONG)  # somebody else was faster
        return token

    async def confirm(self, person: Person, password: str | None, address: str) -> None:
        """Raises Denied unless this is the account's password; a guest has none to give."""
        account = await self._account(person)
        if account is not None:
            await self._check_password(account, password or "", address)

    async def _account(self, person: Person) -> Account | None:
        name = await self._storage.account_of(person.id)
        return await self._storage.account(name) if name else None

    async def _check_password(self, account: Account, password: str, address: str) -> None:
        self._allow_password(account.account, address)
        if not await self._in_thread(_fits, account.password_hash, password):
            log.warning("current password refused", person=account.person.id, address=address)
            raise Denied("current-password", "That is not your current password.")

    async def log_in(self, given: LogIn, address: str, agent: Agent) -> tuple[Person, str]:
        """The person of an account, and a token for this device. A missing account takes just as long.

        A password of the operator's gives no token: it is replaced by a new one in the same request.
        """
        self._allow_password(given.account, address)
        account = await self._storage.account(given.account)
        hashed = account.password_hash if account else NOBODYS_HASH
        if not await self._in_thread(_fits, hashed, given.password) or account is None:
            log.warning("log-in refused", person=account.person.id if account else None, address=address)
            raise Denied("wrong-password", WRONG)
        if account.one_time_until is not None:
            token = await self._replace_one_time(account, account.one_time_until, given.new, agent)
        elif given.new is not None:
            sentence = "Your password is not a one-time password: log in with it, then change it."
            raise Denied("not-one-time", sentence)
        else:
            token = new_token()
            if not await self._storage.log_in(account, hash_of(token), agent):
                raise Denied("wrong-password", WRONG)  # it was changed meanwhile
        log.info("logged in", person=account.person.id, address=address)
        return account.person, token

    async def _replace_one_time(
        self, account: Account, until: Milliseconds, new: str | None, agent: Agent
    ) -> str:
        if now() >= until:
            raise Denied("one-time-over", "This one-time password is too old: ask for another one.")
        if new is None:
            sentence = "This is a one-time password: send it again, with a new password of your own."
            raise Denied("one-time-password", sentence)
        if await self._in_thread(_fits, account.password_hash, new):
            raise BadOption("same-password", "Choose a password of your own, not the one-time password.")
        token = await self._set_password(account, new, agent)
        log.info("one-time password replaced", person=account.person.id)
        return token

    async def log_out(self, asked: HTTPConnection) -> None:
        """Delete this device's token."""
        if token := self.token_of(asked):
            await self._storage.drop_token(hash_of(token))

    async def devices(self, person: Person, asked: HTTPConnection) -> list[Device]:
        """Where the person is logged in: this device first, then the latest used."""
        mine = hash_of(self.token_of(asked) or "")
        found = sorted(await self._sessions(person), key=lambda each: each.hash != mine)
        return [_device(each, each.hash == mine) for each in found[:MAX_DEVICES]]

    async def end_device(self, person: Person, device: str) -> None:
        """Delete the token of one of the person's devices."""
        for each in await self._sessions(person):
            if device_id(each.hash) == device:
                await self._storage.drop_token(each.hash)
                log.info("device logged out", person=person.id)
                return
        raise Denied("no-device", "You are not logged in there, or no longer.")

    async def end_other_devices(self, person: Person, asked: HTTPConnection) -> None:
        """Delete all of the person's tokens but the one of this request."""
        await self._storage.drop_tokens_of(person.id, but=hash_of(self.token_of(asked) or ""))
        log.info("other devices logged out", person=person.id)

    async def _sessions(self, person: Person) -> list[Session]:
        lifetime = self._lifetime
        return await self._storage.sessions_of(person.id, lifetime.expired_before(), lifetime.ended_before())

    async def log_out_everywhere(self, person: Person) -> None:
        """Delete all of the person's tokens."""
        await self._storage.drop_tokens_of(person.id)
        log.info("logged out everywhere", person=person.id)

    def _allow_password(self, account: str, address: str) -> None:
        """An attacker hits the limit of their address long before the account hits its own."""
        self._rates.allow("password", f"{account.lower()} {neighborhood(address)}", address)
        self._rates.allow("account", account.lower(), None)

    async def _in_thread(self, work: Callable[..., T], *arguments: str) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work, *arguments)

    # -------------------------------------------------------------- links to seats

    async def new_link(self, table: str, seat: int, base: str) -> str:
        """A link that gives the seat; browsers do not send the part after the # to any server."""
        token = new_token()
        await self._storage.add_link(hash_of(token), table, seat)
        return f"{self._settings.public_url or base}/#link={token}"

    async def linked(self, link: str) -> tuple[str, int]:
        """The table and the seat of a link."""
        found = await self._storage.link(hash_of(link.rpartition("#link=")[2].strip()))
        if found is None:
            raise Denied("no-link", "This link does not lead to a seat, or no longer does.")
        return found


def _device(session: Session, this: bool) -> Device:
    agent = session.agent
    return Device(device_id(session.hash), session.created, session.used, this, agent.client, agent.system)


def _fits(hashed: str, password: str) -> bool:
    try:
        return HASHER.verify(hashed, password)
    except (argon2.exceptions.VerificationError, argon2.exceptions.InvalidHashError):
        return False
