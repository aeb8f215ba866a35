"""Stories of a table, the same on every bench (``pytest hil_tests --bench NAME``)."""
