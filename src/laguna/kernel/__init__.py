MAX_SEATS = 5  # of any game; arrays with an entry for each seat have this size
