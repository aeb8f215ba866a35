// What this page has done at the table. A command carries the `at` that the page showed when the finger
// came down, and a key made of page, `at` and command: so a double tap is one command, and one whose
// answer did not come is given again under the same key, and answered, not done, again
// (docs/control-socket.md).

import { headersOf } from "./page.js";

const AGAIN_MS = 300;
const MOST_TRIES = 40;
const SHOWN_MS = 1000;
const ANSWER_MS = 20000; // the console answers within 15 s

const LOADED = performance.timeOrigin; // a page that is loaded again has the same name: its keys are others

// A short digest (FNV-1a, 32 bits) that tells commands at one state apart.
export function digest(text) {
  let found = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) found = Math.imul(found ^ byte, 0x01000193);
  return (found >>> 0).toString(16).padStart(8, "0");
}

export const keyOf = (page, at, command, more) =>
  `${page.slice(0, 8)}/${at}/${digest(JSON.stringify([command, more]))}`;

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

export class Acting {
  busy = false; // a command is on its way: no key counts
  #page; #changed;
  #unchanged = 0; // commands that were done and left `at` as it was: the same one again is another
  #at = -1;
  #awaited = null;

  // `changed` is called whenever `busy` has changed.
  constructor(page, changed) {
    this.#page = page;
    this.#changed = changed;
  }

  // Give a command for the table as `view` shows it, or as it was at `at`; its answer, {ok, result} or
  // {ok, error}, or null where another is on its way. Returns when the page shows what it has brought.
  async give(view, command, { as = "dealer", why, person, pin, more, at = view.table.at } = {}) {
    const key = keyOf(this.#page, at, command, [as, why ?? "", person ?? "", LOADED, this.#unchanged]);
    const body = { console: view.console, do: as, command, at, key, why, person, pin, more };
    return this.#alone(async () => {
      const answer = await this.#sent("/command", body);
      if (answer.ok && answer.result.at === at) this.#unchanged += 1;
      if (answer.ok) await this.#shows(answer.result.at);
      return answer;
    });
  }

  // The page shows the table with this `at`.
  shown(at) {
    this.#at = at;
    if (this.#awaited && at >= this.#awaited.at) this.#awaited.come();
  }

  // What commands would bring, one after the other; nothing is done.
  dry(view, commands, { as = "dealer", why } = {}) {
    return this.#once("/command", { console: view.console, do: as, commands, dry: true, why });
  }

  signIn(view, person, pin, once) {
    return this.#alone(() => this.#once("/sign-in", { console: view.console, person, pin, once }));
  }

  signOut() {
    return this.#once("/sign-out", {});
  }

  touch(view) {
    return this.#once("/touch", { console: view.console });
  }

  takeSeat(over) {
    return this.#once("/seat", { over });
  }

  // What may be put right now.
  choices() {
    return this.#once("/choices", undefined);
  }

  async #alone(doing) {
    if (this.busy) return null;
    this.busy = true;
    this.#changed();
    try {
      return await doing();
    } finally {
      this.busy = false;
      this.#changed();
    }
  }

  async #shows(at) {
    if (this.#at >= at) return;
    const come = new Promise((done) => (this.#awaited = { at, come: done }));
    await Promise.race([come, pause(SHOWN_MS)]);
    this.#awaited = null;
  }

  // Nobody knows whether a command without an answer was done: it is given again until one comes. Who had
  // signed in may be out by then: that he may not any more does not say that it was not done.
  async #sent(path, body) {
    for (let tries = 1, lost = null; ; tries += 1) {
      const answer = await this.#once(path, body);
      if (lost && answer.error?.kind === "not_allowed") return lost;
      if (answer.ok || answer.error.kind !== "unavailable" || tries === MOST_TRIES) return answer;
      lost = answer;
      await pause(AGAIN_MS);
    }
  }

  async #once(path, body) {
    const headers = headersOf(this.#page);
    const asked = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
    try {
      const response = await fetch(path, { ...asked, signal: AbortSignal.timeout(ANSWER_MS) });
      return await response.json();
    } catch (error) {
      return { ok: false, error: { kind: "unavailable", code: "no-answer", reason: String(error) } };
    }
  }
}
