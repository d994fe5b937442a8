"""Nothing hidden leaves, and a leak would be noticed."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from laguna import messages
from laguna.errors import IllegalAction, LagunaError
from laguna.game import Action
from laguna.messages import SeatWish
from laguna.server.live.bot_jobs import with_events
from laguna.table import permissions, redact
from laguna.table.entries import Acted
from laguna.table.state import State
from laguna.table.table import Table
from tests.every import Kind, main_kinds, random_steps
from tests.size import scaled
from tests.table.tables import ANN, BOB, EVE, GAMES, NOW, PEOPLE, playing, random_play, some_action
from tests.table.test_seats import refused

KINDS = [
    ("neptune-vesta", 2, {}),
    ("mille-fiori", 2, {}),
    ("mille-fiori", 3, {"draft": "open"}),
    ("mille-fiori", 4, {}),
    ("atlantis", 3, {}),
    ("venice-2099", 3, {}),
]


def received(table: Table, person_id: str | None, attempts: Iterable[str]) -> bytes:
    """All that this person can get out of the table: view, log, refusals of what is not allowed, export."""
    view, lines = redact.table_view(table, person_id, NOW, {0}), redact.lines(table, person_id, 0)
    update = redact.Update(table, 0, NOW, {0}).changed(person_id)
    assert msgspec.json.decode(update) == msgspec.to_builtins(messages.Changed(0, view, lines))
    got: list[Any] = [view, lines, update.decode()]
    for seat in range(len(table.chairs)):
        for attempt in attempts:
            try:
                copy.copy(table).act(replace(EVE, id=person_id or "?"), seat, attempt, None, NOW)
            except LagunaError as error:
                got.append(redact.error(table, person_id, error))
    for seat in table.seats_of(person_id):
        got.extend(table.started.preview(action, seat) for action in table.started.legal(seat)[:2])
        tried = [_hinted(action) for action in table.started.legal(seat)[:2]]
        got.extend(with_events(table.started, seat, tried))
    try:
        redact.export(table, person_id)
    except LagunaError as error:
        got.append(redact.error(table, person_id, error))
    return messages.encode(got)


def _hinted(action: Action) -> messages.HintChoice:
    """A hint as a search gives it; the server adds what the action would do."""
    return messages.HintChoice(str(action), action.value, 0.5, [0.5, 0.5], None, 0, 1)


def elsewhere(table: Table, seat: int | None, seed: int) -> Table:
    """The same table in a world that the seat (None: a spectator) cannot tell from this one."""
    other = copy.copy(table)
    other.secret, other.memo = bytes(32), {}
    other.game = table.started.copy()
    for known in range(table.started.players) if seat is None else [seat]:
        other.game.rules.redeal(other.game.state, known, seed)
    other.entries, other.acted = list(table.entries), dict(table.acted)
    for version in table.secret_actions:
        entry = table.entries[version - 1]
        assert isinstance(entry, Acted)
        if entry.seat != seat:
            other.entries[version - 1] = replace(entry, action="other")
            other.acted[version] = OTHER
    return other


OTHER = Action(0, "other", SeatWish("open"))  # no action at all


def play_and_compare(kind: tuple[str, int, dict[str, Any]]) -> None:
    """Whole games: what each seat and a spectator receive is the same in worlds they cannot tell apart."""
    game, players, options = kind
    table = playing(game, players, **options)
    for number, (mover, _) in enumerate(random_play(table, 3)):
        if number % scaled(3, 1):
            continue
        legal = [str(action) for action in table.started.legal(mover)]
        for seat in (*range(players), None):
            person_id = None if seat is None else PEOPLE[seat].id
            own = [] if seat is None else [str(action) for action in table.started.legal(seat)]
            attempts = ["nonsense", *(action for action in legal[:3] if action not in own), *ILLEGAL[game]]
            attempts = [attempt for attempt in attempts if attempt not in own]
            expected = received(table, person_id, attempts)
            assert received(elsewhere(table, seat, number), person_id, attempts) == expected


ILLEGAL = {
    "neptune-vesta": ["1Ra1", "9Bc3"],
    "mille-fiori": ["lion3", "swan5", "W3", "sail"],
    "atlantis": ["0 co", "draw", "pay ol4", "end"],
    "venice-2099": ["red3", "@a1", "sink", "a1-a2", "$b2"],
}


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_what_leaves_the_server_does_not_depend_on_what_is_hidden(
    kind: tuple[str, int, dict[str, Any]],
) -> None:
    play_and_compare(kind)


@pytest.mark.parametrize("kind", [KINDS[0], KINDS[1], KINDS[4], KINDS[5]], ids=str)
def test_a_view_of_another_hand_is_noticed(kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = State.shown_seat

    def leaky(table: State, person_id: str | None) -> int | None:
        seat = honest(table, person_id)
        return None if seat is None else (seat + 1) % len(table.chairs)

    monkeypatch.setattr(State, "shown_seat", leaky)
    with pytest.raises(AssertionError):
        play_and_compare(kind)


@pytest.mark.parametrize("leak", ["secret", "action", "refusal"])
def test_leaks_beside_the_view_are_noticed(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    view, line, may_read = redact.table_view, redact._line, redact._may_read
    if leak == "secret":
        monkeypatch.setattr(
            redact, "table_view", lambda table, *rest: replace(view(table, *rest), secret=table.secret.hex())
        )
    elif leak == "action":
        monkeypatch.setattr(
            redact,
            "_line",
            lambda table, seat, version, entry: line(table, getattr(entry, "seat", None), version, entry),
        )
    else:
        monkeypatch.setattr(redact, "_may_read", lambda *any: True)
        table = playing("mille-fiori", 2)
        with pytest.raises(IllegalAction) as refusal:
            table.act(ANN, None, "W3", None, NOW)
        found = redact.error(table, BOB.id, refusal.value)
        assert "hand" in found.arguments
        monkeypatch.setattr(redact, "_may_read", may_read)
        assert redact.error(table, BOB.id, refusal.value).arguments == {}
        assert redact.error(table, ANN.id, refusal.value).arguments["hand"]
        assert redact.error(None, ANN.id, refusal.value).key == "not-allowed"  # of an unknown table nothing
        return
    with pytest.raises(AssertionError):
        play_and_compare(("mille-fiori", 2, {}))


def test_the_secret_and_the_game_file_come_at_the_end() -> None:
    table = playing("atlantis", 2)
    view = redact.table_view(table, ANN.id, NOW, ())
    assert view.secret is None and table.secret.hex() not in messages.encode(view).decode()
    with refused("not-over"):
        redact.export(table, ANN.id)
    for _ in random_play(table, 0):
        pass
    assert redact.table_view(table, None, NOW, ()).secret == table.secret.hex()
    assert '"atlantis"' in redact.export(table, None)


def test_what_everybody_sees_at_a_table() -> None:
    table = playing("mille-fiori", 2)
    view = redact.table_view(table, BOB.id, NOW, {0})
    assert view.mine == [1] and not view.host and view.deciders == [0, 1] and view.status == "playing"
    assert [(seat.color, seat.kind, seat.name, seat.here) for seat in view.seats] == [
        ("Red", "person", "Ann", True), ("Green", "person", "Bob", False)
    ]  # fmt: skip
    assert view.game and view.game["seat"] == 1 and view.game["hand"]
    assert redact.table_view(table, EVE.id, NOW, ()).mine == []
    for person_id in (ANN.id, BOB.id, EVE.id, None):
        wire = messages.encode(
            [redact.table_view(table, person_id, NOW, ()), redact.lines(table, person_id, 0)]
        )
        assert b"id-of-" not in wire


def test_lines_contain_all_that_happened_including_what_was_undone() -> None:
    table = playing("venice-2099", 2)
    action = some_action(table, 0)
    table.act(ANN, None, action, None, NOW)
    table.take_back(ANN, None, False, NOW)
    table.say(EVE, "hm", NOW)
    table.leave(BOB, NOW)
    table.take_over(ANN, 1, "turtle", NOW + 10**6)
    table.resign(ANN, None, NOW)
    table.rematch(BOB, "n" * 22, NOW)
    found = redact.lines(table, None, 4)
    assert [(line.kind, line.seat) for line in found] == [
        ("acted", 0), ("took-back", 0), ("said", None), ("left", 1), ("taken-over", 1), ("resigned", 0),
        ("rematched", None),
    ]  # fmt: skip
    assert (
        found[0].action == action
        and found[1].actions == 0
        and found[2].text == "hm"
        and found[2].name == "Eve"
    )
    assert found[4].level == "turtle" and found[6].table == "n" * 22
    assert [line.version for line in found] == list(range(5, 12))
    first = redact.lines(table, None, 0)[:4]
    assert [(line.kind, line.name) for line in first] == [
        ("opened", "Ann"), ("sat", "Ann"), ("sat", "Bob"), ("started", None)
    ]  # fmt: skip


@pytest.mark.parametrize("game", ["neptune-vesta", "atlantis", "venice-2099"])
def test_lines_say_what_the_rules_did(game: str) -> None:
    table = playing(game, 2)
    for _ in random_play(table, 1):
        pass
    events = [event for line in redact.lines(table, None, 0) for event in line.events]
    assert events == [event for entry in table.started.log for event in entry.events]


def test_events_of_choices_set_aside_appear_when_they_are_played() -> None:
    table = playing("mille-fiori", 3)
    for _ in random_play(table, 1):
        pass
    events = [event for line in redact.lines(table, None, 0) for event in line.events]
    assert events == [event for entry in table.started.log for event in entry.events]


@pytest.mark.parametrize("kind", main_kinds(), ids=str)
def test_events_reveal_nothing_that_the_actor_did_not_know(kind: Kind) -> None:
    """Everybody reads the events of an action: they are the same whatever it drew."""
    game = kind.new(seed=2)
    for number, _ in enumerate(random_steps(game, seed=2)):
        other = game.copy()
        other.rules.redeal(other.state, game.seat, number)
        action = str(game.legal()[number % len(game.legal())])
        assert other.play(action).events == game.copy().play(action).events


@pytest.mark.parametrize("game", GAMES)
def test_an_update_is_never_of_before(game: str) -> None:
    """What is kept between updates is worked out anew as soon as anything but an action changes it."""
    table = playing(game, 2 if game == "neptune-vesta" else 3)
    later = NOW

    def compare() -> None:
        for now, here in ((later, [0]), (later + 500_000, [0, 1])):
            update = redact.Update(table, table.version - 1, now, here)
            for person_id in (ANN.id, BOB.id, EVE.id, None):
                view = redact.table_view(table, person_id, now, here)
                changed = messages.Changed(
                    table.version - 1, view, redact.lines(table, person_id, table.version - 1)
                )
                assert msgspec.json.decode(update.changed(person_id)) == msgspec.to_builtins(changed)

    def act() -> int | None:
        """The first person that has to decide does."""
        chairs = table.chairs
        here = [
            seat for seat in table.deciders if chairs[seat].level is None and chairs[seat].left_at is None
        ]
        seat = next(iter(here), None)
        if seat is not None:
            table.act(PEOPLE[seat], seat, some_action(table, seat), None, later)
            compare()
        return seat

    changes: list[tuple[Any, ...]] = [
        (table.say, EVE, "hello"),
        (table.link, EVE, 0),
        (table.unlink, ANN, 0),
        (table.leave, BOB),
        (table.take_over, ANN, 1, "dolphin"),
        (table.come_back, BOB),
    ]
    for change, *arguments in changes:
        for _ in range(3):
            act()
        later += 500_000
        assert change(*arguments, later)
        compare()
    last = act()
    assert last is not None
    if "take-back" in permissions.kinds(table, PEOPLE[last].id, later):
        table.take_back(PEOPLE[last], None, False, later)
        compare()
    table.resign(BOB, None, later)
    compare()
