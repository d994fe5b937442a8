"""A table built from its entries. Entries are trusted here; `Table` checks them before they are made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from laguna.bots import current_name
from laguna.errors import LagunaError
from laguna.fair import Deal, bot_share, commitment, first_head, next_head, terms
from laguna.game import Action, Game, from_position, from_position_live, set_up, set_up_live
from laguna.games import find
from laguna.games.contract import Event, Meta
from laguna.messages import Result
from laguna.table import entries
from laguna.table.clocks import Clocks
from laguna.table.entries import AnyEntry, FromFile, Milliseconds, Origin, Person, Settings
from laguna.table.result import result
from laguna.table.undo import Past

PLAYS_ON = "heron"  # the bot that plays on for a player who resigned
OPENING_TIME = 10_000  # milliseconds in which the shares must be opened

ActionForm = Action | int | str | Mapping[str, Any]


@dataclass(slots=True)
class Chair:
    """A seat at the table."""

    people: list[Person] = field(default_factory=list)  # the first took it, the others joined by a link
    level: str | None = None  # of the bot that plays it, even if it fills in for a person
    bot: str | None = None  # what the bot that was put here was called then
    left_at: Milliseconds | None = None
    resigned: bool = False  # or out of time: can no longer win

    @property
    def kind(self) -> str:
        return "person" if self.people else "open" if self.level is None else "bot"

    @property
    def name(self) -> str | None:
        return self.people[0].name if self.people else self.level

    @property
    def dealt_name(self) -> str:
        """The name that the deal is bound to: that of a bot stays, whatever it is called today."""
        return self.people[0].name if self.people else self.bot or ""

    def is_of(self, person_id: str | None) -> bool:
        return any(person.id == person_id for person in self.people)


class State:
    """The replay of a table's entries; its version is their number."""

    settings: Settings
    host: Person
    commitment: str
    previous: str | None
    position: dict[str, Any] | None
    origin: Origin | None
    file: FromFile | None
    meta: Meta
    clocks: Clocks
    past: Past

    def __init__(self, id: str, secret: bytes) -> None:
        self.id = id
        self.secret = secret
        self.entries: list[AnyEntry] = []
        self.events: list[tuple[Event, ...]] = []  # what the rules did at each entry
        self.played: list[int] = []  # how many actions of the game had been played after each entry
        self.acted: dict[int, Action] = {}  # the action at each version at which one acted
        self.undone: dict[int, list[int]] = {}  # the versions of the actions taken back at each version
        self.secret_actions: set[int] = set()  # the versions at which one acted that others may not read
        self.status = "open"  # then playing, then over
        self.chairs: list[Chair] = []
        self.seals: list[str | None] = []  # of each seat's share of the deal
        self.shares: list[str | None] = []  # those that are open
        self.names: list[str] | None = None  # the marks of the names, once the deal is fixed
        self.terms: bytes | None = None  # what is dealt from, once that is fixed
        self.dealing: Milliseconds | None = None  # since when the shares are being opened
        self.heads: list[str] = []  # of the chain of actions: before the first and after each
        self.game: Game | None = None  # once it has started
        self.held: dict[str, list[int]] = {}  # the seats of each person
        self.deciders: list[int] = []  # who has to decide now
        self.news: list[int] = []  # the version at which each seat last saw the game change
        self.acted_at: list[int] = []  # the version at which each seat last acted
        self.gave_up: list[int] = []  # the seats that resigned or ran out of time, in that order
        self.result: Result | None = None
        self.ended: Milliseconds | None = None
        self.next: str | None = None  # the rematch
        self.memo: dict[Any, Any] = {}  # what stays as it is while nothing but actions follows

    @property
    def version(self) -> int:
        return len(self.entries)

    @property
    def started(self) -> Game:
        """The game, which must have started."""
        assert self.game is not None
        return self.game

    def extend(self, new: Iterable[AnyEntry]) -> None:
        """Apply entries that were written elsewhere."""
        for entry in new:
            self._add(entry)

    def _add(self, entry: AnyEntry) -> None:
        if isinstance(entry, entries.Acted):
            self._play(entry, entry.action)
        else:
            self._log(entry, HAPPENS[type(entry)](self, entry) or ())

    @property
    def is_steady(self) -> bool:
        """Are there no clocks, and does everybody play on who began?"""
        found: bool | None = self.memo.get("steady")
        if found is None:
            found = self.memo["steady"] = not self.clocks.limited and all(
                chair.left_at is None and not chair.resigned for chair in self.chairs
            )
        return found

    def _log(self, entry: AnyEntry, events: tuple[Event, ...]) -> None:
        if not isinstance(entry, entries.Acted):
            self.memo = {}
        self.entries.append(entry)
        self.events.append(events)
        self.played.append(self.game.played if self.game else 0)

    # -------------------------------------------------------------- seats

    def seats_of(self, person_id: str | None) -> list[int]:
        return [] if person_id is None else self.held.get(person_id, [])

    def _seat(self, seat: int, chair: Chair) -> None:
        """Someone else sits here now."""
        self.chairs[seat] = chair
        people = {person.id for each in self.chairs for person in each.people}
        self.held = {
            person: [seat for seat, each in enumerate(self.chairs) if each.is_of(person)] for person in people
        }

    def shown_seat(self, person_id: str | None) -> int | None:
        """The seat whose view this person gets: their seat to decide, or else the one that acted last."""
        mine = self.seats_of(person_id)
        if len(mine) < 2 or self.status == "open":
            return mine[0] if mine else None
        deciding = [seat for seat in mine if seat in self.deciders]
        return deciding[0] if deciding else max(mine, key=lambda seat: self.acted_at[seat])

    @property
    def awaited(self) -> list[int]:
        """The seats whose shares have yet to be opened."""
        if self.dealing is None:
            return []
        return [
            seat for seat, seal in enumerate(self.seals) if seal is not None and self.shares[seat] is None
        ]

    def _opened(self, entry: entries.Opened) -> None:
        if commitment(self.secret) != entry.commitment:
            raise LagunaError("secret", f"The secret of table {self.id} is not the one it was opened with.")
        meta = self.meta = find(entry.settings.game).meta
        if entry.rules != meta.rules_version:
            raise LagunaError(
                "rules-version",
                f"Table {self.id} follows rules {entry.rules} of {meta.title}; "
                f"this version plays rules {meta.rules_version}.",
            )
        assert entry.settings.players is not None
        self.settings = entry.settings
        self.host = entry.host
        self.commitment = entry.commitment
        self.previous = entry.previous
        self.position = entry.position
        self.origin = entry.origin
        self.file = entry.file
        self.chairs = [Chair() for _ in range(entry.settings.players)]
        self.seals, self.shares = [None] * len(self.chairs), [None] * len(self.chairs)
        self.clocks = Clocks(entry.settings.clock, entry.settings.players)

    def _sat(self, entry: entries.Sat) -> None:
        self._seat(entry.seat, Chair(people=[entry.person]))
        self.seals[entry.seat] = None

    def _sealed(self, entry: entries.Sealed) -> None:
        self.seals[entry.seat] = entry.seal

    def _shared(self, entry: entries.Shared) -> None:
        self.shares[entry.seat] = entry.share

    def _linked(self, entry: entries.Linked) -> None:
        chair = self.chairs[entry.seat]
        self._seat(entry.seat, replace(chair, people=[*chair.people, entry.person]))

    def _unlinked(self, entry: entries.Unlinked) -> None:
        chair = self.chairs[entry.seat]
        self._seat(entry.seat, replace(chair, people=chair.people[:1]))

    def _bot_sat(self, entry: entries.BotSat) -> None:
        self._seat(entry.seat, Chair(level=current_name(entry.level), bot=entry.level))
        self.seals[entry.seat] = None

    def _stood(self, entry: entries.Stood) -> None:
        self._seat(entry.seat, Chair())
        self.seals[entry.seat] = None

    def _left(self, entry: entries.Left) -> None:
        self.chairs[entry.seat].left_at = entry.at

    def _returned(self, entry: entries.Returned) -> None:
        chair = self.chairs[entry.seat]
        chair.left_at = None
        chair.level = PLAYS_ON if chair.resigned else None
        self._run_clocks(entry.at)

    def _taken_over(self, entry: entries.TakenOver) -> None:
        self.chairs[entry.seat].level = current_name(entry.level)
        self._run_clocks(entry.at)

    def _said(self, entry: entries.Said) -> None:
        """Nothing changes but the log."""

    def _rematched(self, entry: entries.Rematched) -> None:
        self.next = entry.table

    # -------------------------------------------------------------- the game

    def _dealing(self, entry: entries.Dealing) -> None:
        self.dealing = entry.at
        self._fix(entry.names)

    def _fix(self, names: list[str]) -> None:
        """From now on, what is dealt follows from the shares alone."""
        self.names = names
        deal = Deal(self.id, names, self.seals, self.shares)
        game, options = self.settings.game, self.settings.options
        self.terms = terms(self.secret, deal, game, self.meta.rules_version, options, self.position)

    def _deal(self) -> Deal | None:
        """What the game is dealt from besides the secret; None at tables from before there were shares."""
        if self.names is None:
            return None if self.file is None else self.file.deal
        shares = [
            bot_share(self.secret, self.id, seat).hex() if chair.kind == "bot" else self.shares[seat]
            for seat, chair in enumerate(self.chairs)
        ]
        return Deal(self.id, self.names, list(self.seals), shares)

    def _started(self, entry: entries.Started) -> tuple[Event, ...]:
        book, players = find(self.settings.game), len(self.chairs)
        if entry.names is not None:
            self._fix(entry.names)
        self.dealing = None
        deal = self._deal()
        bound = self.names is not None
        names = [chair.dealt_name if bound else chair.name or "" for chair in self.chairs]
        self.game = self._dealt(names, deal)
        if self.terms is not None and deal is not None:
            self.heads = [first_head(self.secret, self.terms, deal.shares)]
        self.past = Past(book.rules)
        self.status = "playing"
        self.news = [self.version + 1] * players
        self.acted_at = [0] * players
        self._went_on(entry.at)
        return self.game.log[0].events

    def _dealt(self, names: list[str], deal: Deal | None) -> Game:
        """The game at its start, with these names on its seats."""
        settings, position = self.settings, self.position
        seed = None if self.file is None else self.file.seed
        if seed is not None and position is not None:
            game = from_position(settings.game, position, seed=seed)
            game.seats = names
            return game
        if seed is not None:
            return set_up(settings.game, settings.players, seed, names, settings.options)
        if position is not None:
            return from_position_live(settings.game, position, self.secret, names, deal)
        return set_up_live(settings.game, settings.players, self.secret, names, settings.options, deal)

    def _play(self, entry: entries.Acted, action: ActionForm) -> entries.Acted:
        """Play an action; raises IllegalAction, changing nothing, if the rules do not allow it.

        `action` is the entry's action in any form; the logged entry has its notation.
        """
        game, deciders, seat = self.started, self.deciders, entry.seat
        step = self.past.before(game, seat, self.clocks.left(seat, entry.at))
        played = game.play(action, seat=seat)
        self._extend_chain(step.played)
        assert played.action is not None
        events = played.events
        if step.choice:  # choices that were set aside may have followed at once
            events = tuple(event for line in game.log_after(step.played) for event in line.events)
        if not entry.bot:
            self.clocks.acted(seat, entry.at)
        holder = None if entry.bot else self.chairs[seat].people[0].id
        self.past.acted(step, self.version + 1, played.action.code, holder)
        if action is not entry.action:
            entry = entries.Acted(entry.at, seat, str(played.action), entry.bot)
        self._log(entry, events)
        version = self.version
        self.acted[version] = played.action
        if not played.public:
            self.secret_actions.add(version)
        self.acted_at[seat] = version
        self._went_on(entry.at)
        self._tell(seat, deciders, version)
        return entry

    def _took_back(self, entry: entries.TookBack) -> None:
        deciders = self.deciders
        taken = self.past.take_back(self.started, entry.seat, entry.actions)
        self._extend_chain(min([entry.actions, *(step.played for step in taken)]))
        self.undone[self.version + 1] = sorted(step.version for step in taken)
        self.clocks.take_back(entry.seat, [step.left for step in taken], entry.at)
        self._went_on(entry.at)
        self._tell(entry.seat, deciders, self.version + 1)

    def _extend_chain(self, played: int) -> None:
        """Let the chain follow the game, which is the same as before up to this many actions."""
        if self.heads:
            del self.heads[played + 1 :]
            for line in self.started.log_after(played):
                self.heads.append(next_head(self.secret, self.heads[-1], str(line.action)))

    def _went_on(self, at: Milliseconds) -> None:
        self.deciders = self.started.deciders
        if self.deciders:
            self._run_clocks(at)
        else:
            self._end("played", at)

    def _tell(self, actor: int, before: list[int], version: int) -> None:
        """Note that the game changed for everyone except those who choose at the same time as the actor."""
        at_once = len(before) > 1 or len(self.deciders) > 1
        for seat in range(len(self.chairs)):
            if not at_once or seat == actor or seat not in before or seat not in self.deciders:
                self.news[seat] = version

    def _run_clocks(self, at: Milliseconds) -> None:
        """Run the clocks of the seats that have to decide and are played by people."""
        if self.clocks.limited and self.status == "playing":
            self.clocks.run([seat for seat in self.deciders if self.chairs[seat].level is None], at)

    def _gave_up(self, entry: entries.Resigned | entries.OutOfTime) -> None:
        """With two players the other wins; with more a bot plays on, and this seat cannot win."""
        self.chairs[entry.seat].resigned = True
        self.gave_up.append(entry.seat)
        if sum(not chair.resigned for chair in self.chairs) == 1:
            self._end("resigned" if isinstance(entry, entries.Resigned) else "out-of-time", entry.at)
        else:
            self.chairs[entry.seat].level = PLAYS_ON
            self._run_clocks(entry.at)

    def _resumed(self, entry: entries.Resumed) -> None:
        self.clocks.stood(entry.down)
        if self.dealing is not None:
            self.dealing += entry.down

    def _end(self, how: str, at: Milliseconds) -> None:
        self.clocks.run([], at)
        self.status = "over"
        self.memo = {}
        self.deciders = []
        self.ended = at
        self.result = result(self.started, how, self.gave_up)


HAPPENS: dict[type, Any] = {
    entries.Opened: State._opened,
    entries.Sat: State._sat,
    entries.Linked: State._linked,
    entries.Unlinked: State._unlinked,
    entries.BotSat: State._bot_sat,
    entries.Stood: State._stood,
    entries.Sealed: State._sealed,
    entries.Dealing: State._dealing,
    entries.Shared: State._shared,
    entries.Started: State._started,
    entries.TookBack: State._took_back,
    entries.Resigned: State._gave_up,
    entries.OutOfTime: State._gave_up,
    entries.Resumed: State._resumed,
    entries.Left: State._left,
    entries.Returned: State._returned,
    entries.TakenOver: State._taken_over,
    entries.Said: State._said,
    entries.Rematched: State._rematched,
}
