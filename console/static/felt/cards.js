// Cards as they are seen: rank, and suit by its shape and by one of four colours that the colour-blind
// can tell (classes of dealer.css). `??` lies face down, or was not read.

import { html } from "./lit-html.js";

export const RANKS = [..."A23456789TJQK"];
export const SUITS = { C: ["♣", "clubs"], D: ["♦", "diamonds"], H: ["♥", "hearts"], S: ["♠", "spades"] };
const CARD = /^([2-9AJQKT])([CDHS])/;

// The cards of a text, "KD ?? 9S".
export const listed = (text) => (text ? text.split(" ") : []);

export function face(text, { number, picked, pick } = {}) {
  const [, rank, suit] = CARD.exec(text) ?? [];
  const down = rank === undefined;
  const [shape, name] = down ? ["", "down"] : SUITS[suit];
  const inside = down
    ? html`<span class="back" aria-hidden="true"></span>`
    : html`<b aria-hidden="true">${rank.replace("T", "10")}</b><i aria-hidden="true">${shape}</i>`;
  const words = down ? "?" : `${rank}${suit}`;
  const looks = `card ${name}${picked ? " picked" : ""}`;
  return pick
    ? html`<button type="button" class=${looks} data-card=${number} aria-label=${words} @click=${() => pick(number)}>${inside}</button>`
    : html`<span class=${looks} role="img" aria-label=${words}>${inside}</span>`;
}
