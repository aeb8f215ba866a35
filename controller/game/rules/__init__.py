"""Cards, hands, pay tables and rule documents as data: no clock, no file, no certain document."""
