"""What a client saw of a table, to be compared with the game file at the end: docs/fair.md says why."""

from __future__ import annotations

from collections.abc import Sequence

from laguna.client.errors import Unfair
from laguna.errors import either
from laguna.fair import commitment, new_secret, seal_of
from laguna.files import loads
from laguna.game import Game
from laguna.messages import FairView, Line, TableView


class Witness:
    """Draws one share for a table, opens it once, and remembers what the server published."""

    def __init__(self, share: bytes | None = None) -> None:
        self._share = share or new_secret()
        self.seal = seal_of(self._share)
        self.accepted = False  # the server has confirmed that it has the share
        self._view: TableView | None = None
        self._commitment: str | None = None
        self._terms: str | None = None
        self._sealed: list[int] = []  # the seats that had this seal when the deal was fixed
        self._heads: dict[int, str] = {}  # of the chain, by the number of actions
        self._version = 0  # of the table, when it was last seen
        self._missed = False  # a part of the game was not seen, so that earlier heads say nothing any more
        self._broken: str | None = None  # what the server said does not fit what it had said before

    # -------------------------------------------------------------- during the game

    def see(self, view: TableView, lines: Sequence[Line] = ()) -> None:
        """Note what this view publishes; `lines` are the last ones of the log."""
        self._view = view
        if self._commitment not in (None, view.commitment):
            self._break("The commitment was changed.")
        self._commitment = self._commitment or view.commitment
        if view.fair is None:
            return
        if view.fair.seals:
            self._sealed = [seat for seat in view.mine if view.fair.seals[seat] == self.seal]
        if self._terms not in (None, view.fair.terms):
            self._break("What the game is dealt from was changed after it had been fixed.")
        self._terms = self._terms or view.fair.terms
        self._note_lines(view, lines)
        self._note_head(view, view.fair)
        self._version = view.version

    def _note_lines(self, view: TableView, lines: Sequence[Line]) -> None:
        """Forget the heads of actions that were taken back, and all heads if that cannot be known."""
        first = lines[0].version if lines else view.version + 1
        if first > self._version + 1 and self._heads:
            self._heads.clear()
            self._missed = True
        for line in lines:
            if line.kind == "took-back" and line.version > self._version:
                kept = line.actions or 0
                self._heads = {number: head for number, head in self._heads.items() if number <= kept}

    def _note_head(self, view: TableView, fair: FairView) -> None:
        if view.game is None:
            return
        if fair.head is None:
            return self._break("The server does not show the chain of the actions.")
        number: int = view.game["actions"]
        if self._heads.setdefault(number, fair.head) != fair.head:
            self._break(f"Action {number} or one before it was changed.")

    def opened(self, view: TableView) -> None:
        """The table that was asked for with this seal is open."""
        self.see(view)
        seals = [] if view.fair is None else view.fair.seals
        if any(seals[seat : seat + 1] != [self.seal] for seat in view.mine):
            self._break("The server did not take the seal of this client's share.")

    def _break(self, sentence: str) -> None:
        self._broken = self._broken or sentence

    @property
    def wants_to_seal(self) -> bool:
        """Is there a seat of mine to which a share can be added?"""
        view = self._view
        if view is None or view.status != "open" or view.fair is None or view.fair.terms is not None:
            return False
        return self._broken is None and any(view.fair.seals[seat] is None for seat in view.mine)

    @property
    def share(self) -> str | None:
        """The share, once it has to be opened; None if something is wrong."""
        view = self._view
        if view is None or view.fair is None or self._broken is not None:
            return None
        return self._share.hex() if any(seat in self._sealed for seat in view.fair.awaited) else None

    # -------------------------------------------------------------- at the end

    def check(self, table: str, text: str) -> list[str]:
        """What was checked, in sentences; raises Unfair if the game file is not of the game that was seen."""
        view, game = self._view, loads(text)
        assert view is not None
        if self._broken is not None:
            raise Unfair(self._broken)
        if game.secret is None or commitment(game.secret) != self._commitment:
            raise Unfair("The secret is not the one that was committed to when the table was first seen.")
        if game.deal is None:
            if self._terms is not None or self._sealed:
                raise Unfair("The game file does not say what the game was dealt from.")
            return ["The secret is the one that was committed to. No player's share took part in the deal."]
        self._check_frame(table, view, game)
        return [
            "The secret is the one that was committed to.",
            *self._check_share(game),
            *self._check_actions(view, game),
        ]

    def _check_frame(self, table: str, view: TableView, game: Game) -> None:
        assert game.deal is not None
        names = [seat.name for seat in view.seats if seat.name is not None and seat.kind == "person"]
        same = game.deal.table == table and game.meta.id == view.settings.game
        if not same or game.options != view.settings.options or not set(names) <= set(game.seats):
            raise Unfair("The game file is that of another table, with other options or other names.")
        if game.terms != self._terms:
            raise Unfair(
                "The game was dealt from something else than was fixed before the shares were opened."
            )

    def _check_share(self, game: Game) -> list[str]:
        assert game.deal is not None
        if any(game.deal.seals[seat] != self.seal for seat in self._sealed):
            raise Unfair("The seal of this client's share was replaced.")
        left_out = [seat for seat in self._sealed if game.deal.shares[seat] is None]
        if left_out and self.accepted:
            raise Unfair("This client's share was left out, although the server had accepted it.")
        if left_out:
            return ["This client's share did not arrive in time, so somebody else may have chosen the deal."]
        if not self._sealed:
            return ["This client had no share in the deal, so it cannot tell whether somebody chose it."]
        return ["This client's share took part in the deal, so nobody chose it."]

    def _check_actions(self, view: TableView, game: Game) -> list[str]:
        chain = game.heads
        for number, head in sorted(self._heads.items()):
            if number >= len(chain) or chain[number] != head:
                raise Unfair(f"Action {number} or one before it is not the one that was played.")
        if view.game is not None and view.game["actions"] != game.played:
            raise Unfair(
                f"The game had {view.game['actions']} actions, but in the file it has {game.played}."
            )
        return [*self._gaps(game), f"The {game.played} actions in the file are those that were played."]

    def _gaps(self, game: Game) -> list[str]:
        """What nobody, or not this client, could add or compare."""
        shares = [] if game.deal is None else game.deal.shares
        without = [game.seats[seat] for seat, share in enumerate(shares) if share is None]
        told = [f"Without a share: {either(without, 'and')}."] if without else []
        if self._missed:
            told.append("This client missed a part of the game, which it cannot compare.")
        return told
