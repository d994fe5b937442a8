"""The place where tables live: storage, live tables, HTTP and websockets, bots, and what guards them."""
