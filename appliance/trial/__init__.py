"""The packages on a plain Debian machine: installed, commissioned, played with, exchanged, removed."""
