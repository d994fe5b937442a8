"""Everything the page says is there in three languages, with the forms that each of them needs."""

from __future__ import annotations

import ast
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import laguna
from laguna.errors import KINDS, REASONS
from laguna.games import rulebooks
from laguna.kernel.cache import PACKAGE
from laguna.lessons import lessons_of
from laguna.server.network.previews import BOTS, SOMEONE
from tests.page import icu
from tests.page.browser import WEB

SOURCE = WEB / "src"
FORMS = {  # of whole numbers, by CLDR
    "en": {"one", "other"},
    "ru": {"one", "few", "many", "other"},
    "it": {"one", "many", "other"},
}
LESSONS = sorted(path.parent for path in SOURCE.rglob("games/*/lessons/en.json"))
POSITIONS = sorted(path.parent for path in SOURCE.rglob("games/*/positions/en.json"))
FOLDERS = sorted({path.parent for path in SOURCE.rglob("words/**/en.json")}) + LESSONS + POSITIONS
OTHERWISE = {"venice-2099:explain.x": {"color"}}  # "of this color", where the word would need another ending
KEY = re.compile(r"[a-z]+(-[a-z]+)*")
CLAUSE = re.compile(r"[A-Z]\d+[a-z]?")


def space_of(folder: Path) -> str:
    """The part of a key before its colon: the game's id, or the part of the page."""
    if folder.name in ("lessons", "positions"):
        return f"{folder.parent.name}-{folder.name}"
    return folder.parent.name if folder.name == "words" else folder.name


def flat(words: Any, before: str = "") -> dict[str, str]:
    if isinstance(words, str):
        return {before: words}
    return {
        key: text
        for name, part in words.items()
        for key, text in flat(part, f"{before}.{name}" if before else name).items()
    }


def words_of(folder: Path, language: str) -> dict[str, str]:
    return flat(json.loads((folder / f"{language}.json").read_text(encoding="utf-8")))


def all_words(language: str = "en") -> dict[str, str]:
    """Every key as the source writes it, with its part."""
    return {
        f"{space_of(folder)}:{key}": text
        for folder in FOLDERS
        for key, text in words_of(folder, language).items()
    }


@cache
def messages() -> dict[str, icu.Message]:
    """Every message in every language, by its text."""
    return icu.read(text for language in FORMS for text in all_words(language).values())


@pytest.mark.parametrize("folder", FOLDERS, ids=space_of)
def test_the_same_keys_in_every_language(folder: Path) -> None:
    english = set(words_of(folder, "en"))
    for language in FORMS:
        assert set(words_of(folder, language)) ^ english == set(), language


@pytest.mark.parametrize("language", FORMS)
@pytest.mark.parametrize("folder", FOLDERS, ids=space_of)
def test_messages_are_whole_and_plurals_complete(folder: Path, language: str) -> None:
    for key, text in words_of(folder, language).items():
        assert text.strip() == text and text, key
        for argument, forms in messages()[text].plurals:
            named = {form for form in forms if not form.startswith("=")}
            if_any = named == {"other"} and len(forms) > 1  # "=0 {} other {…}": the text has no number
            assert if_any or named == FORMS[language], f"{key}: {argument} has {sorted(named)}"


@pytest.mark.parametrize("folder", FOLDERS, ids=space_of)
def test_the_same_arguments_in_every_language(folder: Path) -> None:
    english = words_of(folder, "en")
    for language in ("ru", "it"):
        for key, text in words_of(folder, language).items():
            known, used = messages()[english[key]], messages()[text]
            # A language may leave out {you}: "Вы" and a name can share a sentence; and {ahead}, where one
            # tense serves for what has happened and for what will.
            free = {"you", "who", "ahead"} | OTHERWISE.get(f"{space_of(folder)}:{key}", set())
            assert used.arguments ^ known.arguments <= free, f"{language} {key}"
            for argument in used.choices.keys() & known.choices.keys():
                odd = used.choices[argument] - known.choices[argument]
                assert argument in ("gender", "case") or odd == set(), f"{language} {key}: {argument}"


