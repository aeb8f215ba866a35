"""Witnesses of the journal: what is handed out to them, and what their answers mean."""
