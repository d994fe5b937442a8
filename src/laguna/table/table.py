"""A table: requests from people and bots become entries of its log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from laguna.errors import BadOption, BadPosition, Refusal
from laguna.fair import commitment, name_mark, new_secret
from laguna.game import MAX_NAME, Game, from_position_live
from laguna.games import find
from laguna.table import entries, permissions
from laguna.table.entries import AnyEntry, Milliseconds, Origin, Person, Settings
from laguna.table.state import OPENING_TIME, PLAYS_ON, ActionForm, State

MAX_TEXT = 500  # characters in a chat message


class Table(State):
    """A table. Every request method checks, applies and returns the new entries.

    If it raises (Refusal or IllegalAction), nothing has changed. `now` is the server's clock.
    """

    @classmethod
    def open(
        cls,
        id: str,
        settings: Settings,
        host: Person,
        secret: bytes,
        now: Milliseconds,
        previous: str | None = None,
        position: Mapping[str, Any] | None = None,
        origin: Origin | None = None,
    ) -> Table:
        """A new table; what the settings leave open is filled in, from the position if there is one.

        Raises BadPosition if the game cannot go on from there.
        """
        if settings.rated and position is not None:
            raise BadOption("rated", "A rated game begins with its setup, not from a position.")
        meta = find(settings.game).meta
        start = None if position is None else _start(settings, position)
        if start is None:
            players, options = meta.resolve(settings.players, settings.options)
        else:
            players, options = start.players, dict(start.options)
        if settings.clock.kind != "none" and settings.clock.seconds == 0:
            raise BadOption("clock", "A clock needs at least one second.")
        _check_name(host)
        if settings.rated:
            settings = msgspec.structs.replace(settings, hints=False, open_hands=False)
        settings = msgspec.structs.replace(settings, players=players, options=options)
        table = cls(id, secret)
        table._add(
            entries.Opened(
                now,
                settings,
                host,
                commitment(secret),
                meta.rules_version,
                previous,
                None if start is None or start.start is None else dict(start.start),
                origin,
            )
        )
        return table

    @classmethod
    def from_game(cls, id: str, game: Game, now: Milliseconds) -> Table:
        """A table at which a finished game from a file was played, by nobody whom this server knows."""
        if not game.over:
            raise Refusal("unfinished", "The game in this file is not over yet.")
        secret = game.secret or new_secret()
        people = [Person(f"file-{seat}", name) for seat, name in enumerate(game.seats)]
        settings = Settings(game.meta.id, game.players, dict(game.options), hints=False)
        start = None if game.start is None else dict(game.start)
        table = cls(id, secret)
        opened = entries.Opened(
            now, settings, people[0], commitment(secret), game.meta.rules_version, position=start
        )
        table._add(msgspec.structs.replace(opened, file=entries.FromFile(game.seed, game.deal)))
        for seat, person in enumerate(people):
            table._add(entries.Sat(now, seat, person))
        table._add(entries.Started(now))
        for line in game.log[1:]:
            assert line.seat is not None
            table._add(entries.Acted(now, line.seat, str(line.action)))
        return table

    @classmethod
    def from_log(cls, id: str, secret: bytes, log: Iterable[AnyEntry]) -> Table:
        """The table with these entries."""
        table = cls(id, secret)
        table.extend(log)
        return table

    def next_table(self, id: str, host: Person, secret: bytes, now: Milliseconds) -> Table:
        """The table of a rematch: the same settings and start, the same people and bots on the same seats.

        Nobody gets into a rated game unasked: there everyone else takes the seat anew.
        """
        table = Table.open(id, self.settings, host, secret, now, self.id, self.position, self.origin)
        for seat, chair in enumerate(self.chairs):
            if not chair.people:
                table._add(entries.BotSat(now, seat, chair.level or ""))
                continue
            people = [person for person in chair.people if not person.gone]
            if not people or (self.settings.rated and not chair.is_of(host.id)):
                continue
            table._add(entries.Sat(now, seat, people[0]))
            for person in people[1:]:
                table._add(entries.Linked(now, seat, person))
        return table

    def _done(self, *new: AnyEntry) -> list[AnyEntry]:
        self.extend(new)
        return list(new)

    def _at(self, now: Milliseconds) -> Milliseconds:
        """Time in the log never goes back, even if one server's clock is behind another's."""
        return max(now, self.entries[-1].at)

    # -------------------------------------------------------------- before the start

    def sit(
        self, person: Person, seat: int | None, now: Milliseconds, seal: str | None = None
    ) -> list[AnyEntry]:
        """Take an open seat; name the seat to take a second one. `seal` is that of a share of the deal."""
        taken = permissions.sit(self, person.id, now, seat)
        _check_name(person)
        if seat is None and self.seats_of(person.id):
            raise Refusal("seated", "You are already sitting here; name a seat to take another one.")
        sat = self._done(entries.Sat(self._at(now), taken, person))
        return sat if seal is None else [*sat, *self.seal(person, seal, now)]

    def seal(self, person: Person, seal: str, now: Milliseconds) -> list[AnyEntry]:
        """Seal a share of the deal for those of the person's seats that have none."""
        seats = permissions.seal(self, person.id, now)
        return self._done(*(entries.Sealed(self._at(now), seat, seal) for seat in seats))

    def stand(self, person: Person, seat: int, now: Milliseconds) -> list[AnyEntry]:
        """Leave a seat; the host may clear any seat."""
        permissions.stand(self, person.id, now, seat)
        return self._done(entries.Stood(self._at(now), seat))

    def put_bot(self, person: Person, seat: int, level: str, now: Milliseconds) -> list[AnyEntry]:
        """The host puts a bot on an open seat, or changes its level."""
        permissions.put_bot(self, person.id, now, seat)
        return self._done(entries.BotSat(self._at(now), seat, permissions.check_level(level)))

    def start(self, person: Person, now: Milliseconds) -> list[AnyEntry]:
        """Deal, or have the shares opened first; nothing that the deal follows from can change then."""
        permissions.start(self, person.id, now)
        names = [name_mark(self.secret, seat, chair.dealt_name) for seat, chair in enumerate(self.chairs)]
        if any(self.seals):
            return self._done(entries.Dealing(self._at(now), names))
        return self._done(entries.Started(self._at(now), names))

    def share(self, person: Person, share: str, now: Milliseconds) -> list[AnyEntry]:
        """Open the person's share; with the last one the game is dealt."""
        seats = permissions.share(self, person.id, share, now)
        at = self._at(now)
        opened = self._done(*(entries.Shared(at, seat, share) for seat in seats))
        return opened if self.awaited else [*opened, *self._done(entries.Started(at))]

    # -------------------------------------------------------------- seat links

    def link(self, person: Person, seat: int, now: Milliseconds) -> list[AnyEntry]:
        """Join a seat by its link: hold it together with others, or take it if it is open."""
        permissions.check_seat(self, seat)
        _check_name(person)
        chair = self.chairs[seat]
        if chair.is_of(person.id):
            return []
        if chair.kind == "open":
            return self.sit(person, seat, now)
        if chair.kind == "bot":
            raise Refusal("taken", "A bot sits there.", seat=seat)
        if self.settings.rated:
            raise Refusal("rated-link", "In a rated game nobody else can join a seat.", seat=seat)
        if len(chair.people) >= permissions.MAX_DEVICES:
            raise Refusal(
                "devices", f"At most {permissions.MAX_DEVICES} devices can use one seat.", seat=seat
            )
        return self._done(entries.Linked(self._at(now), seat, person))

    def unlink(self, person: Person, seat: int, now: Milliseconds) -> list[AnyEntry]:
        """Revoke the seat's links, so that only the person who took it first still holds it."""
        permissions.check_seat(self, seat)
        people = self.chairs[seat].people
        if not people or people[0].id != person.id:
            raise Refusal(
                "not-your-seat", "Only the person who took the seat can revoke its links.", seat=seat
            )
        return self._done(entries.Unlinked(self._at(now), seat)) if len(people) > 1 else []

    # -------------------------------------------------------------- the game

    def act(
        self,
        person: Person,
        seat: int | None,
        action: ActionForm,
        version: int | None,
        now: Milliseconds,
        head: str | None = None,
    ) -> list[AnyEntry]:
        """Play an action for one of the person's seats; stale if the game changed since `version`.

        `head` is that of the chain of actions that the player saw; it must be the game's.
        """
        at = self._at(now)
        seat = permissions.act(self, person.id, at, seat)
        permissions.check_version(self, seat, version)
        permissions.check_head(self, head)
        back: list[AnyEntry] = []
        if self.chairs[seat].left_at is not None:
            self.started.copy().play(action, seat=seat)
            back = self._done(entries.Returned(at, seat))
        return [*back, self._play(entries.Acted(at, seat, ""), action)]

    def act_as_bot(self, seat: int, action: ActionForm, version: int, now: Milliseconds) -> list[AnyEntry]:
        """Play the action of a bot that plays this seat and saw the game at `version`."""
        permissions.act_as_bot(self, seat)
        permissions.check_version(self, seat, version)
        return [self._play(entries.Acted(self._at(now), seat, "", bot=True), action)]

    def take_back(
        self, person: Person, version: int | None, whole_turn: bool, now: Milliseconds
    ) -> list[AnyEntry]:
        """Undo the person's last action or turn, if nothing was revealed and nobody else has acted."""
        at = self._at(now)
        steps = permissions.take_back(self, person.id, at, whole_turn)
        permissions.check_version(self, steps[0].seat, version)
        left = self.past.left(self.started, steps)
        return self._done(entries.TookBack(at, steps[0].seat, left))

    def resign(self, person: Person, seat: int | None, now: Milliseconds) -> list[AnyEntry]:
        """Resign: with two players the other wins, with more a bot plays on."""
        return self._done(entries.Resigned(self._at(now), permissions.resign(self, person.id, now, seat)))

    def tick(self, now: Milliseconds) -> list[AnyEntry]:
        """Apply what passing time alone causes: clocks that ran out, shares left unopened.

        Call it when `due` says so.
        """
        new: list[AnyEntry] = []
        if self.dealing is not None and now >= self.dealing + OPENING_TIME:
            new += self._done(entries.Started(self._at(now)))
        if self.status == "playing":
            for seat in self.clocks.run_out(now):
                if self.status == "playing":
                    new += self._done(entries.OutOfTime(self._at(now), seat))
        return new

    def resume(self, down: Milliseconds, now: Milliseconds) -> list[AnyEntry]:
        """Note that no server was up for this long since the last entry, so running clocks were stopped."""
        at = self._at(now)
        down = min(down, at - self.entries[-1].at)
        return self._done(entries.Resumed(at, down)) if down and self.due() is not None else []

    def due(self) -> Milliseconds | None:
        """When the next clock runs out, or the time to open the shares."""
        if self.dealing is not None:
            return self.dealing + OPENING_TIME
        return self.clocks.due() if self.clocks.limited and self.status == "playing" else None

    def bots_to_move(self) -> list[tuple[int, str]]:
        """The seats for which a bot has to decide now, with its level."""
        chairs = self.chairs
        return [(seat, level) for seat in self.deciders if (level := chairs[seat].level) is not None]

    # -------------------------------------------------------------- coming and going

    def leave(self, person: Person, now: Milliseconds) -> list[AnyEntry]:
        """The person is gone; does nothing if they have no seat here or have already left."""
        try:
            seats = permissions.leave(self, person.id, now)
        except Refusal:
            return []
        return self._done(*(entries.Left(self._at(now), seat) for seat in seats))

    def come_back(self, person: Person, now: Milliseconds) -> list[AnyEntry]:
        """The person is back, and takes over again from bots that filled in."""
        seats = self.seats_of(person.id) if self.status != "over" else []
        gone = [seat for seat in seats if self.chairs[seat].left_at is not None]
        return self._done(*(entries.Returned(self._at(now), seat) for seat in gone))

    def forget(self, person: Person, now: Milliseconds) -> list[AnyEntry]:
        """The person was deleted: before the start their seats are open again, then they have left them."""
        at = self._at(now)
        mine = [seat for seat in self.seats_of(person.id) if len(self.chairs[seat].people) == 1]
        if self.status == "open" and self.dealing is None:
            return self._done(*(entries.Stood(at, seat) for seat in mine))
        if self.status == "over":
            return []
        staying = [seat for seat in mine if self.chairs[seat].left_at is None]
        return self._done(*(entries.Left(at, seat) for seat in staying))

    def take_over(self, person: Person, seat: int, level: str, now: Milliseconds) -> list[AnyEntry]:
        """Let a bot fill in for a person who has been gone longer than the grace period.

        In a rated game it is always the same one: friends must not choose who plays for a rating.
        """
        permissions.take_over(self, person.id, now, seat)
        level = PLAYS_ON if self.settings.rated else permissions.check_level(level)
        return self._done(entries.TakenOver(self._at(now), seat, level))

    # -------------------------------------------------------------- around it

    def say(self, person: Person, text: str, now: Milliseconds) -> list[AnyEntry]:
        """Add a chat message, from a player or a spectator."""
        permissions.say(self, person.id, now)
        _check_name(person)
        text = " ".join(text.split())
        if not 0 < len(text) <= MAX_TEXT or not text.isprintable():
            raise Refusal("text", f"A chat message needs 1 to {MAX_TEXT} printable characters.")
        return self._done(entries.Said(self._at(now), person, self.shown_seat(person.id), text))

    def rematch(self, person: Person, new_table_id: str, now: Milliseconds) -> list[AnyEntry]:
        """The next table is `new_table_id`, which `next_table` makes."""
        permissions.rematch(self, person.id, now)
        return self._done(entries.Rematched(self._at(now), new_table_id))

    def game_file(self) -> str:
        """The game as a game file, with its secret: only once it is over."""
        if self.status != "over":
            raise Refusal("not-over", "You can download the game file when the game is over.")
        return self.started.dumps()


def _start(settings: Settings, position: Mapping[str, Any]) -> Game:
    """The game in that position, as a trial; it must be one that these settings mean, and not be over."""
    game = from_position_live(settings.game, position, new_secret())
    options = game.meta.resolve(game.players, settings.options)[1] if settings.options else game.options
    if settings.players not in (None, game.players) or options != game.options:
        raise BadOption("position-settings", "The settings have other players or options than the position.")
    if game.over:
        raise BadPosition("position-over", "In this position the game is over.")
    return game


def _check_name(person: Person) -> None:
    if not 0 < len(person.name) <= MAX_NAME or not person.name.isprintable():
        raise Refusal("name", f"A name needs 1 to {MAX_NAME} printable characters.")
