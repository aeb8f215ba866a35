// What figures, times and tables are told in.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

const source = await readFile("floor/page/static/words.js", "utf8");
const words = await import(`data:text/javascript,${encodeURIComponent(source)}`);

const well = {
  heard: "2026-11-27T06:06:05+08:00",
  halted: "",
  differs: [],
  next_entry: 1200,
  mirror_size: 1200,
  witness_size: 0,
  shown: { state: "initial_deal", held: null, conditions: {}, links: { shoe: { up: true, wrong: "" } } },
};
const now = Date.parse(well.heard) + 5000;
const but = (change) => ({ ...well, shown: { ...well.shown, ...change } });

test("money has its cents, its sign and its thousands", () => {
  assert.equal(words.money(123456789), "1\u202f234\u202f567.89");
  assert.equal(words.money(-5), "\u22120.05");
  assert.equal(words.money(0), "0.00");
  assert.equal(words.money(null), "?");
});

test("a span of time is told as people tell it", () => {
  const told = [-5, 59_999, 60_000, 3_600_000, 26 * 3_600_000 + 60_000, 50 * 3_600_000].map(words.age);
  assert.deepEqual(told, ["0 s", "59 s", "1 min", "1 h 0 min", "26 h 1 min", "2 days"]);
});

test("times are those of the house", () => {
  assert.equal(words.dayAndClock("2026-11-27T06:06:05.278+08:00"), "2026-11-27 06:06:05");
  assert.equal(words.clock(null), "?");
});

test("a table looks as it is", () => {
  assert.deepEqual(words.standing(well, now), { word: "initial deal", look: "plays" });
  const held = { fault: "shoe-lost", reason: "no shoe", next_step: "look" };
  assert.equal(words.standing(but({ held }), now).look, "held");
  for (const wrong of [
    { ...well, heard: null },
    { ...well, halted: "entry 7 cannot be read" },
    { ...well, shown: null },
    { ...well, differs: ["program"] },
    but({ conditions: { "disk-full": "full" } }),
    but({ links: { shoe: { up: false, wrong: "" } } }),
    but({ links: { shoe: { up: true, wrong: "jammed" } } }),
  ])
    assert.equal(words.standing(wrong, now).look, "wrong");
});

test("what a silent table was is told as that", () => {
  const later = Date.parse(well.heard) + 3 * 3_600_000;
  assert.deepEqual(words.standing(well, later), { word: "initial deal 3 h 0 min ago", look: "silent" });
  const held = { fault: "shoe-lost", reason: "no shoe", next_step: "look" };
  assert.equal(words.standing(but({ held }), later).look, "held", "a hold stays one");
});

test("a table whose journal was refused does not look well", () => {
  const state = { tables: [{ ...well, table: "P1" }, { ...well, table: "P2" }], refusals: [{ table_name: "P2" }] };
  assert.deepEqual(words.withRefused(state).tables.map((one) => words.standing(one, now).look), ["plays", "wrong"]);
});

test("steps are told one by one", () => {
  assert.deepEqual(words.steps("1. Look. 2. Push it home. Play goes on."), ["1. Look.", "2. Push it home. Play goes on."]);
  assert.deepEqual(words.steps("Look."), ["Look."]);
});

test("a journal is vouched for as far as it is", () => {
  assert.equal(words.vouched(well), "mirrored all");
  const behind = { ...well, mirror_size: 1100, witness_size: 1200 };
  assert.equal(words.vouched(behind), "mirrored 1\u202f100 of 1\u202f200, witnessed all");
});

test("a digest is told short, and other words as they are", () => {
  assert.equal(words.short("a".repeat(64)), "a".repeat(12));
  assert.equal(words.short("0.3.0"), "0.3.0");
  assert.equal(words.short(""), "not told");
});
