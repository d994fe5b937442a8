"""`laguna`: play, view and check games, read the rules, measure speed, serve tables."""

from __future__ import annotations

import json
import sys
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.markdown import Markdown
from rich.text import Text

import laguna
from laguna.cli import accounts, datasets, puzzles, serving
from laguna.cli.interrupt import Interrupted, leave_at_once
from laguna.cli.report import report
from laguna.errors import BadOption, LagunaError, either
from laguna.games import find, rulebooks
from laguna.games.contract import Meta

if TYPE_CHECKING:
    from laguna.lab.bench import SearchSpeed, Speed
    from laguna.lab.simulation import Simulation

app = typer.Typer(
    help="Games of sea and glass: play them, study them, simulate them.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
# No markup: names and paths are user input, and brackets in them are just brackets.
out = Console(markup=False, highlight=False)
err = Console(stderr=True, markup=False, highlight=False)

GameName = Annotated[str, typer.Argument(metavar="GAME", help="The game's id (see `laguna games`).")]
GameNames = Annotated[list[str] | None, typer.Argument(metavar="[GAME…]", help="Default: all games.")]
Options = Annotated[list[str] | None, typer.Option(help="NAME=VALUE (see `laguna games`).")]
FilePath = Annotated[Path, typer.Argument(metavar="FILE", help="A game file or a position file.")]
Bots = Annotated[
    str, typer.Option(help="By seat, e.g. random,greedy; the last one fills the remaining seats.")
]
Players = Annotated[int | None, typer.Option(help="By default as many as bots, or the usual number.")]
FirstSeed = Annotated[int, typer.Option(min=0, help="Seed of the first deal.")]
FixedSeats = Annotated[
    bool, typer.Option("--fixed-seats", help="Bots that differ keep their seats; otherwise they rotate.")
]
Device = Annotated[str, typer.Option(help="auto, cpu or cuda (random, greedy, network, quick levels).")]
Cluster = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="Play on a Ray cluster: auto, local, or its address.")
]
Cores = Annotated[int | None, typer.Option(help="Processes or threads; by default all cores.")]


def version(wanted: bool) -> None:
    if wanted:
        out.print(f"laguna {laguna.__version__}")
        raise typer.Exit


