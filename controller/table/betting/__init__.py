"""Between rounds: bets, and opening and closing the table."""
