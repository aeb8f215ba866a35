// What a page shows, drawn as a whole or not at all: where drawing ends in an error, what the HTML file
// has there stands there again, which says so without a script. lit-html's state of a half-drawn
// element is not to be trusted: it goes with it.

import { render } from "./lit-html.js";

export class Picture {
  of; // what was drawn last; undefined: nothing is shown
  #place; #instead; #end;

  // `place` has in it what is shown while nothing is drawn.
  constructor(place) {
    this.#place = place;
    this.#instead = [...place.childNodes];
  }

  // Draw the template that `make` gives, a picture of `of`; whether it is shown.
  draw(make, of = null) {
    this.of = of; // already for what is asked while it is drawn: nothing can be tapped in between
    try {
      if (!this.#end) this.#place.replaceChildren((this.#end = new Comment()));
      render(make(), this.#place, { renderBefore: this.#end });
    } catch (error) {
      console.error(error);
      this.drop();
    }
    return this.of !== undefined;
  }

  // Show nothing of it any more.
  drop() {
    this.of = this.#end = undefined;
    this.#place.replaceChildren(...this.#instead);
  }
}
