"""Table Link out of its messages as data: their table, and the dissector for Wireshark."""
