"""The games multiplier: how it is weighted, drawn, tested, recorded, and the return to the
player.
"""
