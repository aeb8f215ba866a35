"""What regulators ask of equipment like this, row by row; writes ``docs/requirements.md``.

``config/requirements.toml`` lists every row in our own words with what carries it and what shows
it, or why it lies outside the controller. :mod:`.rows` reads it, :mod:`.describe` writes the page
and fails when something named is not there.
"""
