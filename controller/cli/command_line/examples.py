"""How each command of ``tablectl`` is used, written down once.

``--help`` shows it below the options, and so do the man pages and the page of all commands
(:mod:`pages.commands`). The parser takes every line: ``tests/pages/test_commands.py`` tries it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

EXAMPLES: Final = {
    "": (
        ("tablectl status", "where the table stands, and what it waits for"),
        ("tablectl --json status", "the same for another program"),
        ("tablectl journal verify --state /var/lib/table-controller", "of a stopped table"),
    ),
    "status": (
        ("tablectl status", "of the table on this machine"),
        ("tablectl --socket /tmp/table/control.sock status", "of another one, the demo's say"),
    ),
    "watch": (
        ("tablectl watch", "on a full screen; ? there lists its keys"),
        ("tablectl watch --plain", "a line for each change, for a screen reader"),
        ("tablectl watch --json", "the state as JSON, again after each change"),
    ),
    "counters": (
        ("tablectl counters --shift", "since the shift began"),
        ("tablectl counters --check", "rebuilt from the journal, and compared"),
    ),
    "shift report": (
        ("tablectl shift report", "on the present shift"),
        ("tablectl shift report --shift 12 --html shift-12.html", "a page to be signed"),
        ("tablectl shift report --day 2026-11-25 --json", "on a gaming day, for programs"),
        ("tablectl shift report --state /var/lib/table-controller", "of a stopped table"),
    ),
    "dealer": (
        ('tablectl dealer "open" "wager 1 main 50" "close"', "three commands, one by one"),
        ('tablectl dealer "stand 1"', "box 1 takes no further card"),
    ),
    "supervisor": (
        ('tablectl supervisor "resume"', "play goes on"),
        ('tablectl supervisor "service on"', "between rounds: devices may be tried by hand"),
        ('tablectl supervisor "card 9D"', "what the card was that could not be read"),
        ('tablectl supervisor "void" --by Novak --why "cards exposed"', "with who and why"),
    ),
    "round run": (
        ("tablectl round run docs/examples/rounds/double-and-withdraw.json", "one script"),
        ("tablectl round run --json docs/examples/rounds/two-rounds.jsonl", "a script a line"),
    ),
    "round show": (
        ("tablectl round show", "the last one"),
        ("tablectl round show 12 --step", "the table as it lay after each step, by keys"),
        ("tablectl round show 12 --html round-12.html", "one page for a dispute, to print"),
        ("tablectl round show 12 --json --course", "with every step, for programs"),
        ("tablectl round show 12 --state /var/lib/table-controller", "of a stopped table"),
    ),
    "rules list": (("tablectl rules list", "their names"),),
    "rules show": (("tablectl rules show mbs-pontoon-pandemonium-v5", "values and clauses"),),
    "rules diff": (
        (
            "tablectl rules diff mbs-pontoon-pandemonium-v5 rws-pontoon-pandemonium-v4",
            "what the one pays, permits or calls differently",
        ),
    ),
    "rules check": (("tablectl rules check house.toml", "a variant of the house"),),
    "draw odds": (
        ("tablectl draw odds", "of the running table"),
        ("tablectl draw odds --config table.toml", "before a table is started with it"),
    ),
    "draw test": (
        ("tablectl draw test", "with the weights of the running table"),
        ("tablectl draw test --weights 100=4,50=8,25=20 --draws 1000000", "with others"),
    ),
    "draw show": (("tablectl draw show 7", "that of offer 7"),),
    "devices list": (
        ("tablectl devices list", "which link is up, and since when"),
        ("tablectl devices list --stats", "with errors and repetitions on the line"),
    ),
    "devices probe": (
        ("tablectl devices probe", "the ports of this machine"),
        ("tablectl devices probe /dev/ttyUSB0", "who is on a serial port"),
        ("tablectl devices probe 1209:0001", "who is on USB"),
    ),
    "devices test": (
        ("tablectl devices test shoe", "of the running table"),
        ("tablectl devices test jackpot --by-hand", "step by step, in service"),
        ("tablectl devices test --port /dev/ttyUSB0", "while no controller runs"),
    ),
    "devices capture": (
        ("tablectl devices capture shoe --seconds 60", "a minute of the shoe's line"),
        ("tablectl devices capture jackpot --out jackpot.jsonl", "to be sent to its maker"),
    ),
    "devices pcap": (("tablectl devices pcap jackpot.jsonl jackpot.pcapng", "for Wireshark"),),
    "nightly": (
        ("tablectl nightly", "as the timer does it; by hand as root"),
        ("tablectl nightly --to /media/stick", "and take closed journals to that stick"),
        ('tablectl nightly --accept --by Novak --why "disk replaced"', "a journal begun anew"),
    ),
    "config check": (
        ("tablectl config check /etc/table-controller/table.toml", "before a restart"),
    ),
    "setup": (
        ("tablectl setup", "finds the devices, asks, shows what it would write, asks again"),
        ("tablectl setup --dry-run", "the same, and writes nothing"),
        (
            "tablectl setup --yes --set table.id=P12 --set table.min=25",
            "from a script; what is there already stays",
        ),
        ("tablectl setup --device shoe=/dev/ttyUSB0", "where two answer as a shoe"),
        ("tablectl setup --page /media/safe/P12-key.txt --start", "with key and start"),
    ),
    "ready": (
        ("tablectl ready", "is the table ready to be opened, and what is missing"),
        ("tablectl ready --html ready.html", "the sheet to be signed"),
    ),
    "faults": (
        ("tablectl faults", "all of them"),
        ("tablectl faults device-refuses", "what one means and what to do"),
    ),
    "journal verify": (
        ("tablectl journal verify", "of the running table"),
        (
            "tablectl journal verify --state /var/lib/table-controller --key key.pub",
            "of a stopped one, by a key that was kept elsewhere",
        ),
    ),
    "journal archive": (
        (
            "tablectl journal archive --state /var/lib/table-controller --to /media/2026-11",
            "the table has to be stopped",
        ),
    ),
    "journal export": (
        ("tablectl journal export", "to standard output"),
        ("tablectl journal export --evidence /media/evidence", "with heads, program and rules"),
    ),
    "journal find": (
        ("tablectl journal find --card 9D --since 2026-11-23T22:15", "a card since a time"),
        ("tablectl journal find --fault device-refuses", "when a fault stood"),
    ),
    "journal stats": (("tablectl journal stats", "of the running table"),),
    "journal heads": (("tablectl journal heads --json", "all of them, a line each"),),
    "journal checkpoint": (
        ("tablectl journal checkpoint --qr", "to be photographed"),
        ("tablectl journal checkpoint --vkey", "the key that verifies it"),
    ),
    "journal witness": (("tablectl journal witness", "how far each has cosigned, and when"),),
    "journal prove": (
        ("tablectl journal prove 12 --out round-12.json", "a proof of round 12 alone"),
        ("tablectl journal prove --from kept.txt --out since.json", "since that checkpoint"),
    ),
    "journal key": (
        ("tablectl journal key", "the public one"),
        ("tablectl journal key --install --export page.txt", "once, with a page for the safe"),
    ),
    "journal recover": (
        (
            "tablectl journal recover --state /var/lib/table-controller --from /media/copy",
            "from its second copy",
        ),
    ),
    "people list": (("tablectl people list", "names and roles"),),
    "people add": (
        ("tablectl people add Novak --role supervisor", "at a terminal the PIN is asked for"),
        ("tablectl people add Tan --role technician", "from a script: a line of standard input"),
    ),
    "people pin": (("tablectl people pin Novak", "also ends that he is barred"),),
    "people remove": (("tablectl people remove Novak", "who has left the house"),),
    "simulate": (
        ("tablectl simulate --rules mbs-pontoon-pandemonium-v5 --rounds 1000000", "of a document"),
        ("tablectl simulate --config table.toml --jobs 2 --seed 7", "as a table is configured"),
    ),
    "bundle": (("tablectl bundle --out support.tar.gz", "for whoever helps"),),
    "program": (("tablectl program", "here, and running"),),
    "demo": (
        ("tablectl demo", "half a minute"),
        ("tablectl demo --stay", "a table of your own, until Ctrl-C"),
        ("tablectl demo --rules rws-pontoon-plus-v5 --seed 7 --rounds 3", "the same cards again"),
    ),
    "twin draw": (("tablectl twin draw 3", "three cards, one by one"),),
    "twin next": (
        ("tablectl twin next AS 6C KH", "a Pontoon for the only box: AS and KH"),
        ("tablectl twin next '??'", "one that the shoe cannot read"),
    ),
    "twin press": (("tablectl twin press", "as the player does"),),
    "twin key": (("tablectl twin key 12#", "1, 2, enter"),),
    "twin switch": (("tablectl twin switch supervisor", "a supervisor is at the keypad"),),
    "twin unplug": (("tablectl twin unplug shoe", "its link goes down"),),
    "twin plug": (("tablectl twin plug shoe", "its link comes up again"),),
    "twin look": (("tablectl twin look jackpot", "what its display shows"),),
    "twin do": (("tablectl twin do shoe lid open=true", "open the shoe's lid"),),
    "completion": (
        ('eval "$(tablectl completion bash)"', "in ~/.bashrc"),
        ("tablectl completion fish | source", "in fish"),
    ),
}
"""By the command's name without ``tablectl``: lines as they are typed, with what they are for."""


def examples_of(name: str) -> tuple[tuple[str, str], ...]:
    """A command's examples; a group's are the first of each of its commands. Empty: none."""
    if name in EXAMPLES:
        return EXAMPLES[name]
    return tuple(found[0] for known, found in EXAMPLES.items() if known.startswith(f"{name} "))


def epilog(name: str) -> Iterator[str]:
    """The lines that ``--help`` has below the options; none where there is no example."""
    if examples := examples_of(name):
        yield from ("", "examples:")
    for line, about in examples:
        yield f"  {line}"
        yield f"      {about}"
