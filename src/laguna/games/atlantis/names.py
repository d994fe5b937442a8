"""Atlantis: what items, tiles and places are called."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Annotated, Literal

import msgspec

from laguna.games.atlantis.components import ATLANTIS, ITEM_SHIFT, MAINLAND, VALUE_OF, VALUES

Item = Literal["amphora", "wreath", "olive", "coins", "weapon", "lyre", "sickle"]
Phase = Literal["turn", "chain", "pay", "after", "over"]
Cards = dict[Item, int]  # how many of each item, only those that are there

NAMES: tuple[Item, ...] = ("amphora", "wreath", "olive", "coins", "weapon", "lyre", "sickle")
PHASES: tuple[Phase, ...] = ("turn", "chain", "pay", "after", "over")


class Tile(msgspec.Struct, array_like=True, forbid_unknown_fields=True, frozen=True):
    """A2: a path tile, written as ["lyre", 5]."""

    item: Item
    value: Annotated[int, msgspec.Meta(ge=1, le=VALUES)]

    def __str__(self) -> str:
        return f"{self.item} {self.value}"

    @property
    def code(self) -> int:
        return NAMES.index(self.item) << ITEM_SHIFT | self.value


@cache
def tile_of(code: int) -> Tile:
    """The tile that this number stands for in the rules."""
    return Tile(NAMES[code >> ITEM_SHIFT], code & VALUE_OF)


def tiles_of(counts: list[int]) -> list[Tile]:
    """All tiles, from how many there are of each code: by item, then value."""
    return list(_tiles(tuple(counts)))


@lru_cache(maxsize=1000)  # an action changes one heap of five
def _tiles(counts: tuple[int, ...]) -> list[Tile]:
    return [tile_of(code) for code, count in enumerate(counts) for _ in range(count)]


def cards_of(counts: list[int]) -> Cards:
    """The cards by item, from how many there are of each."""
    return {name: count for name, count in zip(NAMES, counts, strict=True) if count > 0}


def place_name(place: int) -> str:
    return {ATLANTIS: "Atlantis", MAINLAND: "the mainland"}.get(place, f"space {place}")
