// Letters to touch, for screens without a keyboard: a text grows by them, words with a capital first.

import { html } from "./lit-html.js";
import { t } from "./words.js";

const ROWS = ["QWERTYUIOP", "ASDFGHJKL", "ZXCVBNM"];

// The text after that key: a letter, " " or "back".
export function grown(text, key, { most, capitals = true }) {
  if (key === "back") return text.slice(0, -1);
  const upper = capitals ? text === "" || text.endsWith(" ") : text === "";
  return (text + (upper ? key : key.toLowerCase())).slice(0, most);
}

// `press` gets each key; `enter` is a template beside the last row.
export function letters(press, enter) {
  const key = (letter) => html`<button type="button" class="letter" @click=${() => press(letter)}>${letter}</button>`;
  return html`<div class="letters">${ROWS.map((row) => html`<div>${[...row].map(key)}</div>`)}
    <div><button type="button" class="letter wide" aria-label=${t("who.space")} @click=${() => press(" ")}>␣</button>
      <button type="button" class="letter wide" aria-label=${t("who.back")} @click=${() => press("back")}>⌫</button>${enter}</div></div>`;
}
