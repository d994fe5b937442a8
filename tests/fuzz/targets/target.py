"""What is fuzzed: a parser, what it is fed at first, and what counts as a failure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from laguna.errors import LagunaError

LONGEST_SENTENCE = 800

Check = Callable[[bytes], None]


class Wrong(AssertionError):
    """The parser did not fail, but what it did is not right."""


@dataclass(frozen=True)
class Target:
    """`prepare` makes the check, which raises whatever should not happen.

    `seeds` are inputs to begin with, real ones; `words` are put into them. `watched` are the modules whose
    branches guide the search.
    """

    name: str
    about: str
    prepare: Callable[[], Check]
    seeds: Callable[[], Sequence[bytes]]
    words: Callable[[], Sequence[bytes]] = tuple
    watched: Sequence[str] = ()
    longest: int = 4096  # bytes of an input


def sentence(error: LagunaError) -> None:
    """Is this a refusal as people may read it?"""
    text = str(error)
    if not text or "\n" in text or len(text) > LONGEST_SENTENCE:
        raise Wrong(f"not a short sentence: {text[:200]!r}") from error
