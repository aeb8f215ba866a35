// What is still to be said of a command, one value after the other: a box, a kind of wager, a
// card, an amount.

import { RANKS, SUITS } from "./cards.js";
import { html, nothing } from "./lit-html.js";
import { seatOf } from "./values.js";
import { refusedAmount } from "./wagers.js";
import { t } from "./words.js";

const DIGITS = ["7", "8", "9", "back", "4", "5", "6", "00", "1", "2", "3", ".", "0"];
const VALUE = /\b(BOX|KIND|AMOUNT|CARD)\b/;

let typed = "";
let part = ""; // a card's rank, or a bettor's box
let asked = ""; // what they belong to

// The first value that a template still needs; undefined: none.
export const needed = (template) => VALUE.exec(template)?.[1];

export const filled = (template, value) => template.replace(VALUE, value);

function say(template, value, api) {
  asked = "";
  const next = filled(template, value);
  if (needed(next)) api.ask(next);
  else if (api.local.answer) api.local.answer(next);
  else api.give(next);
}

function amounts(template, api) {
  const press = (digit) => ((typed = digit === "back" ? typed.slice(0, -1) : (typed + digit).slice(0, 10)), api.draw());
  const why = !api.local.answer && typed && refusedAmount(api.view.table, template, typed);
  return html`<div class="amounts"><div class="pad">${DIGITS.map((digit) => html`<button type="button" class="digit" aria-label=${digit === "back" ? t("who.back") : digit} @click=${() => press(digit)}>${digit === "back" ? "⌫" : digit}</button>`)}</div>
    <output class="typed">${typed || "0"} <small>${why || nothing}</small></output>
    <button type="button" class="key" data-say="enter" ?disabled=${Boolean(why) || !/^\d+(\.\d{1,2})?$/.test(typed)} @click=${() => say(template, typed, api)}>${t("ui.enter")}</button></div>`;
}

function card(template, api) {
  return html`<div class="pad ranks">${RANKS.map((one) => html`<button type="button" class="digit" aria-pressed=${part === one} data-rank=${one} @click=${() => ((part = one), api.draw())}>${one}</button>`)}</div>
    <div class="pad suits">${Object.keys(SUITS).map((suit) => html`<button type="button" class="digit" ?disabled=${!part} data-suit=${suit} @click=${() => say(template, part + suit, api)}>${t(`card.${suit}`)}</button>`)}</div>`;
}

// Who may have missed something, beside whoever sits at the box: others with a wager there.
const others = (table, box) => Object.keys(table.boxes[box]?.wagers ?? {}).filter((bettor) => bettor !== "a").map((bettor) => `${box}${bettor}`);

function boxes(template, api) {
  const { table } = api.view;
  const numbers = Array.from({ length: table.places }, (_, index) => String(index + 1));
  const all = template.startsWith("report missed-") ? numbers.flatMap((box) => [box, ...others(table, box)]) : numbers;
  const bettors = template.startsWith("wager ") ? [...new Set(Object.values(table.bettors).join(""))] : [];
  const whose = bettors.length > 1;
  const pick = (box) => (whose ? ((part = box), api.draw()) : say(template, box, api));
  return html`<div class="pad">${all.map((box) => html`<button type="button" class="digit" data-say=${box} aria-pressed=${whose ? part === box : nothing} @click=${() => pick(box)}>${box}</button>`)}</div>
    ${whose ? html`<p class="asks"><b>${t("wager.bettor")}</b></p><div class="pad">${bettors.map((bettor) => html`<button type="button" class="digit" data-say=${bettor} ?disabled=${!part} @click=${() => say(template, seatOf(part, bettor), api)}>${bettor}</button>`)}</div>` : nothing}`;
}

function kinds(template, api) {
  const all = [...Object.keys(api.view.table.bettors), "double", "buy", "insurance"];
  return html`<div class="row">${all.map((kind) => html`<button type="button" class="key" data-say=${kind} @click=${() => say(template, kind, api)}>${t(`kind.${kind}`)}</button>`)}</div>`;
}

export function pad(template, api) {
  const kind = needed(template);
  const now = `${api.view.table.at} ${template}`;
  if (now !== asked) (asked = now), (typed = part = ""); // one that the table has closed leaves nothing behind
  const close = () => ((asked = ""), api.ask(null));
  const inside = { AMOUNT: amounts, BOX: boxes, KIND: kinds, CARD: card }[kind];
  return html`<div class="dialog" role="dialog" aria-modal="true" aria-label=${t(`ask.${kind}`)}>
    <h2>${t(`ask.${kind}`)}</h2>${inside(template, api)}
    <button type="button" class="key quiet-key" @click=${close}>${t("ui.cancel")}</button></div>`;
}
