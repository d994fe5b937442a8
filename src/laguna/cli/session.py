"""A game at the terminal: people at one keyboard, bots, and a board drawn from views."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.text import Text

from laguna.bots import BOTS, Bot, ask, current_name, load_bot
from laguna.cli.interrupt import Interrupted, interruptible
from laguna.errors import BadFile, BadOption, LagunaError, either
from laguna.files import SUFFIX
from laguna.game import Action, Entry, Game
from laguna.games import find
from laguna.games.contract import Event
from laguna.rulebook import clause_text, clauses

YOU = "you"
QUICK = (YOU, "random", "greedy", "turtle", "heron")  # bots that need no search
YOUR_OWN = ("module:function", "engine:COMMAND")
SECRET = "a secret choice"
HELP = """\
Type an action: {how}.
  ?            this help                   list       every legal action
  ? ACTION     what it would do, or why not
  ? CLAUSE     a clause of the rules       log        what has happened so far
  save FILE    write the game to a file    undo       undo your last decision
  quit         leave"""


class Session:
    """One game from its first prompt to its result."""

    def __init__(self, game: Game, players: list[str], console: Console) -> None:
        self.game = game
        self.console = console
        self.people = [seat for seat, player in enumerate(players) if player == YOU]
        self.bots = {seat: load_bot(player) for seat, player in enumerate(players) if player != YOU}
        self.terminal = find(game.meta.id).terminal
        self.actions = find(game.meta.id).actions
        self.clause_letter = next(iter(clauses(game.meta.id)))[0]
        self.shown: int | None = None  # whose hand is on the screen

    def run(self) -> bool:
        """Play until the end (True) or until someone leaves (False)."""
        for event in self.game.log[0].events:
            self.tell_event(event)
        while (seat := self.game.seat) is not None:
            if seat in self.bots:
                self.tell(self.game.play(self.choice_of(self.bots[seat])))
            elif not self.decide(seat):
                return False
        self.console.print(self.terminal.draw(self.game.view(self.people[0] if self.people else None)))
        self.console.print(result(self.game), style="bold")
        return True

    def choice_of(self, bot: Bot) -> Action:
        try:
            return interruptible(lambda: ask(bot, self.game, secrets.randbits(31)))
        except KeyboardInterrupt:
            raise Interrupted("You left while a bot was thinking.") from None

    def tell(self, entry: Entry) -> None:
        """Print the action, unless it is someone else's secret, and then each event."""
        assert entry.seat is not None and entry.action is not None
        secret = entry.seat != self.shown and not self.actions.is_public(entry.action.struct)
        text = SECRET if secret else str(entry.action)
        self.console.print(Text(f"{self.game.seats[entry.seat]}: ").append(text, "bold"))
        for event in entry.events:
            self.tell_event(event)

    def tell_event(self, event: Event) -> None:
        self.console.print(Text("    ").append(event.clause, "dim").append(f" {event.sentence}"))

    def decide(self, seat: int) -> bool:
        """Ask the person until an action is played; False when they leave."""
        if len(self.people) > 1 and self.shown not in (None, seat):
            self.console.clear()
            if self.read(f"Pass the keyboard to {self.game.seats[seat]} and press Enter. ") is None:
                return False
            self.shown = seat  # from here on, secrets are this seat's
            for entry in self.since_last_decision(seat):
                self.tell(entry)
        self.shown = seat
        self.console.print()
        self.console.print(self.terminal.draw(self.game.view(seat)))
        while True:
            line = self.read(f"{self.game.seats[seat]}> ")
            if line is None or line in ("quit", "q", "exit"):
                return False
            try:
                if self.obey(line.strip()):
                    return True
            except LagunaError as error:
                self.console.print(str(error), style="yellow")

    def since_last_decision(self, seat: int) -> list[Entry]:
        """What the others did since this seat last acted."""
        played = self.game.log[1:]
        own = [entry.number for entry in played if entry.seat == seat]
        return played[own[-1] if own else 0 :]

    def read(self, prompt: str) -> str | None:
        try:
            return self.console.input(Text(prompt, "bold")).strip()
        except EOFError:
            self.console.print()
            return None

    def obey(self, line: str) -> bool:
        """Carry out a typed line; True if the turn may have passed on."""
        word, _, rest = line.partition(" ")
        commands: dict[str, Callable[[str], bool]] = {
            "?": self.explain,
            "list": self.list_actions,
            "log": self.show_log,
            "undo": self.undo,
            "save": self.save,
        }
        if line.startswith("?"):
            return self.explain(line[1:].strip())
        if word in commands:
            return commands[word](rest.strip())
        if line:
            self.tell(self.game.play(line))
            return True
        return False

    def explain(self, what: str) -> bool:
        """`?` alone, `? N8`, or `? 7Bc1`."""
        game = self.game
        if not what:
            legal = game.legal()
            self.console.print(HELP.format(how=self.actions.HOW_TO_WRITE))
            self.console.print(f"You have {len(legal)} legal actions, such as {either(legal[:3])}.")
        elif what[0].upper() == self.clause_letter and what[1:].isalnum() and what[1:2].isdigit():
            self.console.print(clause_text(game.meta.id, what))
        else:
            events = game.preview(what).events
            for event in events:
                self.tell_event(event)
            if not events:
                self.console.print("Allowed; it scores nothing.")
        return False

    def list_actions(self, _: str) -> bool:
        self.console.print(" ".join(str(action) for action in self.game.legal()))
        return False

    def show_log(self, _: str) -> bool:
        for entry in self.game.log[1:]:
            self.tell(entry)
        return False

    def undo(self, _: str) -> bool:
        """Go back to this person's last decision, undoing the bots' replies too."""
        seat = self.game.seat
        deciders = [entry.seat for entry in self.game.log[1:]]
        if seat not in deciders:
            raise LagunaError("nothing-to-undo", "You have no decision to undo.")
        while self.game.log[-1].seat != seat:
            self.game.undo()
        self.console.print(f"Undone: {self.game.undo()}")
        return True

    def save(self, name: str) -> bool:
        if not name:
            raise BadOption("save", f"Name a file: save my-game{SUFFIX}")
        write_new(Path(name), self.game.dumps())
        self.console.print(f"Saved to {name}.")
        return False


