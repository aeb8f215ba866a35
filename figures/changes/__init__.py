"""Rule files with one thing changed: to ask what each value is worth, and whether tests notice."""
