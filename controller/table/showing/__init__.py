"""What is shown of the table: prompt, keypad rows, status, and what devices should be doing."""
