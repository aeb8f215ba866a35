"""Views of the table: prompt, keypad rows, status, and the wanted state of the devices."""