@pytest.mark.parametrize("language", FORMS)
@pytest.mark.parametrize("game", list(rulebooks()))
def test_the_log_tells_who_did_it_and_repeats_no_button(game: str, language: str) -> None:
    words = {key.removeprefix(f"{game}:"): text for key, text in all_words(language).items() if game in key}
    buttons = {text for key, text in words.items() if key.startswith(("action.", "do."))}
    told = {key: text for key, text in words.items() if key.startswith("log.")}
    assert buttons and told
    for key, text in told.items():
        assert "who" in messages()[text].arguments and text.endswith("."), key
        assert text not in buttons, key
        assert not any(text.endswith(f"{button[0].lower()}{button[1:]}") for button in buttons), key
        assert not any(text.endswith(f" {button}") for button in buttons), key


# ------------------------------------------------------------------ what the source asks for


def used_keys() -> list[tuple[str, bool, str]]:
    """Each key that the source mentions, whether only its beginning is known, and where."""
    spaces = {space_of(folder) for folder in FOLDERS}
    named = re.compile(rf"""(["'`])(?:({"|".join(sorted(spaces))}):)?([A-Za-z][\w.-]*?)(\$\{{|\1)""")
    found = []
    for path in [*SOURCE.rglob("*.svelte"), *SOURCE.rglob("*.ts")]:
        text = path.read_text(encoding="utf-8")
        for match in named.finditer(text):
            _, space, key, end = match.groups()
            said = re.search(r"\b(t|has)\($", text[: match.start()])
            if space or said:
                found.append((f"{space or 'common'}:{key}", end == "${", path.name))
    return found


def test_every_key_that_the_source_names_has_words() -> None:
    known = set(all_words())
    assert len(used_keys()) > 20
    for key, open_end, where in used_keys():
        there = any(each.startswith(key) for each in known) if open_end else key in known
        assert there, f"{where}: {key}"


# ------------------------------------------------------------------ what the rules say


def texts(node: ast.AST) -> set[str]:
    return {
        each.value
        for each in ast.walk(node)
        if isinstance(each, ast.Constant) and isinstance(each.value, str)
    }


