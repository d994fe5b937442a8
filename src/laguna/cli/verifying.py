"""What a game file proves, in words."""

from __future__ import annotations

from collections.abc import Iterator

from laguna.errors import BadOption, either
from laguna.fair import SOMEONE, commitment
from laguna.game import Game

OLD = (
    "This game was dealt from the server's secret alone, without shares of the players, and its actions are "
    "in no hash chain. So the file does not show that the server did not choose the secret to suit somebody, "
    "nor that these are the actions that were played."
)
ALONE = (
    "Whoever knows the secret could write another game that fits: note the commitment and a head during the "
    "game, and pass them with --commitment and --head. The page does this by itself."
)


def findings(game: Game, noted_commitment: str | None, noted_head: str | None) -> Iterator[str]:
    """Sentences about a live game that was dealt and replayed from its file; BadOption if a note differs."""
    assert game.secret is not None
    made = commitment(game.secret)
    if noted_commitment is not None and noted_commitment.strip().lower() != made:
        raise BadOption("commitment", f"The secret in the file belongs to a different commitment: {made}.")
    if noted_head is not None and noted_head.strip().lower() not in game.heads:
        why = "the file has no hash chain" if game.deal is None else "the game in the file went otherwise"
        raise BadOption("head", f"The head is none of this game's: {why}.")
    yield f"commitment {made}"
    if noted_commitment is not None:
        yield "matches the one you wrote down."
    else:
        yield "Compare it with the one the table showed at the start."
    yield from [OLD] if game.deal is None else _shares(game)
    if game.start is not None:
        yield "The game began from the position in the file; only what that leaves open was dealt."
    ending = f"scores {game.scores}, winners {game.winners}" if game.over else "not finished"
    yield f"{len(game.actions)} actions follow from the secret by the rules; {ending}."
    if game.deal is not None:
        yield from _chain(game, noted_head)


def _shares(game: Game) -> Iterator[str]:
    """Whose shares the deal followed from."""
    assert game.deal is not None
    seats = list(enumerate(zip(game.deal.seals, game.deal.shares, strict=True)))
    people = [seat for seat, (seal, share) in seats if seal is not None and share is not None]
    bots = [seat for seat, (seal, share) in seats if seal is None and share is not None]
    late = [seat for seat, (seal, share) in seats if seal is not None and share is None]
    none = [seat for seat, (seal, share) in seats if seal is None and share is None]
    if people:
        yield (
            f"Dealt from the secret and the shares of {_named(game, people)}. Each of them who drew the "
            "share at random knows that nobody chose the deal."
        )
    else:
        yield "Dealt from the secret and from no player's share, so the server could have chosen the deal."
    yield f"The deal is bound to table {game.deal.table}, the game, its options and the names on the seats."
    if bots:
        yield f"Bots, whose shares follow from the secret: {_named(game, bots)}."
    if late:
        yield f"Sealed, but not opened in time, and left out: the share of {_named(game, late)}."
    if none:
        yield f"No share was sealed for {_named(game, none)}."
    if SOMEONE in game.seats:
        yield f"The name {SOMEONE!r} may stand for one that was deleted since; it is not checked."


def _named(game: Game, seats: list[int]) -> str:
    return either([f"{game.seats[seat]} (seat {seat})" for seat in seats], "and")


def _chain(game: Game, noted_head: str | None) -> Iterator[str]:
    """What the chain of actions shows."""
    yield f"head {game.heads[-1]}"
    if noted_head is None:
        yield ALONE
        return
    number = game.heads.index(noted_head.strip().lower())
    yield (
        f"The head you wrote down is that after {number} of {game.played} actions: up to there this is the "
        "game you saw."
    )
