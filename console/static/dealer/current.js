// An answer that belongs to what is shown: asked for anew when that has changed, and again a second after
// one that judged nothing, because nobody answered or another page acted.

const AGAIN_MS = 1000;
const JUDGED = new Set(["refused", "not_allowed", "malformed"]);

export class CurrentAnswer {
  answer = null; // while it is on its way
  #about = "";

  // The answer of `ask` about what is shown, which `about` tells from anything else.
  of(about, ask, draw) {
    if (about !== this.#about) {
      this.answer = null;
      this.#about = about;
      ask().then((answer) => this.#come(about, answer, draw));
    }
    return this.answer;
  }

  #come(about, answer, draw) {
    if (this.#about !== about) return;
    this.answer = answer;
    if (!answer.ok && !JUDGED.has(answer.error.kind)) setTimeout(() => this.#forget(about, draw), AGAIN_MS);
    draw();
  }

  #forget(about, draw) {
    if (this.#about === about) this.#about = "";
    draw();
  }
}
