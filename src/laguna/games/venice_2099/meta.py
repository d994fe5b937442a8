"""Venice 2099: what it is called, who plays, what can be chosen."""

from __future__ import annotations

from laguna.games.contract import Meta, Option, Preset

META = Meta(
    id="venice-2099",
    titles={"en": "Venice 2099", "ru": "Венеция 2099", "it": "Venezia 2099"},
    author="Leo Colovini",
    players=(2, 3, 4, 5),
    usual_players=3,
    about={
        "en": "The city sinks quarter by quarter; collectors save its treasures and keep their feet dry.",
        "ru": "Город тонет квартал за кварталом; собиратели спасают сокровища и самих себя.",
        "it": "La città affonda un quartiere alla volta; i collezionisti salvano tesori e se stessi.",
    },
    options=(
        Option(
            name="moves",
            clause="V9",
            default="queen",
            choices={
                "queen": {
                    "en": "straight on in any of eight directions",
                    "ru": "по прямой в любом из восьми направлений",
                    "it": "in linea retta in una delle otto direzioni",
                },
                "rook": {
                    "en": "straight on in any of four directions",
                    "ru": "по прямой в любом из четырёх направлений",
                    "it": "in linea retta in una delle quattro direzioni",
                },
                "walk": {
                    "en": "along any path from side to side",
                    "ru": "любым путём через стороны клеток",
                    "it": "lungo un percorso qualsiasi, da lato a lato",
                },
            },
            about={"en": "How a pawn walks", "ru": "Как ходит фишка", "it": "Come si muove una pedina"},
        ),
        Option(
            name="rescue",
            clause="V14",
            default="any",
            choices={
                "any": {
                    "en": "any free tile, platforms too",
                    "ru": "любая свободная клетка, в том числе платформа",
                    "it": "qualsiasi tessera libera, anche una piattaforma",
                },
                "quarter": {
                    "en": "free quarters only",
                    "ru": "только свободный квартал",
                    "it": "solo un quartiere libero",
                },
            },
            about={
                "en": "Where a gondola may bring a fallen pawn",
                "ru": "Куда гондола может увезти упавшую фишку",
                "it": "Dove una gondola può portare una pedina caduta",
            },
        ),
        Option(
            name="x_scores",
            clause="V19",
            default="count",
            choices={
                "count": {
                    "en": "twice the number of quarters of its color",
                    "ru": "удвоенное число кварталов её цвета",
                    "it": "il doppio del numero dei quartieri del suo colore",
                },
                "values": {
                    "en": "twice the sum of the other quarters of its color",
                    "ru": "удвоенная сумма других кварталов её цвета",
                    "it": "il doppio della somma degli altri quartieri del suo colore",
                },
            },
            about={
                "en": "What a pawn on an X is worth",
                "ru": "Сколько очков даёт фишка на X",
                "it": "Quanto vale una pedina su una X",
            },
        ),
        Option(
            name="tie_break",
            clause="V21",
            default="pawn_points",
            choices={
                "pawn_points": {
                    "en": "more points from pawns",
                    "ru": "больше очков за фишки",
                    "it": "più punti dalle pedine",
                },
                "pawns": {
                    "en": "more pawns left",
                    "ru": "больше уцелевших фишек",
                    "it": "più pedine rimaste",
                },
            },
            about={"en": "Who wins a tie", "ru": "Кто выигрывает при ничьей", "it": "Chi vince in parità"},
        ),
    ),
    presets=(
        Preset(
            name="edition",
            clause="V22",
            default="piatnik",
            choices={
                "piatnik": {
                    "en": "as Piatnik printed it in 2014",
                    "ru": "как в издании Piatnik 2014 года",
                    "it": "come nell'edizione Piatnik del 2014",
                },
                "hobby-world": {
                    "en": "as Hobby World printed it",
                    "ru": "как в издании Hobby World",
                    "it": "come nell'edizione Hobby World",
                },
            },
            sets={
                "piatnik": {"rescue": "any", "x_scores": "count", "tie_break": "pawn_points"},
                "hobby-world": {"rescue": "quarter", "x_scores": "values", "tie_break": "pawns"},
            },
            about={
                "en": "Whose reading of the rules: sets three options at once",
                "ru": "Чьи правила: задаёт сразу три настройки",
                "it": "Di chi sono le regole: decide tre opzioni insieme",
            },
        ),
    ),
)
