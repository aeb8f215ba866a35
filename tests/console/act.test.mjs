// A command is given until there is an answer, and nobody is told that what may have been done was not.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

const inline = (source) => `data:text/javascript,${encodeURIComponent(source)}`;
const page = inline(await readFile("console/static/common/page.js", "utf8"));
const source = (await readFile("console/static/dealer/act.js", "utf8")).replace('"./page.js"', JSON.stringify(page));
const { Acting } = await import(inline(source));

const error = (kind, code) => ({ ok: false, error: { kind, code } });
const done = { ok: true, result: { at: 8 } };
const view = { console: "start", table: { at: 7 } };

// What a supervisor's command comes to where these answers come one after the other; null: none does.
async function given(t, ...answers) {
  const sent = [];
  t.mock.method(globalThis, "fetch", async (_, { body }) => {
    sent.push(body);
    const answer = answers.shift();
    if (answer === null) throw new TypeError("network");
    return { json: async () => answer };
  });
  const acting = new Acting(`12345678.${"0".repeat(32)}`, () => {});
  acting.shown(8);
  const answer = await acting.give(view, "shift", { as: "supervisor", why: "x" });
  assert.equal(new Set(sent).size, 1, "the same request each time");
  assert.equal(answers.length, 0);
  return answer;
}

test("what has no answer is given again", async (t) => assert.deepEqual(await given(t, null, error("unavailable", "no-answer"), done), done));

test("a refusal is told as it is", async (t) => {
  for (const no of [error("not_allowed", "not-allowed"), error("changed", "changed")]) assert.deepEqual(await given(t, no), no);
});

test("that somebody may not any more says nothing of the one that had no answer", async (t) => {
  const answer = await given(t, null, error("not_allowed", "not-allowed"));
  assert.deepEqual([answer.error.kind, answer.error.code], ["unavailable", "no-answer"]);
});
