"""The game file: one readable JSON document. The same game always gives the same bytes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import msgspec

from laguna.errors import BadFile, LagunaError, short
from laguna.fair import SOMEONE, Deal, Digest, bot_share, commitment, name_mark, seal_of
from laguna.game import (
    Game,
    field_and_reason,
    from_position,
    from_position_live,
    seat_list,
    set_up,
    set_up_live,
)
from laguna.games import find

FORMAT = 1
MAX_BYTES = 1_000_000
MAX_ACTIONS = 5_000
MAX_DIGITS = 100  # in a number; Python itself gives up at 4,300
ACTIONS_A_LINE = 10
SUFFIX = ".laguna.json"


Notation = Annotated[str, msgspec.Meta(max_length=40)]


class Result(msgspec.Struct, forbid_unknown_fields=True):
    """How a finished game ended."""

    scores: list[int]
    winners: list[int]


class GameFile(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The fields of a game file, in the order they are written."""

    laguna: int  # the version of this format
    game: str
    rules: int
    players: int
    options: dict[str, int | str]
    seats: list[str]
    seed: int | None  # None for a live game, which is dealt from a secret
    actions: Annotated[list[Notation], msgspec.Meta(max_length=MAX_ACTIONS)]
    result: Result | None
    start: dict[str, Any] | None = None  # the position it started from, if not the setup
    secret: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")] | None = None
    commitment: str | None = None  # to the secret, published when the table opened
    deal: Deal | None = None  # what else the deal followed from; None: from the secret alone
    head: Digest | None = None  # of the hash chain, after the last action


def dumps(game: Game) -> str:
    """The game as the text of a game file."""
    if game.seed is None and game.secret is None:
        raise LagunaError("imagined", "An imagined game has no seed and cannot be saved to a file.")
    result = Result(game.scores, game.winners) if game.over else None
    document = GameFile(
        laguna=FORMAT,
        game=game.meta.id,
        rules=game.meta.rules_version,
        players=game.players,
        options=game.options,
        seats=game.seats,
        seed=game.seed,
        start=None if game.start is None else dict(game.start),
        actions=[str(action) for action in game.actions],
        result=result,
        secret=game.secret.hex() if game.secret else None,
        commitment=commitment(game.secret) if game.secret else None,
        deal=game.deal,
        head=game.heads[-1] if game.deal else None,
    )
    fields = msgspec.to_builtins(document)
    return "{\n" + ",\n".join(f'  "{name}": {_written(value)}' for name, value in fields.items()) + "\n}\n"


def _written(value: Any) -> str:
    """One field; a long list of actions is split into rows."""
    if isinstance(value, list) and len(value) > ACTIONS_A_LINE:
        rows = [value[i : i + ACTIONS_A_LINE] for i in range(0, len(value), ACTIONS_A_LINE)]
        lines = [json.dumps(row, ensure_ascii=False)[1:-1] for row in rows]
        return "[\n    " + ",\n    ".join(lines) + "\n  ]"
    return json.dumps(value, ensure_ascii=False)


def loads(text: str | bytes) -> Game:
    """The game of a game file, replayed action by action; raises BadFile if anything is wrong with it."""
    fields = read_json(text)
    if not isinstance(fields, dict) or "laguna" not in fields:
        raise BadFile("no-game-file", 'This is not a game file: it has no field "laguna".')
    if fields["laguna"] != FORMAT or isinstance(fields["laguna"], bool):
        raise BadFile(
            "format",
            f"Game file format {fields['laguna']!r:.20} is not supported; this version reads {FORMAT}.",
        )
    try:
        document = msgspec.convert(fields, GameFile)
    except msgspec.ValidationError as error:
        field, reason = field_and_reason(error)
        where = f"{field}: " if field else ""
        raise BadFile("game-file", f"The game file is damaged: {where}{reason}.") from None
    return _replay(document)


def _replay(document: GameFile) -> Game:
    if document.secret is not None:
        game = _live(document, bytes.fromhex(document.secret))
    elif document.seed is None:
        raise BadFile("game-file", "The game file is damaged: it has neither a seed nor a secret.")
    elif document.deal is not None:
        raise BadFile("game-file", "The game file is damaged: a game from a seed has no deal.")
    elif document.start is None:
        game = set_up(document.game, document.players, document.seed, document.seats, document.options)
    else:
        game = from_position(document.game, document.start, seed=document.seed)
        game.seats = seat_list(game.meta, game.players, document.seats)
    same = game.options == document.options and game.players == document.players
    if document.start is not None and not same:
        raise BadFile("game-file", "start: its players and options differ from those of the file.")
    if document.rules != game.meta.rules_version:
        raise BadFile(
            "rules-version",
            f"The file follows rules {short(str(document.rules))} of {game.meta.title}; "
            f"this version plays rules {game.meta.rules_version}.",
        )
    for number, action in enumerate(document.actions, 1):
        try:
            game.play(action)
        except LagunaError as error:
            raise BadFile(
                "illegal-action",
                f"Action {number} ({action!r}) is not allowed: {error}",
                clause=error.clause,
                number=number,
            ) from None
    if document.head != (game.heads[-1] if game.deal else None):
        raise BadFile(
            "head", "The actions in the file are not those of the game: its hash chain ends otherwise."
        )
    result = Result(game.scores, game.winners) if game.over else None
    if document.result != result:
        text = "unfinished" if result is None else f"scores {result.scores}, winners {result.winners}"
        raise BadFile("result", f"The result in the file is wrong; its actions give: {text}.")
    return game


