"""What people enter: the dealer, the dealer's keypad, the supervisor."""