@app.callback()
def common(
    _: Annotated[
        bool, typer.Option("--version", callback=version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    pass


@app.command()
def play(
    game: GameName = "neptune-vesta",
    seats: Annotated[
        str | None,
        typer.Option(
            help="Who plays each seat, e.g. you,greedy or you,mybots:careful or 'you,engine:mine --fast'."
        ),
    ] = None,
    players: Annotated[
        int | None, typer.Option(help="Number of players; by default as many as the seats named.")
    ] = None,
    option: Options = None,
    seed: Annotated[int | None, typer.Option(help="Seed of the deal; random by default.")] = None,
    start: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", help="Continue from a game or position file.")
    ] = None,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Save the game here when it ends.")
    ] = None,
) -> None:
    """Play at the terminal, against bots or each other. Type ? at the prompt for help."""
    from laguna.cli.compiling import compile_game
    from laguna.cli.session import QUICK, Session, seat_players, split_seats, write_new
    from laguna.engine import close_engines

    named = split_seats(seats or "")
    _import_from_here(named)
    book = find(game)
    if seats and players is None and len(named) in book.meta.players:
        players = len(named)
    count, options = book.meta.resolve(players, _options(book.meta, option or []))
    if save and save.exists():
        raise BadOption("exists", f"{str(save)!r} already exists; choose another name.")
    if start is None:
        who = seat_players(count, seats)
        compile_game(book, err, search=any(name not in QUICK for name in who))
        table = laguna.new(game, players=count, seed=seed, seats=_names(book.meta, who), **options)
    else:
        table = _load(start)
        who = seat_players(table.players, seats)
        compile_game(find(table.meta.id), err, search=any(name not in QUICK for name in who))
    try:
        finished = Session(table, who, out).run()
    finally:
        close_engines()
    if save:
        write_new(save, table.dumps())
        out.print(f"Saved to {save}.")
    if not finished and not save:
        out.print("You left the game. (To keep a game, use --save FILE or type `save FILE`.)")


def _names(meta: Meta, who: list[str]) -> list[str]:
    """Seat names that show which seats are bots."""
    from laguna.game import short_name

    return [
        meta.seat_name(seat) if player == "you" else short_name(f"{meta.seat_name(seat)} ({player})")
        for seat, player in enumerate(who)
    ]


def _import_from_here(bots: list[str]) -> None:
    """Also look for custom bot modules in the current folder, as `python -m` does."""
    from laguna.bots.custom import is_custom

    if any(map(is_custom, bots)):
        sys.path.insert(0, str(Path.cwd()))


def _options(meta: Meta, pairs: list[str]) -> dict[str, Any]:
    """Read NAME=VALUE pairs; a value is matched against the option's choices by its text."""
    given: dict[str, Any] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise BadOption("option", f"--option takes NAME=VALUE, not {pair!r:.60}.")
        choices = [choice for option in meta.options if option.name == name for choice in option.choices]
        given[name] = next((choice for choice in choices if str(choice) == value), value)
    return given


def _print_json(data: Any) -> None:
    print(json.dumps(data, ensure_ascii=False, indent=2))


def _load(path: Path) -> laguna.Game:
    """Load a game from a game file or a position file."""
    from laguna.files import load

    return load(path)


@app.command()
def games(
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
) -> None:
    """List the games, their player counts and options."""
    if as_json:
        _print_json([book.meta.as_json() for book in rulebooks().values()])
        return
    for book in rulebooks().values():
        meta = book.meta
        who = f"{meta.title} ({meta.author}), {either(meta.players)} players"
        out.print(Text(meta.id, "bold"), who)
        out.print(f"  {meta.about['en']}")
        for option in meta.choosable:
            out.print(f"  --option {option.name}=…  {option.about['en']} ({option.clause})")
            for choice, texts in option.choices.items():
                default = " (default)" if choice == option.default else ""
                out.print(f"      {choice}: {texts['en']}{default}")


@app.command()
def rules(
    game: GameName,
    clause: Annotated[str | None, typer.Argument(help="Only this clause, e.g. N10.")] = None,
    language: Annotated[str, typer.Option(help="en, ru or it.")] = "en",
    guide: Annotated[bool, typer.Option("--guide", help="The short guide instead of the rules.")] = False,
    search: Annotated[str | None, typer.Option(help="Only the clauses that contain these words.")] = None,
) -> None:
    """Print the rules of a game, one clause of them, or the short guide."""
    from laguna.rulebook import clause_text, clauses_with, guide_text, rules_text

    find(game)
    if sum((clause is not None, guide, search is not None)) > 1:
        raise BadOption("rules", "Give a clause, --guide or --search, not several of them.")
    if clause:
        out.print(clause_text(game, clause, language))
    elif search is not None:
        found = clauses_with(game, search, language)
        out.print("\n\n".join(found) or f"No clause contains {search!r:.40}.")
    else:
        text = guide_text(game, language) if guide else rules_text(game, language)
        if text is None:
            raise LagunaError("no-guide", f"There is no guide to {game}.")
        out.print(Markdown(text) if out.is_terminal else text)


@app.command()
def show(
    file: FilePath,
    at: Annotated[
        int | None, typer.Option(help="Show the board after this many actions; by default the last.")
    ] = None,
    seat: Annotated[
        int | None, typer.Option(help="Show what this seat sees; by default what a spectator sees.")
    ] = None,
    log: Annotated[bool, typer.Option("--log", help="Also print the log.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the view as JSON.")] = False,
    svg: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw it as an SVG, in a new file.")
    ] = None,
    png: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw it as a PNG, in a new file.")] = None,
) -> None:
    """Draw the board of a game file or position file."""
    from laguna.cli.session import SECRET, result, write_new

    game = _load(file)
    played = len(game.actions)
    if at is not None and not 0 <= at <= played:
        raise BadOption("at", f"--at must be from 0 to {played} for this file, not {at}.")
    for _ in range(played - (played if at is None else at)):
        game.undo()
    if svg:
        write_new(svg, game.svg(seat))
    if png:
        write_new(png, game.png(seat))
    if svg or png:
        return
    view = game.view(seat)
    if as_json:
        _print_json(view)
        return
    out.print(f"{game.meta.title}, after {len(game.actions)} of {played} actions", style="bold")
    if log:
        for entry in game.log_for(seat):
            who = "set-up" if entry["seat"] is None else f"{game.seats[entry['seat']]}: "
            did = "" if entry["seat"] is None else entry["action"] or SECRET
            text = " ".join(event["sentence"] for event in entry["events"])
            out.print(f"{entry['number']:4} {who}{did} {text}")
    out.print(find(game.meta.id).terminal.draw(view))
    if game.over:
        out.print(result(game), style="bold")


