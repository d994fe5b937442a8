"""The messages between client and server: HTTP bodies and websocket frames.

Frames are JSON texts. A client's frame says what to `do`; a server's frame says what it `is`. Every client
request carries an `id` of the client's choice and is answered by exactly one `done`, `hint`, `advised`,
`previewed` or `refused` with that id; `done` is sent only once the request is durable. Clients that follow
a table get one `changed` for every change, with the table's version; after a lost connection, `follow` with
the last version seen brings whatever was missed.

Requests for one table are carried out in the order in which they were sent; requests for different tables
are answered as they finish. What a request changed is sent before its `done`: a client that follows the
table has a view of at least that version when `done` arrives. The same goes for the view that `follow`
asks for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Meta, Struct

from laguna.fair import Digest
from laguna.games.contract import AnyAction, Event, Fields, GameView
from laguna.kernel import MAX_SEATS
from laguna.table import entries
from laguna.table.entries import ChatText, Clock, Level, Milliseconds, Name, Origin, Seat, Settings

MAX_FRAME = 8_192  # bytes in a client's frame
TableId = entries.TableId
RequestId = Annotated[int, Meta(ge=0, le=2**53 - 1)]
Version = Annotated[int, Meta(ge=0, le=2**31)]
Short = Annotated[str, Meta(max_length=40)]
Part = Short | int | bool | None
MIN_PASSWORD = 8  # characters
Password = Annotated[str, Meta(min_length=MIN_PASSWORD, max_length=200)]
ActionForm = Short | dict[Short, Part | list[Part] | dict[Short, Part]]  # notation or a structured value

if TYPE_CHECKING:
    AnyView = GameView | dict[str, Any]
else:
    # A game's own view. Read back it is a dict: a client need not have every game that a server has.
    AnyView = Annotated[Any, Meta(extra_json_schema={"$ref": "#/components/schemas/GameView"})]


# ------------------------------------------------------------------ what everyone may see of a table


class SeatView(Struct, frozen=True):
    """A seat as everyone sees it."""

    seat: int
    color: str  # what the game calls this seat
    kind: str  # open, person or bot
    name: str | None = None
    level: str | None = None  # of the bot, including one that fills in
    here: bool = False  # its person is connected
    left_at: Milliseconds | None = None
    resigned: bool = False


class ClockView(Struct, frozen=True):
    """A seat's clock as of `at`; it runs while the seat has to decide."""

    seat: int
    left: Milliseconds | None  # None if there are no clocks
    running: bool


class Line(Struct, frozen=True):
    """An entry of the table's log, as the receiver may see it; `events` says what happened in the game."""

    version: int
    at: Milliseconds
    kind: str  # the entry's tag: acted, said, …
    seat: int | None = None
    name: str | None = None
    action: str | None = None  # None also where it is secret
    value: AnyAction | None = None  # the same action, structured
    text: str | None = None
    level: str | None = None
    actions: int | None = None  # took-back: how many of the game's actions remain
    undone: list[int] = []  # took-back: the versions of the lines whose actions were taken back
    table: str | None = None  # rematched: the next table
    bot: bool = False
    number: int = 0  # acted, took-back: how many actions of the game had been played then
    events: list[Event] = []


class ScoreLine(Fields, frozen=True):
    """Points of a seat, and the clause they come from; `key` is that of the scoring's event."""

    seat: int
    clause: str
    key: str
    points: int
    sentence: str


class Result(Struct, frozen=True):
    """How the game ended. `how`: played, resigned or out-of-time; `breakdown`: the scores by clause."""

    how: str
    winners: list[int]
    scores: list[int]
    breakdown: list[ScoreLine] = []


class FairView(Struct, frozen=True):
    """What proves the deal: clients keep it, and compare the game file with it (docs/fair.md)."""

    seals: list[Digest | None] = []  # of each seat's share, until the game has started
    awaited: list[int] = []  # the seats whose shares have yet to be opened
    terms: Digest | None = None  # all that is dealt from, fixed when the host starts the game
    head: Digest | None = None  # of the chain of the game's actions so far


