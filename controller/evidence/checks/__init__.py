"""Whether a journal is whole: at a start, beside play, and when it is asked for."""