@app.command()
def check(files: Annotated[list[Path], typer.Argument(metavar="FILE…")]) -> None:
    """Replay game files and validate position files. The exit code is 2 if one is wrong."""
    wrong = False
    for file in files:
        try:
            game = _load(file)
            ending = f"scores {game.scores}, winners {game.winners}" if game.over else "not finished"
            text = f"{file}: {game.meta.id}, {len(game.actions)} actions, {ending}"
            out.print(text, soft_wrap=True)
        except LagunaError as error:
            wrong = True
            err.print(f"{file}: {error}", soft_wrap=True)
    if wrong:
        raise typer.Exit(2)


@app.command()
def verify(
    file: FilePath,
    noted: Annotated[
        str | None, typer.Option("--commitment", help="The commitment you wrote down when the table opened.")
    ] = None,
    head: Annotated[
        str | None, typer.Option("--head", help="A head of the hash chain that you wrote down.")
    ] = None,
) -> None:
    """Deal a live game again, replay every action, check all of it, and say what that proves.

    It is dealt from the secret and the players' shares, and compared with what you wrote down.
    """
    from laguna.cli.verifying import findings

    game = _load(file)
    if game.secret is None:
        raise BadOption(
            "seeded", f"{str(file)!r} was dealt from a seed, so there is no commitment to verify."
        )
    for sentence in findings(game, noted, head):
        out.print(sentence, soft_wrap=True, highlight=False)


@app.command()
def schema(game: GameName) -> None:
    """Print the JSON schema of a game's position files."""
    from laguna.files import position_schema

    _print_json(position_schema(game))


