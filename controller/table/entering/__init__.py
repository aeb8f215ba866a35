"""What people enter: the dealer, his keypad, the supervisor."""
