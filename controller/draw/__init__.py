"""The games multiplier: how it is weighted, drawn, recorded, and what it returns.

``weights`` reads the configured table, ``mapping`` turns random bits into a multiplier,
``generator`` takes the bits from the operating system, ``odds`` computes what a wager returns,
``selftest`` watches the generator.
"""
