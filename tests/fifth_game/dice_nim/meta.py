"""Dice Nim: what it is called, who plays, what can be chosen."""

from __future__ import annotations

from laguna.games.contract import Meta, Option

META = Meta(
    id="dice-nim",
    titles={"en": "Dice Nim", "ru": "Ним с костями", "it": "Nim con i dadi"},
    author="traditional",
    players=(2, 3),
    usual_players=2,
    about={
        "en": "Take one to three counters; the last one wins you all the hidden dice.",
        "ru": "Берите от одной до трёх фишек; последняя принесёт очки всех скрытых костей.",
        "it": "Prendi da una a tre pedine; l'ultima ti dà i punti di tutti i dadi nascosti.",
    },
    options=(
        Option(
            name="counters",
            clause="D1",
            default=12,
            choices={
                12: {"en": "twelve", "ru": "двенадцать", "it": "dodici"},
                21: {"en": "twenty-one", "ru": "двадцать одна", "it": "ventuno"},
            },
            about={"en": "Counters in the heap", "ru": "Фишек в куче", "it": "Pedine nel mucchio"},
        ),
    ),
)