@app.command()
def bench(
    names: GameNames = None,
    players: Annotated[int | None, typer.Option(help="Number of players.")] = None,
    seconds: Annotated[float, typer.Option(min=0.1, max=60, help="Seconds for each measurement.")] = 2.0,
    search: Annotated[bool, typer.Option("--search", help="Measure the search instead of playouts.")] = False,
    with_peers: Annotated[
        bool, typer.Option("--peers", help="Also measure OpenSpiel in the same run.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="JSON instead of a table.")] = False,
) -> None:
    """Measure random playouts (games and decisions per second), or the search (iterations per second)."""
    from laguna.cli.compiling import compile_game
    from laguna.cli.speeds import print_speeds
    from laguna.lab.bench import bench as measure
    from laguna.lab.bench import search_speed

    measured: list[Speed | SearchSpeed] = []
    for name in names or list(rulebooks()):
        book = find(name)
        count, _ = book.meta.resolve(players, {})
        compile_game(book, err, search=search)
        with err.status(f"Measuring {book.meta.title}…"):
            measured += [search_speed(name, count, seconds)] if search else measure(name, count, seconds)
    others: list[Speed | SearchSpeed] = []
    if with_peers:
        from laguna.lab.peers import peers, searching_peers

        with err.status("Measuring OpenSpiel…"):
            others += searching_peers(seconds) if search else peers(seconds)
    if as_json:
        _print_json([speed.as_json() for speed in measured + others])
        return
    print_speeds(out, "search, playouts to the end" if search else "random playouts", measured, others)


@app.command()
def tournament(
    game: GameName,
    bots: Annotated[
        list[str], typer.Argument(metavar="BOT…", help="The last one fills the remaining seats.")
    ],
    games: Annotated[int, typer.Option(help="At least this many games, in complete deals.")] = 100,
    players: Annotated[
        int | None, typer.Option(help="Number of players; by default the number of bots.")
    ] = None,
    seconds: Annotated[float, typer.Option(help="Thinking time of a bot named just `search`.")] = 0.2,
    option: Options = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the first deal.")] = 0,
    folder: Annotated[
        Path | None, typer.Option(help="Keep a journal here; rerun the command to resume.")
    ] = None,
    keep: Annotated[bool, typer.Option("--keep", help="Save every game file in the folder.")] = False,
    stop_early: Annotated[
        bool, typer.Option("--stop-early", help="Stop as soon as the result is clear.")
    ] = False,
    json_file: Annotated[Path | None, typer.Option("--json", metavar="FILE")] = None,
    csv_file: Annotated[Path | None, typer.Option("--csv", metavar="FILE")] = None,
    ray: Cluster = None,
) -> None:
    """Let bots play each other and print win shares and Elo ratings with confidence intervals.

    Every deal is played in all rotations of the seats. A bot is random, greedy, network, a level (turtle,
    heron, seal, dolphin, kraken), search, search:0.2s or search:2000, baseline:0.2s, or yours as
    module:function or engine:COMMAND (a program that speaks the protocol of docs/engine.md).
    """
    from laguna.cli.tournament import fill_seats, hold, timed
    from laguna.lab.tournament import Plan

    _import_from_here(bots)
    meta = find(game).meta
    count, options = meta.resolve(players or max(len(bots), min(meta.players)), _options(meta, option or []))
    for path in (json_file, csv_file):
        if path and path.exists():
            raise BadOption("exists", f"{str(path)!r} already exists; choose another name.")
    if keep and folder is None:
        raise BadOption("keep", "--keep needs a --folder to keep the games in.")
    plan = Plan(game, fill_seats(timed(bots, seconds), count), games, options, seed)
    hold(out, err, plan, folder, keep, stop_early, json_file, csv_file, ray)


@app.command()
def simulate(
    game: GameName,
    bots: Bots = "random",
    players: Players = None,
    option: Options = None,
    games: Annotated[int, typer.Option(help="At least this many, in complete rotations.")] = 10_000,
    seed: FirstSeed = 0,
    output: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Keep one row per game: .parquet, .arrow, .csv, .json, .json.gz."),
    ] = None,
    actions: Annotated[bool, typer.Option("--actions", help="Keep the actions, too.")] = False,
    fixed_seats: FixedSeats = False,
    device: Device = "auto",
    ray: Cluster = None,
    cores: Cores = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Also write the totals here.")
    ] = None,
) -> None:
    """Play many games between bots and add them up: wins, scores, lengths, branching.

    The same seed gives the same games on any number of cores, on a GPU and on a cluster. After Ctrl-C, the
    same command with the same --output resumes.
    """
    from laguna.cli import simulation
    from laguna.cli.session import write_new

    if actions and output is None:
        raise BadOption("actions", "--actions needs an --output to keep them in.")
    if json_file and json_file.exists():
        raise BadOption("exists", f"{str(json_file)!r} already exists; choose another name.")
    plan = _simulation(game, bots, players, option, games, seed, fixed_seats, actions, False)
    found = simulation.run(out, err, plan, output, device, cores, ray)
    if json_file:
        write_new(json_file, json.dumps(found, indent=2) + "\n")


@datasets.commands.command("make")
def make_dataset(
    game: GameName,
    output: Annotated[Path, typer.Option(metavar="FILE", help=".parquet, .arrow, .csv, .json or .json.gz.")],
    bots: Bots = "network",
    players: Players = None,
    option: Options = None,
    games: Annotated[int, typer.Option(help="At least this many, in complete rotations.")] = 1000,
    seed: FirstSeed = 0,
    visits: Annotated[
        bool, typer.Option("--visits", help="Keep what searching bots found: visits and chances.")
    ] = False,
    fixed_seats: FixedSeats = False,
    device: Device = "auto",
    ray: Cluster = None,
    cores: Cores = None,
) -> None:
    """Play games and keep all their actions: the same as `laguna simulate --actions`."""
    from laguna.cli import simulation

    plan = _simulation(game, bots, players, option, games, seed, fixed_seats, True, visits)
    simulation.run(out, err, plan, output, device, cores, ray)


def _simulation(
    game: str,
    bots: str,
    players: int | None,
    option: list[str] | None,
    games: int,
    seed: int,
    fixed_seats: bool,
    codes: bool,
    visits: bool,
) -> Simulation:
    """The plan of a simulation from its options."""
    from laguna.bots import current_name
    from laguna.cli.session import split_seats
    from laguna.cli.tournament import fill_seats
    from laguna.lab.simulation import Simulation

    named = [current_name(name) for name in split_seats(bots)]
    _import_from_here(named)
    meta = find(game).meta
    if players is None and len(named) > 1:
        players = max(len(named), min(meta.players))
    count, options = meta.resolve(players, _options(meta, option or []))
    rotate = False if fixed_seats else None
    return Simulation(game, fill_seats(named, count), games, options, seed, codes, visits, rotate)


