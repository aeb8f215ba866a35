"""The codes of prompts and errors, as documentation."""
