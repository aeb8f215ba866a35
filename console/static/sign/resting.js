// What a screen needs that shows the same for months: it moves a few pixels each minute, so that
// nothing burns in, and reloads itself once a day, when that disturbs nobody.

export const MOVES_MS = 60_000;
export const RELOADS_MS = 24 * 60 * MOVES_MS;

// Where it stands minute by minute, in pixels: around the middle and back.
export const PLACES = [[0, 0], [3, 2], [6, 0], [3, -2], [0, -4], [-3, -2], [-6, 0], [-3, 2]];

export class Resting {
  #element; #mayReload; #machine; #minutes = 0; #since;

  // `mayReload` says whether a reload disturbs nobody now, and will find its server.
  constructor(element, mayReload, machine = globalThis) {
    this.#element = element;
    this.#mayReload = mayReload;
    this.#machine = machine;
  }

  begin() {
    this.#since = this.#machine.Date.now();
    this.#machine.setInterval(() => this.#minute(), MOVES_MS);
  }

  #minute() {
    this.#minutes += 1;
    const [x, y] = PLACES[this.#minutes % PLACES.length];
    this.#element.style.setProperty("transform", `translate(${x}px, ${y}px)`);
    if (this.#machine.Date.now() - this.#since >= RELOADS_MS && this.#mayReload()) this.#machine.location.reload();
  }
}
