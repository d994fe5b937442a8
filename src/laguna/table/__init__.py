"""A table: seats, clocks, chat, undo and the game on it. Its log is the truth; no network here."""
