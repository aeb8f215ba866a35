"""What is in the shoe, what has left it, and which card set it holds."""
