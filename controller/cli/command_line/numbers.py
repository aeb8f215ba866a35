"""Numbers as they are typed: whole ones within bounds, seconds, and amounts of money."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Final

from controller.game.money import parse_amount

MOST_DIGITS: Final = 20


def whole(low: int, high: int) -> Callable[[str], int]:
    """A type for argparse: a whole number from ``low`` to ``high``."""

    def read(text: str) -> int:
        plain = text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS
        if not plain or not low <= int(text) <= high:
            raise argparse.ArgumentTypeError(f"{text!r}: expected {low} to {high}")
        return int(text)

    return read


def many(most: int) -> Callable[[str], int]:
    """A type for argparse: a whole number from 1 to ``most``, which may be written as 1e6."""

    def read(text: str) -> int:
        digits, e, power = text.partition("e")
        plain = digits.isascii() and digits.isdecimal() and len(digits) <= MOST_DIGITS
        if plain and (not e or (power.isascii() and power.isdecimal() and len(power) <= 2)):
            number: int = int(digits) * 10 ** int(power or 0)
            if 0 < number <= most:
                return number
        expected = f"expected a whole number from 1 to {most}, as 20000 or 1e6"
        raise argparse.ArgumentTypeError(f"{text!r}: {expected}")

    return read


def seconds(most: float) -> Callable[[str], float]:
    """A type for argparse: seconds, more than none and at most so many."""

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = 0.0
        if not 0 < value <= most:
            raise argparse.ArgumentTypeError(f"{text!r}: expected seconds, at most {most:.0f}")
        return value

    return read


def amount(text: str) -> int:
    """A type for argparse: an amount, in cents."""
    try:
        return parse_amount(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