def refusals_in(game: str) -> set[str]:
    """The keys of a game's refusals, as its source writes them."""
    folder = rulebooks()[game].path
    found: set[str] = set()
    for path in (folder / "actions.py", folder / "refusals.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                called = node.func.id if isinstance(node.func, ast.Name) else ""
                if called in ("refuse", "_refuse", "IllegalAction"):
                    for argument in node.args[: 1 if called == "IllegalAction" else 2]:
                        found |= {text for text in texts(argument) if KEY.fullmatch(text)}
            elif isinstance(node, ast.Tuple) and len(node.elts) == 3:  # a key, its clause, the reason
                key, clause, _ = node.elts
                is_clause = not texts(clause) or all(map(CLAUSE.fullmatch, texts(clause)))
                if is_clause and is_reason(node):
                    found |= {text for text in texts(key) if KEY.fullmatch(text)}
    return found


def is_reason(node: ast.Tuple) -> bool:
    return isinstance(node.elts[2], ast.JoinedStr) or (
        isinstance(node.elts[2], ast.Constant) and " " in str(node.elts[2].value)
    )


@pytest.mark.parametrize("language", FORMS)
@pytest.mark.parametrize("game", list(rulebooks()))
def test_every_event_and_refusal_of_the_rules_has_words(game: str, language: str) -> None:
    events = [facts.key for facts in rulebooks()[game].events.FACTS]
    advice = rulebooks()[game].advice
    refusals = refusals_in(game)
    assert len(events) == len(set(events)) > 2 and len(refusals) > 1
    known = all_words(language)
    assert {key for key in events if f"{game}:event.{key}" not in known} == set()
    assert {key for key in refusals if f"{game}:refusal.{key}" not in known} == set()
    assert advice is not None
    assert {facts.key for facts in advice.FACTS if f"{game}:advice.{facts.key}" not in known} == set()


@pytest.mark.parametrize("folder", LESSONS, ids=space_of)
def test_every_lesson_has_its_words_and_no_others(folder: Path) -> None:
    expected = set()
    for lesson in lessons_of(folder.parent.name).lessons:
        expected |= {f"{lesson.id}.{part}" for part in ("title", "text", "done")}
        expected |= {f"{lesson.id}.tasks.{task.id}" for task in lesson.tasks}
        expected |= {f"{lesson.id}.wrong.{wrong.text}" for task in lesson.tasks for wrong in task.wrong}
    assert set(words_of(folder, "en")) == expected


def impossible_in(path: Path) -> dict[str, set[str]]:
    """The keys of impossible positions in a source file, and the arguments that always come with each."""
    found: dict[str, set[str]] = {}
    for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(function, ast.FunctionDef):
            continue
        values: dict[str, list[ast.expr]] = {}  # what is assigned to a name somewhere in the function
        for node in ast.walk(function):
            if isinstance(node, ast.Assign):
                for name in ast.walk(node.targets[0]):
                    if isinstance(name, ast.Name):
                        values.setdefault(name.id, []).append(node.value)
        for node in ast.walk(function):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
                continue
            if node.func.id not in ("impossible", "BadPosition") or not node.args:
                continue
            key, arguments = node.args[0], {"field"} if node.func.id == "impossible" else set()
            keys = texts(key) if not isinstance(key, ast.Name) else set().union(*map(texts, values[key.id]))
            for keyword in node.keywords:
                if keyword.arg:
                    arguments.add(keyword.arg)
                elif isinstance(keyword.value, ast.Name):
                    before = [each for each in values[keyword.value.id] if each.lineno < node.lineno]
                    last = max(before, key=lambda each: each.lineno)
                    if isinstance(last, ast.Dict):
                        arguments |= {text for each in last.keys if each for text in texts(each)}
            for text in keys:
                if KEY.fullmatch(text):
                    found[text] = found.get(text, arguments) & arguments
    return found


@pytest.mark.parametrize("language", FORMS)
@pytest.mark.parametrize("game", [folder.parent.name for folder in POSITIONS])
def test_every_impossible_position_has_words(game: str, language: str) -> None:
    found = impossible_in(rulebooks()[game].path / "positions.py")
    assert len(found) > 15
    known = all_words(language)
    own = {key.removeprefix(f"{game}-positions:") for key in known if key.startswith(f"{game}-positions:")}
    assert own - found.keys() == set(), "nobody says these any more"
    for key, arguments in found.items():
        text = known.get(f"{game}-positions:{key}") or known[f"editor:impossible.{key}"]
        given = arguments | ({"who"} if "seat" in arguments else set())
        assert messages()[text].arguments <= given, key


@pytest.mark.parametrize("language", FORMS)
def test_everything_that_can_be_wrong_with_the_form_of_a_position_has_words(language: str) -> None:
    known = all_words(language)
    found = impossible_in(PACKAGE / "game.py")
    assert {"no-object", "other-game", "half"} < found.keys()
    assert {key for key in found if f"editor:impossible.{key}" not in known} == set()
    assert "editor:impossible.form" in known
    for key, pattern, _ in REASONS:
        arguments = set(re.compile(pattern).groupindex)
        assert messages()[known[f"editor:form.{key}"]].arguments <= arguments, key
    assert {kind for kind in KINDS if f"editor:kind.{kind}" not in known} == set()


def test_every_position_that_cannot_be_played_on_has_words() -> None:
    known = all_words()
    found = impossible_in(PACKAGE / "table" / "table.py")
    assert found and {key for key in found if f"common:refusal.{key}" not in known} == set()


def test_every_refusal_of_the_table_has_words() -> None:
    text = (PACKAGE / "table" / "permissions.py").read_text(encoding="utf-8")
    keys = set(re.findall(r'Refusal\(\s*"([a-z-]+)"', text))
    known = all_words()
    assert len(keys) > 10
    assert {key for key in keys if f"table:refusal.{key}" not in known} == set()


@pytest.mark.parametrize("language", FORMS)
def test_previews_of_links_call_people_and_bots_as_the_page_does(language: str) -> None:
    known = all_words(language)
    assert known["common:seat.someone"] == SOMEONE[language]
    for level, name in BOTS.get(language, {}).items():
        assert known[f"common:level.{level}"] == name


@pytest.mark.parametrize("game", list(rulebooks()))
def test_what_random_games_tell_has_words(game: str) -> None:
    """The list above was read from the source; these are refusals that really occur."""
    shown = set()
    for seed in range(3):
        played = laguna.new(game, seed=seed)
        while not played.over:
            seat = played.deciders[0]
            legal = played.legal(seat)
            entry = played.play(legal[len(played.actions) * 7 % len(legal)], seat)
            shown |= {event.key for event in entry.events} if entry else set()
    known = all_words()
    assert shown
    assert {key for key in shown if f"{game}:event.{key}" not in known} == set()