@app.command()
def train(
    game: GameName,
    minutes: Annotated[float | None, typer.Option(help="As many rollouts as there is time for.")] = None,
    rollouts: Annotated[
        int | None, typer.Option(min=1, help="This many instead: the same seed, the same network (on a CPU).")
    ] = None,
    games: Annotated[int | None, typer.Option(min=2, help="Games that are played at once.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the games and of the first weights.")] = 0,
    device: Annotated[str, typer.Option(help="auto, cpu or cuda.")] = "auto",
    folder: Annotated[
        Path, typer.Option(help="For the checkpoint and the candidate; rerun the command to resume.")
    ] = Path("networks"),
    start: Annotated[
        str | None, typer.Option("--from", help="Start from this network, such as champion.")
    ] = None,
    search_games: Annotated[
        int, typer.Option(min=0, help="First let it search through so many games, and learn from these, too.")
    ] = 0,
    search_iterations: Annotated[int, typer.Option(min=64, help="Of each of these searches.")] = 400,
    constant: Annotated[
        list[str] | None, typer.Option("--set", help="A constant of learning, such as noise=0.1.")
    ] = None,
    install: Annotated[
        bool, typer.Option("--install", help="Let the candidate become the champion if it is better.")
    ] = False,
) -> None:
    """Train a network by self-play, and let it challenge the champion (needs PyTorch, best with a GPU)."""
    from laguna.cli import training

    options = training.TrainingOptions(
        game,
        minutes,
        rollouts,
        games,
        seed,
        device,
        folder,
        start,
        search_games,
        search_iterations,
        constant or [],
        install,
    )
    training.train(out, err, options)


@app.command()
def analyse(
    file: FilePath,
    seconds: Annotated[float | None, typer.Option(help="Thinking time per action (default 0.3).")] = None,
    iterations: Annotated[
        int | None, typer.Option(help="Use this instead of seconds for repeatable results.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON instead of a table.")] = False,
) -> None:
    """Analyze a game: the chances after every action, the biggest mistakes, and better choices."""
    from laguna.cli.analysis import judge_all, print_judgments

    game = _load(file)
    if seconds is None and iterations is None:
        seconds = 0.3
    judged = judge_all(err, game, seconds, iterations)
    if as_json:
        _print_json([each.as_json() for each in judged])
    else:
        print_judgments(out, game, judged)


@app.command()
def engine() -> None:
    """Let another program use our bots: a protocol of lines, see docs/engine.md."""
    from laguna.cli.engine import serve

    serve(err)


@app.command("warm-up")
def warm_up(
    names: GameNames = None,
    search: Annotated[bool, typer.Option("--search", help="Also compile the search.")] = False,
    server: Annotated[bool, typer.Option("--server", help="Compile everything that a server uses.")] = False,
) -> None:
    """Compile the rules before the first game; several games are compiled in parallel."""
    from laguna.cli.compiling import compile_game, compile_games

    books = [find(name) for name in names or rulebooks()]
    if server:
        serving.settings_from(None, None)
    if server or len(books) > 1:
        compile_games(books, err, "server" if server else "search" if search else "rules")
        return
    for book in books:
        compile_game(book, err)
        if search:
            compile_game(book, err, search=True)
        err.print(f"{book.meta.title}: ready")


app.add_typer(puzzles.commands, name="puzzles")
app.add_typer(datasets.commands, name="dataset")
app.add_typer(accounts.commands, name="accounts")
for command in (report, serving.serve, serving.worker, serving.doctor, serving.backup):
    app.command()(command)


def _allow_any_bytes() -> None:
    """File names and typed lines may not be UTF-8: show other bytes escaped, or as a question mark."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")


def main() -> None:
    """Bad input ends with one sentence and exit code 2, Ctrl-C with exit code 130."""
    _allow_any_bytes()
    try:
        app()
    except LagunaError as error:
        err.print(f"laguna: {error}", soft_wrap=True)
        sys.exit(2)
    except Interrupted as interrupted:
        err.print(f"laguna: {interrupted}", soft_wrap=True)
        leave_at_once()
