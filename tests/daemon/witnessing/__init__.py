"""What is handed out to witnesses, and what their answers mean."""
