"""What more than one command prints or writes."""
