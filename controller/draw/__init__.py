"""The games multiplier: how it is weighted, drawn, recorded, and the return to the player.

``weights`` reads the configured table, ``mapping`` turns random bits into a multiplier,
``generator`` takes the bits from the operating system, ``odds`` computes what a wager returns,
``selftest`` watches the generator.
"""
