"""Captures: files of the messages on devices' lines; docs/captures.md has its format.

- ``format``: the lines of the file, and what makes them;
- ``reader``: a file back into them, or why not;
- ``pcapng``: the same as Wireshark takes it.

Either end of a line may write one: the controller, or a simulated device at the other end.
"""
