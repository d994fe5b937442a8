"""Mille Fiori: what it is called, who plays, what can be chosen."""

from __future__ import annotations

from laguna.games.contract import Meta, Option

META = Meta(
    id="mille-fiori",
    titles={"en": "Mille Fiori", "ru": "Венецианская мозаика", "it": "Mille Fiori"},
    author="Reiner Knizia",
    players=(2, 3, 4),
    usual_players=4,
    seat_names=(
        {"en": "Red", "ru": "Красный", "it": "Rosso"},
        {"en": "Green", "ru": "Зелёный", "it": "Verde"},
        {"en": "Yellow", "ru": "Жёлтый", "it": "Giallo"},
        {"en": "Blue", "ru": "Синий", "it": "Blu"},
    ),
    about={
        "en": "Glass for Venice: draft a card, lay a lozenge or sail, and let one card bring the next.",
        "ru": "Стекло для Венеции: выберите карту, положите ромб или плывите, и карта приведёт карту.",
        "it": "Vetro per Venezia: scegli una carta, posa un rombo o salpa, e una carta ne porta un'altra.",
    },
    options=(
        Option(
            name="draft",
            clause="M9",
            default="secret",
            choices={
                "secret": {
                    "en": "all keep a card at once, before anybody plays",
                    "ru": "все выбирают карту одновременно, до первого хода",
                    "it": "tutti scelgono una carta insieme, prima che si giochi",
                },
                "open": {
                    "en": "each keeps a card on their own turn, having seen the turns before",
                    "ru": "каждый выбирает карту в свой ход, увидев предыдущие ходы",
                    "it": "ognuno sceglie la carta al proprio turno, visti i turni precedenti",
                },
            },
            about={
                "en": "When a card is chosen from the hand",
                "ru": "Когда выбирается карта с руки",
                "it": "Quando si sceglie la carta dalla mano",
            },
        ),
    ),
)
