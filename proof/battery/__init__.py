"""Generators that are wrong on purpose: what the statistical battery must find, and after how many
draws.

``wrong_mappings`` and ``broken_sources`` are planted, ``defects`` lists them with how far each
deviates (``deviations``); ``power`` computes how many draws it takes to find that.
"""
