"""Cards of the round being played, and what goes wrong with them."""
