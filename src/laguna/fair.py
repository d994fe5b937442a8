"""Provably fair dealing for live games: nobody can choose the deal, the operator of the server included.

All randomness of a live game follows from 256 secret bits of the server and a share of 256 bits of each
player. The SHA-256 of the secret is published when the table opens, that of each share (its seal) when its
player sits down. Only when all that is fixed are the shares opened; the secret is published when the game is
over. The actions form a hash chain that begins with the deal. docs/fair.md describes every step, and what it
proves.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta, Struct

from laguna.errors import BadOption
from laguna.kernel.chance import key_stream

SECRET_BYTES = 32
SOMEONE = "Someone"  # stands on a seat for a person whose name was deleted
Digest = Annotated[str, Meta(pattern="^[0-9a-f]{64}$(?!\n)")]  # $ alone would allow a newline after it


class Deal(Struct, frozen=True, forbid_unknown_fields=True):
    """What a deal follows from besides the secret, the game and its options; one item for each seat.

    A seat has a seal if its player's client gave one. It has a share if that was opened, or if a bot sits
    there: a bot's share follows from the secret.
    """

    table: Annotated[str, Meta(max_length=40)]
    names: list[Digest]  # the marks of the names on the seats
    seals: list[Digest | None]
    shares: list[Digest | None]


# ------------------------------------------------------------------ secrets, shares and seals


def new_secret() -> bytes:
    """A secret for one game, or a player's share of one."""
    return secrets.token_bytes(SECRET_BYTES)


def commitment(secret: bytes) -> str:
    """What is published in advance: the SHA-256 of the secret, in hexadecimal."""
    return hashlib.sha256(secret).hexdigest()


def seal_of(share: bytes) -> str:
    """What a player publishes in advance of a share."""
    return hashlib.sha256(b"laguna share" + share).hexdigest()


def bot_share(secret: bytes, table: str, seat: int) -> bytes:
    """The share of a bot: like everything else of it, committed to with the secret."""
    return _keyed(secret, "laguna bot", table, str(seat))


def name_mark(secret: bytes, seat: int, name: str) -> str:
    """What stands for the name on a seat: a deal follows from it even after the name was deleted."""
    return _keyed(secret, "laguna name", str(seat), name).hex()


# ------------------------------------------------------------------ the deal


def terms(
    secret: bytes,
    deal: Deal,
    game: str,
    rules: int,
    options: Mapping[str, int | str],
    start: Mapping[str, Any] | None,
) -> bytes:
    """All that is fixed before the shares are opened, in one digest; it tells nothing without the secret."""
    chosen = [text for name in sorted(options) for text in (name, str(options[name]))]
    begins = "" if start is None else _canonical(start)
    seats = [text for mark, seal in zip(deal.names, deal.seals, strict=True) for text in (mark, seal or "")]
    fixed = [deal.table, game, str(rules), str(len(options)), *chosen, begins, str(len(deal.names)), *seats]
    return _keyed(secret, "laguna terms", *fixed)


def deal_key(secret: bytes, terms: bytes, shares: Sequence[str | None]) -> bytes:
    """What takes the place of the secret in dealing: it follows from the secret and from all shares."""
    return _keyed(secret, "laguna deal", terms, *_opened(shares))


def _opened(shares: Sequence[str | None]) -> list[bytes]:
    return [bytes.fromhex(share or "") for share in shares]


def key_streams(streams: Any, secret: bytes, label: bytes = b"laguna stream") -> None:
    """Give every random stream of a record (one per deck) its own key, derived from the secret."""
    if len(secret) != SECRET_BYTES:
        raise BadOption("secret", f"A secret must have {SECRET_BYTES} bytes, not {len(secret)}.")
    for number, stream in enumerate(streams):
        key_stream(stream, hmac.digest(secret, b"%s %d" % (label, number), "sha256")[:16])


# ------------------------------------------------------------------ the chain of actions


def first_head(secret: bytes, terms: bytes, shares: Sequence[str | None]) -> str:
    """The head of the chain before the first action."""
    return _keyed(secret, "laguna head", terms, *_opened(shares)).hex()


def next_head(secret: bytes, head: str, action: str) -> str:
    """The head after one more action. The secret is the key, so that no head betrays a secret action."""
    return hmac.digest(secret, b"laguna action" + bytes.fromhex(head) + action.encode(), "sha256").hex()


def heads(secret: bytes, first: str, actions: Iterable[str]) -> list[str]:
    """The heads of the chain: the first one, then the one after each action."""
    chain = [first]
    for action in actions:
        chain.append(next_head(secret, chain[-1], action))
    return chain


# ------------------------------------------------------------------ encoding


def _keyed(secret: bytes, *parts: str | bytes) -> bytes:
    """HMAC-SHA-256 of the parts, each preceded by its length, so that no two lists of parts are alike."""
    encoded = (part.encode() if isinstance(part, str) else part for part in parts)
    return hmac.digest(secret, b"".join(b"%d:%b" % (len(part), part) for part in encoded), "sha256")


def _canonical(document: Mapping[str, Any]) -> str:
    """The same text for the same document."""
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
