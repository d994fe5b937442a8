"""Which new passwords are refused: those that everybody tries first."""

from __future__ import annotations

from functools import cache

from laguna.errors import BadOption
from laguna.games import rulebooks
from laguna.messages import MIN_PASSWORD


def check_new(password: str, account: str) -> None:
    """Raises BadOption for a password known from leaks, or made of the account's name or of our own words."""
    plain = password.lower()
    letters = _letters(plain)
    if plain in _leaked() or (letters and letters in {_letters(account), *_our_words()}):
        raise BadOption(
            "common-password", "That password is among the first that others would try; choose another."
        )


@cache
def _leaked() -> frozenset[str]:
    """The most common passwords of leaks, as long as ours have to be."""
    from zxcvbn.frequency_lists import FREQUENCY_LISTS  # large: only servers with accounts need it

    return frozenset(each for each in FREQUENCY_LISTS["passwords"] if len(each) >= MIN_PASSWORD)


@cache
def _our_words() -> frozenset[str]:
    """The game's name and the games' titles, whole and word by word, with whatever else but letters."""
    titles = [title for book in rulebooks().values() for title in book.meta.titles.values()]
    words = [word for title in titles for word in title.split()]
    return frozenset(filter(None, map(_letters, ["laguna", "password", *titles, *words])))


def _letters(text: str) -> str:
    return "".join(filter(str.isalpha, text.lower()))
