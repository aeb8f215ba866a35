// What the table awaits, says and refuses, put into words: no key is shown, no part that does not apply.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

const inline = (source) => `data:text/javascript,${encodeURIComponent(source)}`;
const values = inline(await readFile("console/static/common/values.js", "utf8"));
const source = (await readFile("console/static/common/words.js", "utf8")).replace('"./values.js"', JSON.stringify(values));
const { t, use } = await import(inline(source));
const english = JSON.parse(await readFile("console/words/en.json", "utf8"));
use(english);

const hand = { box: 1, hand: 1, hands: 1, absent: [] };

test("a decision names its keys, and the hand only where there are several", () => {
  const choices = ["card", "stand", "double"];
  assert.equal(t("asks.decide", { ...hand, total: 13, choices, waits: null }), "Box 1 has 13: Card, Stand or Double?");
  assert.equal(
    t("asks.decide", { box: 2, hand: 2, hands: 2, absent: ["a", "b"], total: 9, choices: ["free card"], waits: "KH" }),
    "Box 2, hand 2 (without 2, 2b) has 9: Free card? K♥ waits to be taken.",
  );
});

test("parts that do not apply are not said", () => {
  const bets = { boxes: [1, 2], side_wagers: {}, jackpot_down: false, below_minimum: null };
  assert.equal(t("asks.bets-open", bets), "Bets are open. Boxes in play: 1, 2.");
  assert.equal(
    t("asks.bets-open", { ...bets, boxes: [], side_wagers: { pair: 2 }, below_minimum: { played: ["1a"], back_at_close: [] } }),
    "Bets are open. Boxes in play: none. Side wagers: 2 pair. Below the minimum, played: 1a.",
  );
  assert.equal(t("asks.double-card", { ...hand, may_double: false }), "Box 1 doubled: one card.");
});

test("who presses is said", () => {
  assert.equal(t("asks.button", { box: 1, nominee: null }), "Offer the jackpot button to Box 1.");
  assert.match(t("asks.button", { box: 1, nominee: "staff" }), /staff, who presses for box 1/);
});

test("an amount that is not known is a question", () => {
  const won = { box: 1, multiplier: 25 };
  assert.match(t("asks.pay-multiplier", { ...won, amount: "125.00" }), /25×: pay 125\./);
  assert.match(t("asks.pay-multiplier", { ...won, amount: null }), /pay \?/);
});

test("what was reported and holds play is said as the report says it", () => {
  assert.equal(
    t("asks.held", { faults: ["misdeal", "card-unread"] }),
    "Play is held: The first cards were dealt wrongly, The shoe could not read a card.",
  );
});

test("a key without a text shows itself, and a missing one falls back to English", () => {
  assert.equal(t("ui.no-such-text"), "ui.no-such-text");
  use({}, english);
  assert.equal(t("felt.box", { box: 3 }), "Box 3");
  use(english);
});
