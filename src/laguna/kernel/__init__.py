MAX_SEATS = 5  # of any game: so much room is set aside wherever seats are counted
