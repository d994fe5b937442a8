"""Neptune & Vesta: what it is called, who plays, what can be chosen."""

from __future__ import annotations

from laguna.games.contract import Meta, Option

META = Meta(
    id="neptune-vesta",
    titles={"en": "Neptune & Vesta", "ru": "Нептун и Веста", "it": "Nettuno e Vesta"},
    author="Reiner Knizia",
    players=(2,),
    usual_players=2,
    seat_names=(
        {"en": "Vesta", "ru": "Веста", "it": "Vesta"},
        {"en": "Neptune", "ru": "Нептун", "it": "Nettuno"},
    ),
    about={
        "en": "Fire and sea fill an island with numbered tiles; complete lines pull the lighthouse.",
        "ru": "Огонь и море заполняют остров жетонами; закрытые линии тянут к себе маяк.",
        "it": "Fuoco e mare riempiono un'isola di tessere; le linee complete attirano il faro.",
    },
    options=(
        Option(
            name="rounds",
            clause="N18",
            default=3,
            choices={
                3: {
                    "en": "a match: the first to win two of three rounds",
                    "ru": "матч: кто первым выиграет два раунда из трёх",
                    "it": "una partita: chi vince per primo due round su tre",
                },
                1: {"en": "a single round", "ru": "один раунд", "it": "un solo round"},
            },
            about={"en": "How long to play", "ru": "Сколько играть", "it": "Quanto giocare"},
        ),
        Option(
            name="line_to",
            clause="N19",
            default="majority",
            choices={
                "majority": {
                    "en": "the color with more tiles in the line",
                    "ru": "цвету, чьих жетонов в линии больше",
                    "it": "al colore con più tessere nella linea",
                },
                "highest": {
                    "en": "the color of the highest tile in the line",
                    "ru": "цвету самого старшего жетона в линии",
                    "it": "al colore della tessera più alta nella linea",
                },
                "sum": {
                    "en": "the color with the larger sum in the line",
                    "ru": "цвету с большей суммой в линии",
                    "it": "al colore con la somma maggiore nella linea",
                },
            },
            about={
                "en": "Who receives a completed line's points",
                "ru": "Кому достаются очки закрытой линии",
                "it": "Chi riceve i punti di una linea completa",
            },
        ),
    ),
)
