"""Stewards: each sends one device the commands that bring it to the wanted state, one at a time.

A steward is pure. After a new link it first queries what the device is doing; nothing is assumed
about a device while its link was down.
"""