def result(game: Game) -> str:
    """The result in one line."""
    names = [game.seats[seat] for seat in game.winners]
    won = f"{names[0]} wins" if len(names) == 1 else f"{either(names, 'and')} share the win"
    return f"{won}, {' : '.join(map(str, game.scores))}."


def seat_players(game_players: int, named: str | None) -> list[str]:
    """Who plays each seat, from a comma-separated list of `you` and bots; by default you against herons."""
    players = [YOU] + ["heron"] * (game_players - 1)
    if named:
        players = [current_name(name) for name in split_seats(named)]
    if len(players) != game_players:
        raise BadOption(
            "seats",
            f"Name {game_players} seats, each {either([YOU, *BOTS, *YOUR_OWN])}, such as --seats "
            f"{','.join([YOU] + ['heron'] * (game_players - 1))}.",
        )
    for player in players:
        if player != YOU:
            load_bot(player)
    return players


def split_seats(named: str) -> list[str]:
    """The names between the commas; NAME=VALUE after a comma, and what is in double quotes, is one name."""
    return [name.strip() for name in re.split(r',(?!\s*\w+=)(?=(?:[^"]*"[^"]*")*[^"]*$)', named)]


def write_new(path: Path, content: str | bytes) -> None:
    """Write a new file, completely or not at all; an existing one is never replaced."""
    if path.exists():
        raise BadFile("exists", f"{str(path)!r} already exists; choose another name.")
    draft = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        draft.write_bytes(content.encode() if isinstance(content, str) else content)
        draft.rename(path)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise BadFile("no-file", f"{str(path)!r} cannot be written: {error.strerror}.") from None
