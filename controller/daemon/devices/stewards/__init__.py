"""Stewards: each brings one device nearer to what the table wants, a command at a time.

A steward is pure: it is told of the link, of the wants, and of answers, and says which command is
next. After a new link it first learns what the device is doing; nothing is assumed of a device
that was out of sight.
"""