def _live(document: GameFile, secret: bytes) -> Game:
    """A game dealt from a secret, as far as it does not start from a position."""
    if document.seed is not None:
        raise BadFile("game-file", "A game file has either a secret or a seed, but not both.")
    if document.commitment != commitment(secret):
        raise BadFile("commitment", "The secret does not match the commitment.")
    if document.deal is not None:
        _check_deal(document.deal, document, secret)
    if document.start is None:
        return set_up_live(
            document.game, document.players, secret, document.seats, document.options, document.deal
        )
    return from_position_live(document.game, document.start, secret, document.seats, document.deal)


def _check_deal(deal: Deal, document: GameFile, secret: bytes) -> None:
    """Do the names, the seals and the shares belong together? BadFile says which does not."""
    seats = len(document.seats)
    if not len(deal.names) == len(deal.seals) == len(deal.shares) == seats:
        raise BadFile("deal", f"deal: must have a name, a seal and a share for each of {seats} seats.")
    for seat, name in enumerate(document.seats):
        if name != SOMEONE and name_mark(secret, seat, name) != deal.names[seat]:
            raise BadFile("deal", f"deal: seat {seat} had another name than {name!r}.")
        seal, share = deal.seals[seat], deal.shares[seat]
        if share is None:
            continue
        if seal is None and share != bot_share(secret, deal.table, seat).hex():
            raise BadFile("deal", f"deal: the share of seat {seat} has no seal, and is not that of a bot.")
        if seal is not None and seal_of(bytes.fromhex(share)) != seal:
            raise BadFile("deal", f"deal: the share of seat {seat} does not fit its seal.")


def read_json(text: str | bytes) -> Any:
    """Read an untrusted JSON document: small enough, flat enough, no duplicate fields, valid text."""
    if len(text) > MAX_BYTES:
        raise BadFile("too-large", f"The file is larger than {MAX_BYTES // 1_000_000} MB.")
    try:
        document = json.loads(
            text, object_pairs_hook=_no_field_twice, parse_int=_whole_number, parse_constant=_no_constant
        )
        json.dumps(document, ensure_ascii=False).encode()
        return document
    except RecursionError:
        raise BadFile("too-deep", "The file is nested too deeply.") from None
    except UnicodeEncodeError:
        message = "The file is not valid JSON: it contains half a character (a lone surrogate)."
        raise BadFile("no-json", message) from None
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        where = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        raise BadFile("no-json", f"The file is not valid JSON{where}.") from None


def _no_field_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise BadFile("twice", f"The field {twice!r:.40} appears twice.")
    return fields


def _whole_number(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise BadFile("digits", f"A number in the file has more than {MAX_DIGITS} digits.")
    return int(digits)


def _no_constant(name: str) -> Any:
    raise BadFile("no-json", f"The file is not valid JSON: {name} is not a number.")


def read_file(path: str | Path) -> bytes:
    """The bytes of a file, unless it is too large."""
    path = Path(path)
    try:
        if not path.is_file():
            raise BadFile("no-file", f"There is no file {str(path)!r}.")
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise BadFile("no-file", f"{str(path)!r} cannot be read: {error.strerror}.") from None
    if len(data) > MAX_BYTES:
        raise BadFile("too-large", f"{str(path)!r} is larger than {MAX_BYTES // 1_000_000} MB.")
    return data


def load(path: str | Path) -> Game:
    """The game of a game file, or of a position file (which names its game)."""
    data = read_file(path)
    fields = read_json(data)
    if isinstance(fields, dict) and "laguna" not in fields and "board" in fields:
        return position_of(fields)
    return loads(data)


def position_of(fields: dict[str, Any]) -> Game:
    """The game of a position that names its game, as a position file does."""
    if "game" not in fields:
        raise BadFile("no-game", 'The position does not name its game: it has no field "game".')
    return from_position(fields["game"], fields)


def position_schema(game: str) -> dict[str, Any]:
    """The JSON schema of a game's position files."""
    book = find(game)
    schema = msgspec.json.schema(book.positions.Position)
    definition = schema["$defs"]["Position"]
    own = definition["properties"]
    options = {
        option.name: {"enum": list(option.choices), "default": option.default} for option in book.meta.options
    }
    definition["properties"] = {
        "game": {"const": game},
        "rules": {"const": book.meta.rules_version},
        "players": {"enum": list(book.meta.players)},
        "options": {"type": "object", "properties": options, "additionalProperties": False},
        **own,
    }
    definition["required"] = ["game", *definition["required"]]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
