"""The report on a gaming day or a shift, out of the facts: accounts beside what is expected."""
