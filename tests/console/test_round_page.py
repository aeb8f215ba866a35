"""The round's page: a round that was played at the table, stepped through and kept as a file."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
import zxingcpp
from playwright.sync_api import Page, expect

from controller.sheets.round_code import FORM
from hil_tests.browser.chromium import Visits
from hil_tests.browser.looking import (
    LARGE,
    SMALL,
    Screen,
    not_accessible,
    not_by_keyboard,
)
from hil_tests.console.beside_table import ConsoleBesideTable

pytestmark = pytest.mark.needs("chromium")

PERSON, PIN = "R. Vane", "246810"
VERIFIER = Path(__file__).parents[2] / "verifier" / "verify_journal.py"


@pytest.fixture(scope="module")
def table() -> Iterator[ConsoleBesideTable]:
    """A table at which two rounds were played: one with a multiplier, a split and a card that was
    corrected, and one without anything."""
    with ConsoleBesideTable() as made:
        dealer = made.dealer
        made.bench.control.request("person_add", person=PERSON, role="supervisor", pin=PIN)
        dealer.deal_round(
            "AS 8S 7C KS 8H KD 9C 9D 4S", {3: {"main": 100, "pandemonium": 10}, 5: {"main": 100}}
        )
        dealer.press()
        dealer.paid()
        dealer.enter("split 5")
        dealer.card()
        dealer.stand(5)
        dealer.undo()
        dealer.stand(5)
        dealer.card()
        dealer.supervisor("correct 6 QD", why="card misread")
        dealer.supervisor("done", why="card misread")
        dealer.stand(5)
        dealer.dealers_hand()
        dealer.next()
        dealer.open_bets()
        dealer.wager(1, main=10)
        dealer.no_more_bets()
        yield made


def opened(
    table: ConsoleBesideTable, visits: Visits, screen: Screen = LARGE, number: int = 1
) -> Page:
    page = visits.open(f"{table.url}rounds?round={number}", screen)
    page.locator("[data-go=sign-in]").click()
    page.locator(".who input").fill(PERSON)
    page.locator("[data-say=name]").click()
    for digit in PIN:
        page.locator(f"[data-digit='{digit}']").click()
    page.locator("[data-sign-in=stay]").click()
    expect(page.locator(".outcome")).to_contain_text(f"Round {number}")
    return page


def test_nobody_sees_a_round_without_a_pin(table: ConsoleBesideTable, visits: Visits) -> None:
    page = visits.open(f"{table.url}rounds", SMALL)
    expect(page.locator("[data-go=sign-in]")).to_be_visible()
    assert not_accessible(page) + not_by_keyboard(page) == []
    other = f"{'0' * 8}.{'0' * 32}"
    for kind in (".json", ".code.json"):
        for name, told in (("", "malformed"), (other, "not_allowed")):
            path = f"{table.url}rounds/1{kind}"
            answer = page.request.get(path, headers={"X-Console-Page": name})
            assert answer.json()["error"]["kind"] == told
    for kind in (".proof.json", ".html"):
        answer = page.request.post(f"{table.url}rounds/1{kind}", form={"page": other})
        assert answer.json()["error"]["kind"] == "not_allowed"


def test_each_step_has_the_felt_as_it_lay(table: ConsoleBesideTable, visits: Visits) -> None:
    page = opened(table, visits)
    of = int(page.locator(".when").inner_text().split(" of ")[1].split()[0])
    deeds = []
    for at in range(1, of + 1):
        expect(page.locator(".when")).to_contain_text(f"Step {at} of {of}")
        deeds.append(page.locator(".deed").inner_text())
        if "card KS" in deeds[-1]:
            assert page.locator("[aria-label='Box 3'] .card").all_inner_texts() == ["A\n♠", "K\n♠"]
            expect(page.locator("[aria-label='Box 5'] .card")).to_have_count(1)
        if "the meter shows" in deeds[-1]:
            expect(page.locator(".meter")).to_contain_text("Box 3")
        if "correct 6 QD" in deeds[-1]:
            hands = page.locator("[aria-label='Box 5'] .hand")
            assert hands.locator(".card").all_inner_texts() == ["8\n♠", "Q\n♦", "8\n♥", "9\n♣"]
            assert page.locator(".who-did").inner_text().startswith("Supervisor: P. Marsh")
        if at < of:
            page.keyboard.press("ArrowRight")
    told = "\n".join(deeds)
    for what in (
        "wager 3 pandemonium 10",
        "the button is pressed",
        "undo",
        "is drawn for box 3",
        "split 5",
    ):
        assert what in told
    expect(page.locator("[data-go=on]")).to_be_disabled()
    assert "TAKEN BACK" in told.upper()


def test_what_vouches_for_it_is_a_proof_by_the_checkpoint_in_its_code(
    table: ConsoleBesideTable, visits: Visits, tmp_path: Path
) -> None:
    page = opened(table, visits)
    digest = page.locator("[data-digest]").inner_text()
    with page.expect_download() as loaded:
        page.get_by_role("button", name="Its proof, a file").click()
    file = Path(loaded.value.path())
    assert sha256(file.read_bytes()).hexdigest() == digest
    text = read_code(page)
    head, checkpoint = text.split("\n\n", 1)
    assert head.split("\n") == [FORM, "round 1", f"proof {digest}"]
    proof: Any = json.loads(file.read_text(encoding="utf-8"))
    assert checkpoint == proof["checkpoint"]
    kept, key = tmp_path / "kept", table.bench.folder / "journal.vkey"
    kept.write_text(checkpoint, encoding="utf-8")
    key.write_text(f"{proof['vkey']}\n", encoding="utf-8")
    command = (sys.executable, "-I", str(VERIFIER), "--proof", str(file), "--key", str(key))
    ran = subprocess.run([*command, "--checkpoint", str(kept)], capture_output=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def read_code(page: Page) -> str:
    """What a camera reads off the page; the page itself may load no picture out of its own text."""
    drawn = page.locator("svg.code").evaluate(
        "(code) => new XMLSerializer().serializeToString(code)"
    )
    elsewhere = page.context.new_page()
    width, height, grey = elsewhere.evaluate(
        """async (drawn) => {
        const picture = new Image();
        picture.src = `data:image/svg+xml,${encodeURIComponent(drawn)}`;
        await picture.decode();
        const canvas = Object.assign(document.createElement("canvas"), { width: 720, height: 720 });
        const pen = canvas.getContext("2d", { willReadFrequently: true });
        pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
        const { data } = pen.getImageData(0, 0, canvas.width, canvas.height);
        let grey = "";
        for (let at = 0; at < data.length; at += 4) grey += data[at] < 128 ? "0" : "1";
        return [canvas.width, canvas.height, grey];
    }""",
        drawn,
    )
    pixels = bytes(255 * int(one) for one in grey)
    [found] = zxingcpp.read_barcodes(memoryview(pixels).cast("B", (height, width)))
    return str(found.text)


def test_the_same_is_one_file(table: ConsoleBesideTable, visits: Visits) -> None:
    page = opened(table, visits)
    expect(page.locator("svg.code")).to_be_visible()
    with page.expect_popup() as shown:
        page.get_by_role("button", name="One file to keep or print").click()
    sheet = shown.value
    expect(sheet.locator("h1")).to_have_text("Round 1 at table P12")
    expect(sheet.locator(".code svg")).to_be_visible()
    expect(sheet.get_by_text("Multipliers drawn")).to_be_visible()
    visits.picture(sheet, "round-sheet")


def test_a_round_in_play_is_shown_and_has_no_proof(
    table: ConsoleBesideTable, visits: Visits
) -> None:
    visits.expect("409")
    page = opened(table, visits, number=2)
    expect(page.locator(".seal-none")).to_contain_text("by the newest checkpoint")
    page.locator("[data-go=before]").click()
    expect(page.locator(".outcome")).to_contain_text("Round 1: settled")
    visits.expect("400")
    page.locator("input[name=number]").fill("77")
    page.get_by_role("button", name="Show").click()
    expect(page.locator("[role=alert]")).to_contain_text("No such round")


def test_who_leaves_takes_the_round_with_him(table: ConsoleBesideTable, visits: Visits) -> None:
    page = opened(table, visits)
    expect(page.locator("svg.code")).to_be_visible()
    own = page.locator(".files input").first.input_value()
    page.locator("[data-sign-in=leave]").click()
    expect(page.locator(".outcome")).to_have_count(0)
    assert page.request.post(f"{table.url}rounds/1.html", form={"page": own}).status == 403
