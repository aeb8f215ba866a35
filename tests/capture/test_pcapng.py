"""A capture in Wireshark: the blocks of the file, and what the dissector makes of them."""

from __future__ import annotations

import json
import struct
import subprocess
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from drivers.api import PortChange, Seen, Stray, Traffic
from drivers.capture import format as capturing
from drivers.capture.pcapng import packets, write
from drivers.capture.reader import Capture
from drivers.table_link.messages import SPECS, encode
from pages.generated import DOCS
from tests.capture import support
from tests.capture.support import CARD, command, event, head, line, read_capture
from tests.cli.support import Tablectl

NOON_NS = 1_795_176_000 * 10**9
ROOT = Path(__file__).parents[2]


def capture(tmp_path: Path, *seen: tuple[str, int, Seen]) -> Capture:
    lines = [line(*one) for one in seen]
    path = support.write(tmp_path / "c.jsonl", head(), *lines, capturing.end_line(len(lines), 0))
    return read_capture(path)


def blocks(data: bytes) -> Iterator[tuple[int, bytes]]:
    at = 0
    while at < len(data):
        kind, length = struct.unpack_from("<II", data, at)
        assert length % 4 == 0
        assert struct.unpack_from("<I", data, at + length - 4) == (length,)
        yield kind, data[at + 8 : at + length - 4]
        at += length


def test_every_device_is_an_interface_and_every_line_a_packet(tmp_path: Path) -> None:
    gate, gone = command("GATE", unlocked=1, cards=1), PortChange(open=False, reason="hung up")
    taken = capture(tmp_path, ("shoe", 1, gate), ("jackpot", 2, gone), ("shoe", 3, Stray(b"\xff")))
    file = BytesIO()
    write(taken, file)
    told = list(blocks(file.getvalue()))
    assert [kind for kind, _ in told] == [0x0A0D0D0A, 1, 1, 6, 6, 6]
    assert packets(taken) == 3
    assert b"table P12, rules mbs-pontoon-pandemonium-v5" in told[0][1]
    assert all(body[:2] == struct.pack("<H", 147) for _, body in told[1:3])
    assert [b"SHOE-0001" in body for _, body in told[1:3]] == [True, False]
    interface, high, low, size, whole = struct.unpack_from("<IIIII", told[3][1])
    assert (interface, (high << 32) + low) == (0, NOON_NS + 1_000_000)
    assert isinstance(gate, Traffic)
    assert told[3][1][20 : 20 + size] == gate.raw
    assert size == whole
    assert struct.pack("<HHI", 2, 4, 2) in told[3][1]  # outbound
    assert b"the port was closed: hung up" in told[4][1]
    assert b"no frame in ff" in told[5][1]


def tshark(file: Path, *options: str) -> str:
    run = ["tshark", "-X", f"lua_script:{DOCS}/wireshark/table-link.lua", "-r", str(file), *options]
    ran = subprocess.run(run, capture_output=True, text=True, check=True)
    assert "Lua" not in ran.stderr
    return ran.stdout


def shown(file: Path) -> list[dict[str, Any]]:
    """Each packet's layer of Table Link, its fields by name."""
    told = json.loads(tshark(file, "-T", "json"))
    return [packet["_source"]["layers"].get("table_link", {}) for packet in told]


