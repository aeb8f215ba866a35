"""Devices tried by hand: what needs a person, tried in service."""
