"""The commands as their parsers have them: man pages, and a page of all of them."""
