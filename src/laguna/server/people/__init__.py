"""Who asks: guests, accounts, seat links and their tokens."""
