"""Events made durable: the thread that commits, what it costs, and who is told when it is done."""
