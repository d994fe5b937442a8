"""Computer players. A bot is given only what its seat may know.

A bot is a function from an imagined game and a seed to an action. The imagined game is the real one
with everything the seat cannot know dealt again, so it contains nothing to peek at.

`find_bot` finds them by name: `random`, `greedy`, `network` (what the network says, one action ahead),
`search:0.2s` (seconds), `search:2000` (iterations), `search:2000,explore=0.8` (a search with other constants,
see `Constants`), `baseline:0.2s` (the search as it was before the networks, to measure against), and the five
levels for people.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, SupportsIndex, Unpack

import numpy as np

from laguna.bots.custom import CustomBot, custom_bot, is_custom
from laguna.bots.lookahead import (
    Analysis,
    Choice,
    Constants,
    ConstantsAsKeywords,
    Forecast,
    analyse,
    forecast,
)
from laguna.bots.network import find_network
from laguna.bots.one_ply import greedy, network, one_ply
from laguna.engine import EngineBot, engine_bot, is_engine
from laguna.errors import BadBot, BadOption, IllegalAction, as_int, either
from laguna.game import Action, Game, check_seed
from laguna.games.contract import Texts
from laguna.kernel.chance import WORDS, draw, seed_stream

__all__ = [
    "BOTS",
    "FORMER_NAMES",
    "LEVELS",
    "Analysis",
    "Bot",
    "Choice",
    "Constants",
    "Forecast",
    "Level",
    "analyse",
    "ask",
    "current_name",
    "find_bot",
    "forecast",
    "instinct",
    "load_bot",
    "network",
    "searched",
]

#: A function of an imagined game and a seed; it returns an action of `game.legal()`, or its code.
Bot = Callable[..., Any]


def random(game: Game, seed: int) -> Action:
    """Any legal action, with equal probability."""
    stream = np.zeros(WORDS, np.uint32)
    seed_stream(stream, seed, 0)
    legal = game.legal()
    return legal[int(draw(stream, len(legal)))]


def search(
    game: Game,
    seed: int,
    seconds: float | None = None,
    iterations: int | None = None,
    threads: int | None = None,
    own_time: bool = False,
    **constants: Unpack[ConstantsAsKeywords],
) -> Action:
    """The action that a search with this budget visits most; a forced one without searching."""
    forced = game.legal()
    if len(forced) == 1:
        return forced[0]
    return _look(game, seed, seconds, iterations, threads, own_time, **constants).best.action


def _look(
    game: Game,
    seed: int,
    seconds: float | None = None,
    iterations: int | None = None,
    threads: int | None = None,
    own_time: bool = False,
    **constants: Unpack[ConstantsAsKeywords],
) -> Analysis:
    """What `search` chooses from."""
    return analyse(
        game,
        seconds=seconds,
        iterations=iterations,
        seed=seed,
        threads=threads,
        own_time=own_time,
        hurry=True,
        forecast=False,
        **constants,
    )


def instinct(game: Game, seed: int, overlook: int = 0, misjudge: float = 0.0, greed: float = 0.0) -> Action:
    """The network one action ahead, see `network`; in a game that has none, the evaluation."""
    if find_network(game.meta.id) is None:
        return one_ply(game, seed, overlook, misjudge / 4)  # good leads, each a few of the network's logits
    return network(game, seed, overlook, misjudge, greed)


@dataclass(frozen=True)
class Level:
    """A bot offered to people as an opponent; `strength` counts from 1, the weakest."""

    name: str
    strength: int
    bot: Bot
    about: Texts


#: The opponents for people, the weakest first. No card or piece of any game has the name of one of them.
LEVELS = (
    Level(
        "turtle",
        1,
        partial(one_ply, overlook=50, misjudge=1.0),
        {
            "en": "Takes it easy: overlooks half of what is possible. A friendly first opponent.",
            "ru": "Никуда не спешит и замечает половину возможностей. Дружелюбный первый соперник.",
            "it": "Se la prende comoda e vede metà delle possibilità. Un primo avversario amichevole.",
        },
    ),
    Level(
        "heron",
        2,
        partial(one_ply, overlook=18, misjudge=0.4),
        {
            "en": "Takes the obvious gain, thinks no further, and sometimes misses it.",
            "ru": "Берёт то, что лежит под рукой, дальше не думает и иногда упускает.",
            "it": "Prende ciò che ha davanti, non pensa oltre, e a volte se lo lascia sfuggire.",
        },
    ),
    Level(
        "seal",
        3,
        partial(instinct, overlook=17, misjudge=0.9, greed=0.5),
        {
            "en": "Bold and hungry: goes for its own points, whatever others do, and misses a chance or two.",
            "ru": "Смелый и жадный: гонится за своими очками, на других не смотрит и кое-что упускает.",
            "it": "Audace e ingorda: insegue i propri punti senza badare agli altri, e qualcosa le sfugge.",
        },
    ),
    Level(
        "dolphin",
        4,
        partial(instinct, misjudge=0.4),
        {
            "en": "Plays by feel: has learned from millions of games against itself, and does not calculate.",
            "ru": "Играет по чутью: научился на миллионах партий с самим собой и ничего не просчитывает.",
            "it": "Gioca a istinto: ha imparato da milioni di partite contro sé stesso, e non calcola.",
        },
    ),
    Level(
        "kraken",
        5,
        partial(search, seconds=1.5),
        {
            "en": "Our strongest: the same feel, and a second and a half of calculation on all cores.",
            "ru": "Сильнейший из наших: то же чутьё и полторы секунды расчёта на всех ядрах.",
            "it": "Il più forte: lo stesso istinto, e un secondo e mezzo di calcolo su tutti i core.",
        },
    ),
)

#: The bots that have a name of their own; `find_bot` also knows searches by their budget.
BOTS: dict[str, Bot] = {
    "random": random,
    "greedy": greedy,
    "network": network,
    **{level.name: level.bot for level in LEVELS},
}
#: The search of before the networks: hand-made evaluation, one observer, one world for each look.
BASELINE: ConstantsAsKeywords = {
    "evaluation": "evaluate",
    "hand_visits": 1_000_000,
    "open_at": 3,
    "look_until": 0,
    "win_share": 0.8,
    "own_view": False,
}
#: What bots were called before: such a name is still understood in commands, requests and stored tables.
FORMER_NAMES = {"shell": "turtle"}
_SEARCH = re.compile(r"(search|baseline):(?:(\d{1,4}(?:\.\d{1,3})?)s|(\d{1,9}))((?:,\w+=[\w.]+)*)")
_ON_OR_OFF = {"on": True, "off": False}
_READ: dict[str, Callable[[str], Any]] = {
    "explore": float,
    "sharpness": float,
    "playout": int,
    "care": int,
    "halving": _ON_OR_OFF.__getitem__,
    "own_view": _ON_OR_OFF.__getitem__,
    "evaluation": str,
    "network": str,
    "win_share": float,
    "hand_visits": int,
    "look_until": int,
    "open_at": int,
}


def current_name(name: str) -> str:
    """What the bot with that name is called now."""
    return FORMER_NAMES.get(name, name)


def find_bot(name: str, threads: int | None = None, own_time: bool = False) -> Bot:
    """The bot with that name; `threads` and `own_time` are for searches by seconds, see `analyse`."""
    name = current_name(name)
    if name in BOTS:
        bot = BOTS[name]
        searches = isinstance(bot, partial) and bot.func is search
        return partial(bot, threads=threads, own_time=own_time) if searches else bot
    asked = _SEARCH.fullmatch(name)
    if asked is None or not float(asked[2] or asked[3]):
        raise BadOption(
            "unknown-bot",
            f"There is no bot {name!r:.40}; the bots are {either(BOTS)}, search:0.2s for seconds, "
            "search:2000 for iterations, and baseline:0.2s.",
            choices=list(BOTS),
        )
    before = BASELINE if asked[1] == "baseline" else {}
    constants = {**before, **_constants(asked[4])}
    if asked[2]:
        return partial(search, seconds=float(asked[2]), threads=threads, own_time=own_time, **constants)
    return partial(search, iterations=int(asked[3]), **constants)


def _constants(text: str) -> dict[str, Any]:
    """Parse `,explore=0.8,halving=off`."""
    given: dict[str, Any] = {}
    for each in text.split(",")[1:]:
        name, _, value = each.partition("=")
        if name not in _READ:
            raise BadOption(
                "constant", f"A search has no constant {name!r:.40}; it has {either(_READ, 'and')}."
            )
        try:
            given[name] = _READ[name](value)
        except (ValueError, KeyError):
            wanted = "on or off" if name in ("halving", "own_view") else "a number"
            raise BadOption("constant", f"{name} must be {wanted}, not {value!r:.40}.") from None
    Constants(**given)
    return given


def load_bot(name: str, threads: int | None = None, own_time: bool = False) -> Bot:
    """The bot with that name, which may also be a custom one, `module:function`, or `engine:COMMAND`.

    This imports the module or starts the program, so use it only for names typed by the user of this machine;
    servers use `find_bot`.
    """
    if is_engine(name):
        return engine_bot(name)
    return custom_bot(name) if is_custom(name) else find_bot(name, threads, own_time)


def ask(bot: Bot, game: Game, seed: SupportsIndex) -> Action:
    """What the bot would do for the seat to move; the game does not change."""
    seat = game.seat
    if seat is None:
        raise BadOption("over", "The game is over; there is nothing to choose.")
    number = check_seed(seed)
    answer = bot(game.imagine(seat, number), number)
    if not isinstance(answer, Action) and as_int(answer) is None:
        text = f"{_name(bot)} answered {answer!r:.40}; a bot must return one of game.legal(), or its code."
        raise BadBot("bot-answer", text)
    try:
        return game.check(answer)
    except IllegalAction as error:
        raise BadBot("bot-answer", f"{_name(bot)} chose {answer}: {error}", clause=error.clause) from None


def searched(bot: Bot, game: Game, seed: SupportsIndex) -> Analysis | None:
    """What a bot finds when it searches here; its best action is what `ask` would answer.

    None if the bot does not search, or if nothing is left to choose.
    """
    if not isinstance(bot, partial) or bot.func is not search:
        return None
    if game.seat is None or len(game.legal()) == 1:
        return None
    number = check_seed(seed)
    return _look(game.imagine(game.seat, number), number, *bot.args, **bot.keywords)


def _name(bot: Bot) -> str:
    name = bot.name if isinstance(bot, CustomBot | EngineBot) else getattr(bot, "__name__", "")
    return f"The bot {name}".rstrip()
