"""Identity: guests, accounts, seat links and their tokens."""
