"""Files of games dealt from shares: a change is found, by the file alone or by a noted head."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from msgspec import convert

import laguna
from laguna.cli.verifying import findings
from laguna.errors import LagunaError
from laguna.fair import Deal, seal_of
from laguna.game import set_up_live
from laguna.games import find, rulebooks
from laguna.table.entries import Settings
from laguna.table.table import Table
from tests.size import scaled
from tests.table.tables import ANN, NOW, dealt_from_shares, open_table, random_play, sealed_table, share_of
from tests.test_fair import verify

Document = dict[str, Any]


def played(game: str, players: int = 2) -> Document:
    """The file of a random game, which all followed to its end."""
    table = dealt_from_shares(game, players)
    for _ in random_play(table, 4):
        pass
    document: Document = json.loads(table.game_file())
    return document


def beginning(document: Document) -> laguna.Game:
    """The game of the file, before the first action."""
    deal, secret = convert(document["deal"], Deal), bytes.fromhex(document["secret"])
    names, options = document["seats"], document["options"]
    return set_up_live(document["game"], document["players"], secret, names, options, deal)


# ------------------------------------------------------------------ changes


def swap(document: Document, chance: random.Random) -> None:
    actions = document["actions"]
    one, other = chance.sample(range(len(actions)), 2)
    while actions[one] == actions[other]:
        one, other = chance.sample(range(len(actions)), 2)
    actions[one], actions[other] = actions[other], actions[one]


def replace(document: Document, chance: random.Random) -> None:
    """One that was legal, too."""
    actions = document["actions"]
    number = chance.randrange(len(actions))
    before = beginning(document)
    for action in actions[:number]:
        before.play(action)
    others = [str(action) for action in before.legal() if str(action) != actions[number]]
    actions[number] = chance.choice(others or ["nonsense"])


def drop(document: Document, chance: random.Random) -> None:
    del document["actions"][chance.randrange(len(document["actions"]))]


def cut(document: Document, chance: random.Random) -> None:
    del document["actions"][chance.randrange(len(document["actions"])) :]
    document["result"] = None


def rename(document: Document, chance: random.Random) -> None:
    document["seats"][chance.randrange(document["players"])] += "x"


def other_game(document: Document, chance: random.Random) -> None:
    games = [game for game in rulebooks() if game != document["game"]]
    document["game"] = chance.choice(games)
    document["options"] = find(document["game"]).meta.resolve(document["players"], {})[1]


CHANGES = (swap, replace, drop, cut, rename, other_game)


@pytest.mark.parametrize("game", ["neptune-vesta", "atlantis"])
def test_every_change_of_a_file_is_refused(game: str) -> None:
    document, chance = played(game), random.Random(7)
    laguna.loads(json.dumps(document))
    for number in range(scaled(200, 2000)):
        changed = json.loads(json.dumps(document))
        CHANGES[number % len(CHANGES)](changed, chance)
        with pytest.raises(LagunaError, match=r"\.$"):
            laguna.loads(json.dumps(changed))


@pytest.mark.parametrize("game", scaled(["atlantis"], ["atlantis", "neptune-vesta"]))
def test_a_forger_who_computes_the_chain_again_fails_at_a_noted_head(game: str) -> None:
    """With the secret anyone can write a file that fits in itself, but not one that has the noted head."""
    document, chance = played(game), random.Random(8)
    noted = document["head"]
    forged = 0
    for number in range(scaled(200, 2000)):
        changed = json.loads(json.dumps(document))
        CHANGES[number % 4](changed, chance)
        if (text := consistent(changed)) is None:
            continue
        forged += 1
        with pytest.raises(LagunaError, match="went otherwise"):
            list(findings(laguna.loads(text), None, noted))
    assert forged > 20


def consistent(document: Document) -> str | None:
    """The file with a result and a head that fit its actions; None if these break the rules."""
    game = beginning(document)
    try:
        for action in document["actions"]:
            game.play(action)
    except LagunaError:
        return None
    return game.dumps()


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("head", "0" * 64),
        ("head", None),
        ("head", "zero"),
        ("deal", None),
        ("deal.table", "u" * 22),
        ("deal.names", []),
        ("deal.names.0", "0" * 64),
        ("deal.seals.0", None),
        ("deal.seals.0", "0" * 64),
        ("deal.shares.0", share_of(3)),
        ("deal.shares.0", None),
        ("deal.shares.1", "f"),
        ("deal.more", 1),
    ],
)
def test_what_a_deal_follows_from_cannot_be_changed(path: str, value: Any) -> None:
    document: Any = played("venice-2099")
    at = document
    *way, last = path.split(".")
    for each in way:
        at = at[int(each)] if each.isdigit() else at[each]
    at[int(last) if last.isdigit() else last] = value
    with pytest.raises(LagunaError, match=r"\.$"):
        laguna.loads(json.dumps(document))


def test_a_game_from_a_seed_has_no_deal() -> None:
    document = json.loads(laguna.new("neptune-vesta", seed=1).dumps())
    with pytest.raises(LagunaError, match="no deal"):
        laguna.loads(json.dumps(document | {"deal": played("neptune-vesta")["deal"]}))


# ------------------------------------------------------------------ what `laguna verify` says


def test_verify_says_whose_shares_took_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    table = sealed_table("venice-2099", 4, shares=[share_of(0), share_of(1)])
    table.put_bot(ANN, 2, "dolphin", NOW)
    table.put_bot(ANN, 3, "heron", NOW)
    table.start(ANN, NOW)
    table.share(ANN, share_of(0), NOW)
    table.tick(NOW + 60_000)
    path = tmp_path / "game.laguna.json"
    path.write_text(table.started.dumps())
    assert verify(monkeypatch, str(path)) == 0
    shown = capsys.readouterr().out
    assert "the shares of Ann (seat 0)." in shown and "left out: the share of Bob (seat 1)" in shown
    assert "dolphin (seat 2) and heron (seat 3)" in shown and "--head" in shown
    assert f"head {table.heads[-1]}" in shown
    assert verify(monkeypatch, str(path), "--head", table.heads[0].upper()) == 0
    assert "after 0 of 0 actions" in capsys.readouterr().out
    assert verify(monkeypatch, str(path), "--head", "0" * 64) == 2
    assert "went otherwise" in capsys.readouterr().err


def test_verify_says_that_nobody_took_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    table = open_table()
    table.sit(ANN, 0, NOW)
    table.put_bot(ANN, 1, "heron", NOW)
    table.start(ANN, NOW)
    path = tmp_path / "game.laguna.json"
    path.write_text(table.started.dumps())
    assert verify(monkeypatch, str(path)) == 0
    shown = capsys.readouterr().out
    assert "could have chosen the deal" in shown and "No share was sealed for Ann (seat 0)" in shown


def test_verify_takes_an_old_file_as_what_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    old = set_up_live("neptune-vesta", 2, bytes(range(32)), None, {})
    path = tmp_path / "old.laguna.json"
    path.write_text(old.dumps())
    assert verify(monkeypatch, str(path)) == 0
    assert "from the server's secret alone" in capsys.readouterr().out
    assert verify(monkeypatch, str(path), "--head", "0" * 64) == 2
    assert "no hash chain" in capsys.readouterr().err


def test_a_table_from_the_file_of_a_game_has_its_deal() -> None:
    table = dealt_from_shares()
    for _ in random_play(table, 2):
        pass
    text = table.game_file()
    assert Table.from_game("f" * 22, laguna.loads(text), NOW).game_file() == text


def test_the_program_in_the_docs_checks_files_too() -> None:
    """Written from the description alone, with nothing of Laguna."""
    text = (Path(__file__).parents[1] / "docs" / "fair.md").read_text(encoding="utf-8")
    names: dict[str, Any] = {}
    exec(text.split("```python\n")[1].split("```")[0], names)
    head_of = names["head_of"]
    start = laguna.new("neptune-vesta", seed=2).position(undrawn=False)
    table = Table.open("t" * 22, Settings("neptune-vesta"), ANN, bytes(32), NOW, position=start)
    table.put_bot(ANN, 1, "heron", NOW)
    table.sit(ANN, 0, NOW, seal_of(bytes.fromhex(share_of(0))))
    table.start(ANN, NOW)
    table.share(ANN, share_of(0), NOW)
    assert head_of(table.started.dumps()) == table.heads[0]
    document, chance = played("atlantis"), random.Random(1)
    assert head_of(json.dumps(document)) == document["head"]
    for change in CHANGES:
        changed = json.loads(json.dumps(document))
        change(changed, chance)
        with pytest.raises(AssertionError):
            head_of(json.dumps(changed))