@pytest.mark.needs("tshark")
def test_the_dissector_shows_messages_with_their_fields(tmp_path: Path, tablectl: Tablectl) -> None:
    capture(
        tmp_path,
        ("shoe", 1, event("CARD", **CARD)),
        ("jackpot", 2, event("PRESS", event_no=1, t_ms=3, offer_id=4711)),
        ("jackpot", 3, command("SHOW", 9, offer_id=4711, multiplier=25, spin_ms=4000)),
        ("shoe", 4, Traffic(False, encode(0x40, 0, CARD)[:-1] + b"\0", "dropped", None, {})),
        ("shoe", 5, Traffic(False, b"\1\2\3", "dropped", None, {})),
        ("shoe", 6, PortChange(open=False, reason="hung up")),
    )
    out = tmp_path / "c.pcapng"
    ran = tablectl("devices", "pcap", tmp_path / "c.jsonl", out)
    assert (ran.code, ran.out) == (0, f"{out}: 6 packets\n")
    columns = ("frame.interface_name", "frame.time_epoch", "_ws.col.Info")
    fields = [option for name in columns for option in ("-e", name)]
    told = [row.split("\t") for row in tshark(out, "-T", "fields", *fields).splitlines()]
    assert [row[0] for row in told] == ["shoe", "jackpot", "jackpot", "shoe", "shoe", "shoe"]
    assert told[0][1] == "1795176000.001000000"
    card = "event_no=9 t_ms=5 rank=13 suit=3 flags=0 card_uid=0 remaining=7"
    assert [row[2] for row in told] == [
        f"CARD {card}",
        "PRESS event_no=1 t_ms=3 offer_id=4711",
        "SHOW #9 offer_id=4711 multiplier=25 spin_ms=4000",
        f"BAD CRC CARD {card}",
        "no message: 3 bytes",
        "(no payload: see the packet's comment)",
    ]
    first, press, show, *_ = shown(out)
    assert (first["table_link.card.rank"], first["table_link.card.suit"]) == ("13", "3")
    assert press["table_link.press.offer_id"] == "4711"
    assert show["table_link.show.multiplier"] == "25"
    inward = tshark(out, "-Y", "frame.packet_flags_direction == 1", "-T", "fields", "-e", "frame")
    assert len(inward.splitlines()) == 4


VALUES: dict[str, Any] = {"": 1, "i": -1, "s": "a", "v": (1, 2, 3)}


@pytest.mark.needs("tshark")
def test_the_dissector_knows_every_message_as_we_do(tmp_path: Path, tablectl: Tablectl) -> None:
    payloads = []
    for spec in SPECS.values():
        fields = {
            field.name: "ab" * field.size if field.shape == "x" else VALUES[field.shape]
            for field in spec.layout.fields
        }
        payloads.append(Traffic(True, encode(spec.type, 7, fields), "", None, {}))
    capture(tmp_path, *(("shoe", number, one) for number, one in enumerate(payloads)))
    out = tmp_path / "c.pcapng"
    assert tablectl("devices", "pcap", tmp_path / "c.jsonl", out).code == 0
    told = tshark(out, "-T", "fields", "-e", "_ws.col.Info").splitlines()
    for spec, info in zip(SPECS.values(), told, strict=True):
        words = info.split()
        assert words[0] == spec.name, info
        names = [word.split("=")[0] for word in words if "=" in word]
        assert names == [field.name for field in spec.layout.fields], info
    assert any("firmware=1.2.3" in info for info in told)
    assert any("difference=-1" in info for info in told)
    assert any("key=a supervisor" in info for info in told)


def test_no_capture_and_a_file_that_is_there_already(tmp_path: Path, tablectl: Tablectl) -> None:
    (tmp_path / "no").write_text("{}\n")
    ran = tablectl("devices", "pcap", tmp_path / "no", tmp_path / "out")
    assert (ran.code, (tmp_path / "out").exists()) == (1, False)
    assert "is no capture" in ran.err
    assert tablectl("devices", "pcap", tmp_path / "nothing", tmp_path / "out").code == 2
    capture(tmp_path, ("shoe", 1, PortChange(open=True)))
    ran = tablectl("devices", "pcap", tmp_path / "c.jsonl", tmp_path / "no")
    assert (ran.code, (tmp_path / "no").read_text()) == (2, "{}\n")


def test_a_capture_that_is_cut_off_is_good_up_to_there(tmp_path: Path, tablectl: Tablectl) -> None:
    capture(tmp_path, *[("shoe", number, event("CARD", **CARD)) for number in range(3)])
    whole = (tmp_path / "c.jsonl").read_bytes()
    (tmp_path / "c.jsonl").write_bytes(whole[: whole.rindex(b'"raw"')])
    ran = tablectl("devices", "pcap", tmp_path / "c.jsonl", tmp_path / "out", "--json")
    assert (ran.code, ran.json["packets"]) == (0, 2)
    assert "cut off" in ran.json["trouble"]
