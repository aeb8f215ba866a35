"""Device-side twins: simulated shoe, shuffler, jackpot unit and keypad behind real ports."""
