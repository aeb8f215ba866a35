// The state of a server, followed: shown whenever it comes, and doubted within a second when nothing
// does. The server sends the whole state after connecting, then its parts that have changed, and in
// between that it is alive (web/streams.py). A page that could not show what came is not live either, nor
// one that is told late: each event has when it was made, by a clock that nobody sets, and the first was
// made after it was asked for.

export const SILENT_MS = 1000;
export const LOST_MS = 5000;
export const FIRST_PAUSE_MS = 1000;
export const LONGEST_PAUSE_MS = 15000;
const MOST_UNSHOWN = 3; // tries, 7 s with their pauses, until the page is loaded again

// How long to wait before the next try, after so many that failed in a row.
export const pauseAfter = (failures) =>
  Math.min(FIRST_PAUSE_MS * 2 ** Math.max(0, failures - 1), LONGEST_PAUSE_MS);

export class Follower {
  #machine; #open; #show; #tell; #source; #silence; #lost; #retry;
  #failures = 0;
  #live;
  #parts = new Map();
  #number = null;
  #asked; #first; // when the events were asked for, by our clock, and when the first was made, by the server's
  aheadMs = 0; // by so much the server's clock is ahead of ours

  // `open` makes an EventSource, or what is like one. `show` gets each state, a Map of its parts by name, and says whether it
  // is shown. `tell` gets {live, againMs} whenever that changes: whether what is shown is so now, and when the next try will
  // be (null: one is under way).
  constructor(open, show, tell, machine = globalThis) {
    this.#machine = machine;
    this.#open = open;
    this.#show = show;
    this.#tell = tell;
    for (const kind of ["error", "unhandledrejection"]) machine.addEventListener(kind, () => this.doubt());
  }

  // Connect; also a button's "try now".
  connect() {
    this.#drop();
    this.#say(false, null);
    const source = this.#open();
    this.#source = source;
    this.#asked = this.#machine.performance.now();
    this.#first = null;
    const hear = (name, doing) =>
      source.addEventListener(name, ({ data, lastEventId }) => {
        if (source === this.#source) this.#late(lastEventId) ? this.#failed() : doing(data);
      });
    hear("state", (data) => this.#come(JSON.parse(data)));
    hear("alive", (data) => {
      this.aheadMs = Number(data) - this.#machine.Date.now();
      this.#heard(this.#failures === 0);
    });
    hear("error", () => this.#failed());
    this.#failures += 1;
    this.#lost = this.#machine.setTimeout(() => this.#failed(), LOST_MS);
  }

  // Whether what was made then may be older than a second.
  #late(made) {
    if (!made) return false; // an error is none of the server's
    this.#first ??= Number(made);
    return this.#machine.performance.now() - this.#asked - (Number(made) - this.#first) > SILENT_MS;
  }

  // What is shown may not be so any more: it could not be drawn anew, or a script of the page has ended in an error, and
  // nobody knows what it has left undone. The whole is asked for.
  doubt() {
    if (this.#live) this.#unshown();
  }

  #come({ after, number, parts, gone }) {
    if (after !== null && after !== this.#number) return this.connect(); // for the whole of it
    if (after === null) this.#parts.clear();
    for (const name of gone) this.#parts.delete(name);
    for (const [name, part] of Object.entries(parts)) this.#parts.set(name, part);
    this.#number = number;
    let shown = false;
    try {
      shown = this.#show(this.#parts);
    } catch (error) {
      console.error(error);
    }
    if (!shown) return this.#unshown();
    this.#heard(true);
    if (this.#live) this.#failures = 0;
  }

  // The scripts may be of another version than what came: in the end the page is loaded again. Its server answers, it did so just now.
  #unshown() {
    if (this.#failures > MOST_UNSHOWN) this.#machine.location.reload();
    this.#failed();
  }

  // Something came: from now on a second of silence is a doubt, and five are an end.
  #heard(live) {
    this.#machine.clearTimeout(this.#silence);
    this.#machine.clearTimeout(this.#lost);
    this.#silence = this.#machine.setTimeout(() => this.#say(false, null), SILENT_MS);
    this.#lost = this.#machine.setTimeout(() => this.#failed(), LOST_MS);
    this.#say(live, null);
  }

  #failed() {
    this.#drop();
    const pause = pauseAfter(this.#failures);
    this.#retry = this.#machine.setTimeout(() => this.connect(), pause);
    this.#say(false, pause);
  }

  #drop() {
    this.#source?.close();
    this.#source = null;
    for (const timer of [this.#silence, this.#lost, this.#retry]) this.#machine.clearTimeout(timer);
  }

  #say(live, againMs) {
    const changed = live !== this.#live || !live;
    this.#live = live; // before it is told: that may end in a doubt
    if (changed) this.#tell({ live, againMs });
  }
}
