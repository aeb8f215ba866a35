// A state that is followed, with a made EventSource and a made clock.

import assert from "node:assert/strict";
import { test } from "node:test";

const { Follower, LONGEST_PAUSE_MS, LOST_MS, SILENT_MS, pauseAfter } = await import(
  `data:text/javascript,${encodeURIComponent(
    await (await import("node:fs/promises")).readFile("web/static/live.js", "utf8"),
  )}`
);

const SERVER = 7_000_000; // its clock, when ours begins

class Machine extends EventTarget {
  now = 0;
  reloads = 0;
  location = { reload: () => (this.reloads += 1) };
  Date = { now: () => this.now };
  performance = { now: () => this.now };
  sources = [];
  #timers = new Map();
  #last = 0;

  constructor() {
    super();
    const { sources } = this;
    const machine = this;
    this.EventSource = class extends EventTarget {
      constructor() {
        super();
        sources.push(this);
      }
      close() {
        this.closed = true;
      }
      say(name, data = "1", lastEventId = String(SERVER + machine.now)) {
        this.dispatchEvent(Object.assign(new Event(name), { data, lastEventId: name === "error" ? undefined : lastEventId }));
      }
    };
  }
  setTimeout(then, ms) {
    this.#timers.set(++this.#last, [this.now + ms, then]);
    return this.#last;
  }
  clearTimeout(number) {
    this.#timers.delete(number);
  }
  pass(ms) {
    const until = this.now + ms;
    for (;;) {
      const due = [...this.#timers].filter(([, [at]]) => at <= until).sort((a, b) => a[1][0] - b[1][0])[0];
      if (!due) break;
      this.#timers.delete(due[0]);
      this.now = due[1][0];
      due[1][1]();
    }
    this.now = until;
  }
}

const followed = (show = () => true) => {
  const machine = new Machine();
  const shown = [];
  const told = [];
  const follower = new Follower(() => new machine.EventSource(), (one) => shown.push(one) && show(one), (one) => told.push(one), machine);
  follower.connect();
  return { machine, shown, told, follower, live: () => told.at(-1).live };
};

const whole = (number = 0, parts = {}) => JSON.stringify({ after: null, number, parts, gone: [] });
const change = (after, number, parts, gone = []) => JSON.stringify({ after, number, parts, gone });

test("nothing is live before the first state is shown", () => {
  const { machine, shown, live } = followed();
  assert.equal(live(), false);
  machine.sources[0].say("alive");
  assert.equal(live(), false);
  machine.sources[0].say("state", whole(4, { n: 1 }));
  assert.deepEqual(shown, [new Map([["n", 1]])]);
  assert.equal(live(), true);
});

test("a second of silence is a doubt, which the next word ends", () => {
  const { machine, live } = followed();
  machine.sources[0].say("state", whole());
  machine.pass(SILENT_MS - 1);
  assert.equal(live(), true);
  machine.sources[0].say("alive");
  machine.pass(SILENT_MS);
  assert.equal(live(), false);
  machine.sources[0].say("alive");
  assert.equal(live(), true);
  assert.equal(machine.sources.length, 1);
});

test("what comes late is not live, from the first on or later, until it comes in time again", () => {
  const { machine, live } = followed();
  machine.pass(SILENT_MS + 1);
  machine.sources[0].say("state", whole(), String(SERVER)); // how long it was under way, nobody knows
  assert.equal(live(), false);
  machine.pass(1000);
  machine.pass(SILENT_MS); // in time, but for how slowly it was asked for: a doubt later by as much
  machine.sources[1].say("state", whole());
  assert.equal(live(), true);
  machine.sources[1].say("alive", "1", String(SERVER + machine.now - 1));
  assert.equal(live(), false);
  assert.ok(machine.sources[1].closed);
  machine.pass(1000);
  machine.sources[2].say("state", whole());
  for (let minute = 0; minute < 60; minute++) machine.pass(900), machine.sources[2].say("alive");
  assert.equal(live(), true);
  for (let late = 100; late <= SILENT_MS; late += 100) {
    machine.pass(500);
    machine.sources[2].say("alive", "1", String(SERVER + machine.now - late));
    assert.equal(live(), true);
  }
  machine.pass(500);
  machine.sources[2].say("alive", "1", String(SERVER + machine.now - SILENT_MS - 1));
  assert.equal(live(), false);
});

test("an error is told at once, and it tries again by itself", () => {
  const { machine, live, told } = followed();
  machine.sources[0].say("state", whole());
  machine.sources[0].say("error");
  assert.equal(live(), false);
  assert.equal(told.at(-1).againMs, 1000);
  assert.ok(machine.sources[0].closed);
  machine.pass(1000);
  assert.equal(machine.sources.length, 2);
  machine.sources[1].say("alive");
  assert.equal(live(), false);
  machine.sources[1].say("state", whole());
  assert.equal(live(), true);
});

test("its pauses grow, and have an end", () => {
  const { machine, told } = followed();
  const pauses = [];
  for (let tries = 0; tries < 7; tries++) {
    machine.sources.at(-1).say("error");
    pauses.push(told.at(-1).againMs);
    machine.pass(told.at(-1).againMs);
  }
  assert.deepEqual(pauses, [1000, 2000, 4000, 8000, 15000, 15000, 15000]);
  assert.equal(pauseAfter(1000), LONGEST_PAUSE_MS);
});

test("a person need not wait", () => {
  const { machine, follower } = followed();
  machine.sources[0].say("error");
  follower.connect();
  assert.equal(machine.sources.length, 2);
  machine.pass(1000);
  assert.equal(machine.sources.length, 2);
});

test("a connection that says nothing is given up", () => {
  const { machine, told } = followed();
  machine.pass(LOST_MS);
  assert.ok(machine.sources[0].closed);
  assert.equal(told.at(-1).againMs, 1000);
});

test("what changes is put into what is there", () => {
  const { machine, shown } = followed();
  machine.sources[0].say("state", whole(4, { a: 1, b: 2 }));
  machine.sources[0].say("state", change(4, 7, { b: null, c: 3 }, ["a"]));
  assert.deepEqual(shown.at(-1), new Map([["b", null], ["c", 3]]));
});

test("who has missed one asks for the whole", () => {
  const { machine, shown, live } = followed();
  machine.sources[0].say("state", whole(4, { a: 1 }));
  machine.sources[0].say("state", change(5, 6, { a: 2 }));
  assert.equal(live(), false);
  assert.ok(machine.sources[0].closed);
  assert.equal(shown.at(-1).get("a"), 1);
  machine.sources[1].say("state", whole(6, { b: 2 }));
  assert.deepEqual(shown.at(-1), new Map([["b", 2]]));
  assert.equal(live(), true);
});

test("what could not be shown is not live, whatever else comes, and the whole is asked for", () => {
  let shows = true;
  const { machine, shown, told, live } = followed(() => shows);
  machine.sources[0].say("state", whole(4, { a: 1 }));
  shows = false;
  machine.sources[0].say("state", change(4, 5, { a: 2 }));
  machine.sources[0].say("alive"); // it was under way
  assert.equal(live(), false);
  assert.equal(told.at(-1).againMs, 1000);
  machine.pass(1000);
  shows = true;
  machine.sources[1].say("state", whole(5, { a: 2 }));
  assert.deepEqual(shown.at(-1), new Map([["a", 2]]));
  assert.equal(live(), true);
});

test("a page that shows nothing of what comes is loaded again, after seven seconds", () => {
  const { machine, live } = followed(() => {
    throw new Error("a script of another version");
  });
  for (const second of [0, 1, 2, 3, 4, 5, 6, 7]) {
    assert.equal(machine.reloads, 0);
    if (second) machine.pass(1000);
    machine.sources.at(-1).say("state", whole());
    assert.equal(live(), false);
  }
  assert.equal(machine.reloads, 1);
});

for (const kind of ["error", "unhandledrejection"])
  test(`where a script has ended in an error (${kind}) the whole is shown anew`, () => {
    const { machine, live } = followed();
    machine.dispatchEvent(new Event(kind)); // before it was live: nothing to doubt
    machine.sources[0].say("state", whole());
    assert.equal(live(), true);
    machine.dispatchEvent(new Event(kind));
    assert.equal(live(), false);
    machine.pass(1000);
    machine.sources[1].say("state", whole());
    assert.equal(live(), true);
  });

test("a doubt while it is told that it is live holds", () => {
  const told = [];
  const machine = new Machine();
  const tell = (one) => (told.push(one), one.live && follower.doubt());
  const follower = new Follower(() => new machine.EventSource(), () => true, tell, machine);
  follower.connect();
  machine.sources[0].say("state", whole());
  assert.equal(told.at(-1).live, false);
  machine.pass(1000);
  assert.equal(machine.sources.length, 2);
});
