"""The packages on a plain machine: installed, commissioned, played with, exchanged, removed."""
