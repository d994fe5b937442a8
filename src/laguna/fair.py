"""Provably fair dealing for live games: a secret, committed to before the first card and shown at the end.

All randomness of a live game comes from 256 secret bits. Their SHA-256 is published when the table opens, so
they cannot be changed later; the bits are published when the game is over, so anyone can deal it again.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Any

from laguna.errors import BadOption
from laguna.kernel.chance import key_stream

SECRET_BYTES = 32


def new_secret() -> bytes:
    """A secret for one game."""
    return secrets.token_bytes(SECRET_BYTES)


def commitment(secret: bytes) -> str:
    """What is published in advance: the SHA-256 of the secret, in hexadecimal."""
    return hashlib.sha256(secret).hexdigest()


def key_streams(streams: Any, secret: bytes, label: bytes = b"laguna stream") -> None:
    """Give every random stream of a record (one per deck) its own key, derived from the secret."""
    if len(secret) != SECRET_BYTES:
        raise BadOption("secret", f"A secret must have {SECRET_BYTES} bytes, not {len(secret)}.")
    for number, stream in enumerate(streams):
        key_stream(stream, hmac.digest(secret, b"%s %d" % (label, number), "sha256")[:16])
