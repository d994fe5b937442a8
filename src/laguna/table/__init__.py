"""A table: seats, clocks, chat, undo and its game. Its log is the source of truth; no network code here."""
