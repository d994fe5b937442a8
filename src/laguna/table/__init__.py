"""A table: seats, clocks, chat, undo and the game on it. Its log is the source of truth; there is no network code here."""
