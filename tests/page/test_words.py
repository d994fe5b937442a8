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
from laguna.games import rulebooks
from laguna.kernel.cache import PACKAGE
from laguna.lessons import lessons_of
from tests.page import icu
from tests.page.browser import WEB

SOURCE = WEB / "src"
FORMS = {  # of whole numbers, by CLDR
    "en": {"one", "other"},
    "ru": {"one", "few", "many", "other"},
    "it": {"one", "many", "other"},
}
LESSONS = sorted(path.parent for path in SOURCE.rglob("games/*/lessons/en.json"))
FOLDERS = sorted({path.parent for path in SOURCE.rglob("words/**/en.json")}) + LESSONS
OTHERWISE = {"venice-2099:explain.x": {"color"}}  # "of this color", where the word would need another ending
KEY = re.compile(r"[a-z]+(-[a-z]+)*")
CLAUSE = re.compile(r"[A-Z]\d+[a-z]?")


def space_of(folder: Path) -> str:
    """The part of a key before its colon: the game's id, or the part of the page."""
    if folder.name == "lessons":
        return f"{folder.parent.name}-lessons"
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


def test_every_refusal_of_the_table_has_words() -> None:
    text = (PACKAGE / "table" / "permissions.py").read_text(encoding="utf-8")
    keys = set(re.findall(r'Refusal\(\s*"([a-z-]+)"', text))
    known = all_words()
    assert len(keys) > 10
    assert {key for key in keys if f"table:refusal.{key}" not in known} == set()


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
