// When a tap counts, and for what. A key counts only once the page has shown the same for a moment: the
// second tap of a double tap finds other keys, which nobody has read yet. And what a finger means is
// what the key said when it came down: a card may come before it goes up.

export const STILL_MS = 300;

export class Still {
  #since = -Infinity;
  #timer;

  // `changed` is called when the page has stood still.
  constructor(changed) {
    this.changed = changed;
  }

  // The page shows something else.
  stir() {
    this.#since = performance.now();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.changed, STILL_MS);
  }

  get now() {
    return performance.now() - this.#since >= STILL_MS;
  }
}

let down = null;

// The listeners of a key, {down, tap}: `doing` gets the `at` at which the finger came down. `api`: may,
// and the view.
export function tapped(api, doing) {
  const shown = () => ({ doing, at: api.view.table.at, counts: api.may });
  return {
    down: () => (down = shown()),
    tap: (event) => {
      const meant = event.pointerType && down ? down : shown();
      down = null;
      if (meant.counts) meant.doing(meant.at);
    },
  };
}
