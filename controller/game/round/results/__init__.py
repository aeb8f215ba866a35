"""What a round comes to: its result, each bettor's account, and what is owed; pure."""