class TableView(Struct, frozen=True):
    """A table as one person may see it. `game` is the game's own view; None before the start."""

    table: str
    version: int
    status: str  # open, playing or over
    settings: Settings
    commitment: str
    seats: list[SeatView]
    mine: list[int]  # the seats that the receiver holds
    host: bool
    deciders: list[int]  # the seats that have to decide now
    may: list[str]  # requests that the receiver may make now: act, take-back, start, resign, …
    clocks: list[ClockView]
    at: Milliseconds  # the server's clock when this was written
    game: AnyView | None = None
    result: Result | None = None
    secret: str | None = None  # in hexadecimal, once the game is over: `laguna verify` checks it
    previous: str | None = None
    next: str | None = None  # the rematch
    origin: Origin | None = None  # the game that this one goes on from
    from_file: bool = False  # a game that was played elsewhere: its names are those in the file
    fair: FairView | None = None  # None where the deal followed from the secret alone


# ------------------------------------------------------------------ client → server


class Request(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """A request from a client."""

    id: RequestId


class Ping(Request, frozen=True, tag="ping"):
    """Are you there?"""


class Follow(Request, frozen=True, tag="follow"):
    """Keep me up to date about this table; with `seen`, starting after that version if possible.

    With `seat`, I see the game as that seat does: once it is over, or while I hold no seat and the table's
    setting `open_hands` is on.
    """

    table: TableId
    seen: Version = 0
    seat: Seat | None = None


class Unfollow(Request, frozen=True, tag="unfollow"):
    """Stop following this table."""

    table: TableId


class Sit(Request, frozen=True, tag="sit"):
    """Take an open seat; any if none is named. `seal` is that of a share of the deal."""

    table: TableId
    seat: Seat | None = None
    seal: Digest | None = None


class Stand(Request, frozen=True, tag="stand"):
    """Leave a seat before the start (the host may clear any seat)."""

    table: TableId
    seat: Seat


class PutBot(Request, frozen=True, tag="put-bot"):
    """As the host, put a bot on an open seat or change its level, before the start."""

    table: TableId
    seat: Seat
    level: Level


class Start(Request, frozen=True, tag="start"):
    """As the host, start the game once no seat is open; it is dealt when all sealed shares are open."""

    table: TableId


class Seal(Request, frozen=True, tag="seal"):
    """Seal a share of the deal for those of my seats that have none, before the start."""

    table: TableId
    seal: Digest


class Share(Request, frozen=True, tag="share"):
    """Open my share, once the host has started the game. Never do so twice, for different `terms`."""

    table: TableId
    share: Digest


class Act(Request, frozen=True, tag="act"):
    """Play an action with one of my seats (if none is named, the one that has to decide).

    `version` is the table's version that the player saw; refused as stale if the game has moved on since.
    `head` is the chain's head that the player saw; refused if the game here went otherwise.
    With `if_goes_on` it is played only if the same seat is certain to decide again after it; otherwise
    nothing is changed and the answer is `previewed`, so that the player can be asked first.
    """

    table: TableId
    version: Version
    action: ActionForm
    seat: Seat | None = None
    if_goes_on: bool = False
    head: Digest | None = None


class TakeBack(Request, frozen=True, tag="take-back"):
    """Undo my last action, or with `turn` my whole turn so far."""

    table: TableId
    version: Version
    turn: bool = False


class Resign(Request, frozen=True, tag="resign"):
    """Resign: with two players the other wins, with more a bot plays on for the seat."""

    table: TableId
    seat: Seat | None = None


class Leave(Request, frozen=True, tag="leave"):
    """Leave the table now, without waiting for the connection to time out."""

    table: TableId


class TakeOver(Request, frozen=True, tag="take-over"):
    """Let a bot fill in for someone who has been gone longer than the grace period."""

    table: TableId
    seat: Seat
    level: Level = "dolphin"


class Say(Request, frozen=True, tag="say"):
    """Send a chat message; spectators may, too."""

    table: TableId
    text: ChatText


class Rematch(Request, frozen=True, tag="rematch"):
    """Open the next table with the same seats; everyone following this one gets its id.

    `seal` is that of my share of the next deal.
    """

    table: TableId
    seal: Digest | None = None


class Hint(Request, frozen=True, tag="hint"):
    """What would a bot do in my seat? Answered by `hint`."""

    table: TableId
    seconds: Annotated[float, Meta(gt=0, le=5)] = 1.0


class Advise(Request, frozen=True, tag="advise"):
    """What should a beginner in my seat look at? Answered by `advised`."""

    table: TableId


class Preview(Request, frozen=True, tag="preview"):
    """What would this action do? Answered by `previewed`, or refused just as the action would be."""

    table: TableId
    action: ActionForm
    seat: Seat | None = None


ClientFrame = (
    Ping
    | Follow
    | Unfollow
    | Sit
    | Stand
    | PutBot
    | Start
    | Seal
    | Share
    | Act
    | TakeBack
    | Resign
    | Leave
    | TakeOver
    | Say
    | Rematch
    | Hint
    | Advise
    | Preview
)


# ------------------------------------------------------------------ server → client


class Message(Struct, frozen=True, tag_field="is"):
    """A message from a server."""


class Problem(Struct, frozen=True):
    """Why something was refused: the body of a refused HTTP request, and what `refused` and `bye` carry.

    `sentence` is English; `key`, `clause` (of the rules) and `arguments` let a page say it in any language.
    """

    key: str
    sentence: str
    clause: str | None = None
    arguments: dict[str, Any] = {}


class Hello(Message, frozen=True, tag="hello"):
    """The first frame: who you are, and the version of this protocol."""

    protocol: int
    name: str
    heartbeat: float  # the longest time between two frames from the server, in seconds


class Table(Message, frozen=True, tag="table"):
    """A complete view, and the last lines of the log."""

    view: TableView
    lines: list[Line]


class Changed(Message, frozen=True, tag="changed"):
    """What happened after version `since`, and the current view."""

    since: int
    view: TableView
    lines: list[Line]


class Done(Message, frozen=True, tag="done"):
    """The request was carried out and is durable; `version` is the table's version after it."""

    id: int
    version: int | None = None
    table: str | None = None


class Refused(Message, Problem, frozen=True, kw_only=True, tag="refused"):
    """The request of that `id` was not carried out, and nothing was changed."""

    id: int

    @classmethod
    def because(cls, problem: Problem, id: int) -> Refused:
        return cls(problem.key, problem.sentence, problem.clause, problem.arguments, id=id)


class HintChoice(Fields, frozen=True):
    """An action that a search looked at closely."""

    action: str
    value: AnyAction  # the same action, structured
    chance: float  # of the asking seat to win
    chances: list[float]  # of every seat
    scores: list[float] | None  # expected final scores; None without forecasts
    forecasts: int  # games that the scores rest on
    visits: int
    events: list[Event] = msgspec.field(default_factory=list)  # that are certain, as in `previewed`


class HintGiven(Message, frozen=True, tag="hint"):
    """The actions that a search looked at closely, ranked by the chance of winning that each leaves."""

    id: int
    table: str
    version: int
    choices: list[HintChoice]


class Advised(Message, frozen=True, tag="advised"):
    """What to look at before deciding, the most important first; empty if there is nothing special."""

    id: int
    table: str
    version: int
    advice: list[Event]


class Previewed(Message, frozen=True, tag="previewed"):
    """What is certain to happen, as in the log; `goes_on`: the same seat decides again afterwards."""

    id: int
    table: str
    version: int
    events: list[Event]
    goes_on: bool


class Here(Message, frozen=True, tag="here"):
    """Which seats are connected; not part of the log."""

    table: str
    seats: list[int]
    spectators: int


class Beat(Message, frozen=True, tag="beat"):
    """Nothing has happened for a while, but the server is still there."""


class Bye(Message, Problem, frozen=True, kw_only=True, tag="bye"):
    """The server is closing the connection, and why; `again`: reconnect after this many seconds."""

    again: float | None = None


ServerFrame = Hello | Table | Changed | Done | Refused | HintGiven | Advised | Previewed | Here | Beat | Bye
PROTOCOL = 1


# ------------------------------------------------------------------ HTTP bodies


class SeatWish(Struct, frozen=True, forbid_unknown_fields=True):
    """Who plays this seat: me, a bot of this level, or nobody yet (open)."""

    kind: Annotated[str, Meta(pattern="^(me|bot|open)$")]
    level: Level | None = None
    name: Name | None = None  # of a hot-seat player


class NewTable(Struct, frozen=True, forbid_unknown_fields=True):
    """Open a table. Without `seats`, the creator takes the first seat and the others stay open.

    The game may begin elsewhere than with its setup: from a `position`, or from a finished game (`origin`).
    Players and options are then those of the position; whatever the settings say of them must agree.
    """

    settings: Settings
    seats: Annotated[list[SeatWish], Meta(max_length=MAX_SEATS)] | None = None
    start: bool = False  # right away, if no seat is open
    seal: Digest | None = None  # of my share of the deal
    position: dict[str, Any] | None = None  # the content of a position file
    origin: Origin | None = None


class TableSummary(Struct, frozen=True):
    """A table in a list."""

    table: str
    game: str
    players: int
    status: str
    seats: list[SeatView]
    clock: Clock
    version: int
    created: Milliseconds
    changed: Milliseconds
    mine: list[int] = []
    my_turn: bool = False
    rated: bool = False


class Me(Struct, frozen=True):
    """My identity on this server."""

    name: str
    account: str | None = None
    session_ended: bool = False  # this browser's log-in became too old just now, so I am a new guest


class Rename(Struct, frozen=True, forbid_unknown_fields=True):
    """The name I want to go by."""

    name: Name


class Credentials(Struct, frozen=True, forbid_unknown_fields=True):
    """An account's name and its password."""

    account: Annotated[
        str, Meta(pattern=r"^[A-Za-z0-9_.-]{3,30}$(?!\n)")
    ]  # $ alone would allow a newline after it
    password: Password


class LogIn(Credentials, frozen=True, forbid_unknown_fields=True):
    """Log in. A one-time password from the operator is replaced at once, by `new`."""

    new: Password | None = None


class NewPassword(Struct, frozen=True, forbid_unknown_fields=True):
    """A new password for my account, and the current one."""

    current: Password
    new: Password


class Renewed(Struct, frozen=True):
    """My identity, with a new token; the old one is no longer valid. Browsers get it as a cookie instead."""

    name: str
    account: str
    token: str | None = None


class Token(Struct, frozen=True):
    """A program's identity: it sends `Authorization: Bearer TOKEN` with every request from now on."""

    token: str
    name: str


class Device(Struct, frozen=True):
    """A browser or a program in which I am logged in.

    `client` is `program`, `browser` (one we do not know) or its name, such as Firefox, and `system` is
    Android, iPhone, iPad, Windows, ChromeOS, macOS or Linux: what it said when it logged in. Null: not known.
    """

    id: str
    created: Milliseconds  # when I logged in
    used: Milliseconds  # when it was last used, to about a day
    this: bool  # the one that asks
    client: str | None
    system: str | None


class Confirmation(Struct, frozen=True, forbid_unknown_fields=True):
    """My password again, for what should not be done by whoever finds my browser open; a guest has none."""

    password: Password | None = None


class SeatLink(Struct, frozen=True):
    """A link that gives this seat to anyone who opens it, for example on another device."""

    link: str
    seat: int


class OpenLink(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat link, or just the part after its #."""

    link: Annotated[str, Meta(min_length=1, max_length=300)]


class ChoiceInfo(Struct, frozen=True):
    """A value of an option; for a preset, also the values of the options that it `sets`."""

    value: int | str
    about: dict[str, str]  # language → text, like all texts here
    sets: dict[str, int | str] = {}


class OptionInfo(Struct, frozen=True):
    """An option or a preset of a game."""

    name: str
    clause: str
    default: int | str
    about: dict[str, str]
    choices: list[ChoiceInfo]


class Preparation(Struct, frozen=True):
    """How far the server has come with preparing a game that somebody waits for."""

    stage: str  # table: a table can be opened after it; bots: they can move and give hints after it
    share: float  # done, of this stage; below 1
    seconds: float | None = None  # that it will probably still take; None: longer than expected


class GameInfo(Struct, frozen=True):
    """A game's description of itself."""

    id: str
    titles: dict[str, str]
    author: str
    players: list[int]
    usual_players: int
    seat_names: list[dict[str, str]]  # empty: the game does not name its sides
    about: dict[str, str]
    rules: int  # the version of its rules
    options: list[OptionInfo]
    presets: list[OptionInfo]
    compiled: bool = False  # for a table, only loading is left
    ready: bool = False  # a table can be opened right away
    preparation: Preparation | None = None
    lessons: int = 0  # of its tutorial
    puzzles: int = 0


class LevelInfo(Struct, frozen=True):
    """A computer opponent; `strength` is 1 for the weakest, and higher the stronger it is."""

    name: str
    about: dict[str, str]
    strength: int = 0


class Catalogue(Struct, frozen=True):
    """The games that can be played here, and the bots to play against."""

    games: list[GameInfo]
    levels: list[LevelInfo]
    languages: list[str]


class RulesText(Struct, frozen=True):
    """The rules of a game, as Markdown and clause by clause."""

    game: str
    text: str
    clauses: dict[str, str]
    language: str = "en"  # of these texts
    guide: str | None = None  # a page to read before the first game, as Markdown


class LessonInfo(Struct, frozen=True):
    """A lesson of a game's tutorial: the clauses that it teaches, and how many tasks it has."""

    id: str
    clauses: list[str]
    tasks: int


class Lessons(Struct, frozen=True):
    """The lessons of a game, in order, and how a short first game after them is played."""

    game: str
    lessons: list[LessonInfo]
    players: int | None = None  # None: the usual number
    options: dict[str, int | str] = {}


class LessonTry(Struct, frozen=True, forbid_unknown_fields=True):
    """The learner's actions in a lesson so far, and the next one to do, or just to `preview`."""

    actions: Annotated[list[ActionForm], Meta(max_length=40)] = []
    action: ActionForm | None = None
    preview: bool = False


class LessonState(Struct, frozen=True):
    """A lesson in progress. `view` and `lines` are as at a table; nothing of it is stored."""

    view: TableView
    lines: list[Line]
    task: str | None  # what to do now; None if the lesson is done
    done: int  # how many tasks
    point: list[str] = []  # the spots of the board or hand that the task is about
    preview: Previewed | None = None  # if only that was asked for
    changes: list[Changed] = []  # what the action did, then what others did


class ReplayStep(Struct, frozen=True):
    """The game after one action (number 0: after the setup)."""

    number: int
    seat: int | None
    action: str | None  # None also where it is secret
    events: list[Event]
    view: AnyView | None = None  # None if only the log was asked for
    value: AnyAction | None = None  # the same action, structured
    deciders: list[int] = []  # the seats that have to decide next; empty without a view


class Replay(Struct, frozen=True):
    """A game step by step, as a spectator or `seat` may see it. `actions` is the total number."""

    game: str
    players: int
    options: dict[str, int | str]
    seats: list[str]
    seat: int | None
    over: bool
    actions: int
    steps: list[ReplayStep]
    result: Result | None = None


class PositionFile(Struct, frozen=True):
    """A position, as in a position file; its other fields are the game's own."""

    game: str
    rules: int
    players: int
    options: dict[str, int | str]


class Outlook(Struct, frozen=True):
    """What the seats can expect: chances to win and final scores (None without forecasts)."""

    chances: list[float]
    scores: list[float] | None = None


class ReviewedAction(Struct, frozen=True):
    """An action judged by what its seat knew then: `loss` is what it cost of the seat's chance to win."""

    number: int
    seat: int
    action: str
    value: AnyAction  # the same action, structured
    outlook: Outlook  # after it
    loss: float
    forced: bool  # nothing else was possible
    best: HintChoice | None = None  # only where something clearly better was possible


class Review(Struct, frozen=True):
    """The review of a finished game as far as it has come. `actions` are in order; gaps are yet to come."""

    table: str
    done: int  # actions judged so far
    total: int
    complete: bool
    start: Outlook | None  # before the first action; None until that is known
    actions: list[ReviewedAction]


class PlayedGame(Struct, frozen=True):
    """A game of mine; `result`: won, shared or lost. None if it is not over, or I played several seats."""

    table: str
    game: str
    players: int
    status: str  # playing or over
    rated: bool
    created: Milliseconds  # when the table was opened
    ended: Milliseconds | None
    seats: list[SeatView]
    mine: list[int]
    how: str | None = None  # it ended: played, resigned or out-of-time
    result: str | None = None
    ranks: list[int] = []  # the place of each seat; like the scores, only once it is over
    scores: list[int] = []
    rating: RatingPoint | None = None  # what it did to my rating


class PlayedGames(Struct, frozen=True):
    """Some of my games, the newest first; `next` asks for the following ones, None: there are no more."""

    games: list[PlayedGame]
    next: str | None = None


class Results(Struct, frozen=True):
    """How I did in some of my games: those that are over, in which I played one seat.

    `share`: of the victories; one that n players share counts as 1/n.
    """

    games: int
    won: int
    shared: int
    share: float
    average: float  # of my scores
    best: int


class ResultsWith(Results, frozen=True, kw_only=True):
    """The results of games that have something in common: the game, an opponent, the number of players.

    Only that field is set. An opponent is a bot's level or a person's name, of which `name` None and
    `level` None is somebody whose name was deleted.
    """

    game: str | None = None
    players: int | None = None
    level: str | None = None
    name: str | None = None


class MyResults(Struct, frozen=True):
    """My results by game, by opponent (those met most often) and by number of players."""

    all: Results | None  # None if there is no finished game
    by_game: list[ResultsWith]
    by_opponent: list[ResultsWith]
    by_players: list[ResultsWith]


class RatingPoint(Struct, frozen=True):
    """A rating after a rated game, and by how much that changed it."""

    table: str
    at: Milliseconds
    rating: int
    change: int


class GameRating(Struct, frozen=True):
    """A rating at one game. `rating` is cautious: the strength is very probably higher.

    `uncertainty`: by how much the estimate may be off, in the same points.
    """

    game: str
    rating: int
    uncertainty: int
    games: int
    provisional: bool  # few games, so it still changes a lot
    history: list[RatingPoint] = []  # the latest, the oldest of them first


class RatedPerson(Struct, frozen=True):
    """A line of a leaderboard."""

    place: int
    name: str
    rating: int
    uncertainty: int
    games: int
    provisional: bool
    me: bool = False


class Leaderboard(Struct, frozen=True):
    """The best rated people at a game, and how many are rated."""

    game: str
    people: list[RatedPerson]
    rated: int


class Farewell(Struct, frozen=True, forbid_unknown_fields=True):
    """Delete me: my account, for which the password is needed, or this guest."""

    password: Password | None = None


class PositionCheck(Struct, frozen=True, forbid_unknown_fields=True):
    """Is this position possible, and what does `seat` (None: a spectator) see of it?"""

    game: Short
    position: dict[str, Any]
    seat: Seat | None = None


class PositionStart(Struct, frozen=True, forbid_unknown_fields=True):
    """How the game is played whose freshly dealt position is wanted; by default as usual."""

    players: Annotated[int, Meta(ge=1, le=MAX_SEATS)] | None = None
    options: dict[Short, int | Short] = {}
    seat: Seat | None = None  # whose view is wanted; None: a spectator's


class CheckedPosition(Struct, frozen=True):
    """A position that is possible, complete (what was left out is dealt), and what a seat sees of it."""

    game: str
    position: dict[str, Any]
    view: AnyView


class PuzzleInfo(Struct, frozen=True):
    """A puzzle before it is tried."""

    id: str
    rating: int
    players: int


class Puzzles(Struct, frozen=True):
    """The puzzles of a game."""

    game: str
    puzzles: list[PuzzleInfo]


class PuzzleOfTheDay(Struct, frozen=True):
    """The puzzle of a day (in UTC), the same for everyone."""

    game: str
    day: str  # 2099-12-31
    puzzle: PuzzleInfo


class PuzzleTry(Struct, frozen=True, forbid_unknown_fields=True):
    """The solver's actions so far, and the next one to do, or just to `preview`; `give_up` shows the rest."""

    actions: Annotated[list[ActionForm], Meta(max_length=4)] = []
    action: ActionForm | None = None
    preview: bool = False
    give_up: bool = False


class PuzzleChoice(Struct, frozen=True):
    """An action of a puzzle, the solver's chance to win after it, and what it is certain to do."""

    action: str
    value: AnyAction  # the same action, structured
    chance: float
    events: list[Event] = []
    then: list[Line] = []  # what strong players do after a wrong one; only of the most natural


class PuzzleState(Struct, frozen=True):
    """A puzzle in progress. `view` and `lines` are as at a table; nothing of it is stored."""

    puzzle: PuzzleInfo
    seat: int  # the solver's
    view: TableView
    lines: list[Line]
    result: str  # open, wrong, solved, or shown: given up
    done: int  # actions of the solution that were found
    tried: PuzzleChoice | None = None  # what was wrong
    best: float | None = None  # the chance that the right action leaves, told once another was tried
    # Told only once it is over:
    solution: list[PuzzleChoice] = []
    others: list[PuzzleChoice] = []  # wrong actions that look natural, instead of the first of the solution
    levels: dict[str, float] = {}  # how often each level of bots solves it
    preview: Previewed | None = None  # if only that was asked for
    changes: list[Changed] = []  # what the action did, then what others did


class Health(Struct, frozen=True):
    """The state of the server; `ready`: it can take players now."""

    ready: bool
    version: str
    sentence: str


encode = msgspec.json.Encoder().encode
decode_request = msgspec.json.Decoder(ClientFrame).decode
decode_message = msgspec.json.Decoder(ServerFrame).decode
