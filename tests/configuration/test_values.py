"""A configuration's values as a start record keeps them."""

from __future__ import annotations

from decimal import Decimal

from controller.configuration.tables import LONGEST, values_of


def test_every_value_stands_under_its_whole_key_as_the_file_has_it() -> None:
    assert values_of(
        {
            "table": {"id": "P12", "max": 5000, "min": Decimal("12.50")},
            "multiplier": {"weights": {"100": 4}},
            "witness": [{"url": "https://w.example"}, {"required": True}],
        }
    ) == {
        "multiplier.weights.100": "4",
        "table.id": '"P12"',
        "table.max": "5000",
        "table.min": "12.50",
        "witness[1].url": '"https://w.example"',
        "witness[2].required": "true",
    }


def test_long_values_that_differ_behind_the_cut_are_told_apart() -> None:
    one, two = (values_of({"state": {"copy": "/x" * 90 + end}})["state.copy"] for end in "ab")
    assert one != two
    assert max(len(one), len(two)) <= LONGEST + 10


def test_a_drivers_secret_is_not_kept() -> None:
    options = {"port": "/dev/x", "password": "0000", "api_key": "1", "pin": 7, "keys": 16}
    assert values_of({"devices": {"shoe": {**options, "tls": {"secret": "s"}}}}) == {
        "devices.shoe.keys": "16",
        "devices.shoe.port": '"/dev/x"',
    }
