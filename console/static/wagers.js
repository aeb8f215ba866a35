// Wagers by chips: a box, whose wager and of what kind, then chips, each of which is added to what lies
// there (`wager` sets, never adds). The main wagers of the last round lie there still and are seen.

import { html, nothing } from "./lit-html.js";
import { money } from "./felt.js";
import { t } from "./words.js";

const CHIPS = [1, 2, 5, 10, 25, 50, 100, 500, 1000, 5000];
const ON_BOX = ["a", "b", "c"];
const OUTSIDE = ["d", "e", "f", "g", "h"];

const cents = (text) => (text ? Math.round(Number(text) * 100) : 0);
const amount = (value) => (value / 100).toFixed(value % 100 ? 2 : 0);

// The kinds that may be wagered now, main first.
export const kinds = (table) =>
  table.permitted.filter((one) => one.startsWith("wager BOX ")).map((one) => one.split(" ")[2]);

// The chips that fit the table's smallest step and most.
export function chips(limits, kind) {
  const step = cents(limits?.increment) || 1;
  const most = cents(kind === "main" ? limits?.max : limits?.side_max) || Infinity;
  return CHIPS.filter((chip) => (chip * 100) % step === 0 && chip * 100 <= most).slice(0, 9);
}

export const lying = (table, { box, bettor, kind }) => table.boxes[box]?.wagers?.[bettor]?.[kind] ?? null;

// Why a wager of that many cents is outside the limits, as a key of words; "" where it is not.
export function outside(limits, kind, value) {
  if (value === 0) return "";
  const [least, most] = kind === "main" ? [limits?.min, limits?.max] : [limits?.side_min, limits?.side_max];
  if (least && value < cents(least)) return "wager.below";
  return most && value > cents(most) ? "wager.above" : "";
}

export const wager = ({ box, bettor, kind }, value) =>
  `wager ${box}${bettor === "a" ? "" : bettor} ${kind} ${amount(value)}`;

const choice = (name, chosen, words, pick) =>
  html`<button type="button" class="choice" data-choice=${name} aria-pressed=${chosen} @click=${pick}>${words}</button>`;

// `at`: {box, bettor, kind} that is chosen; api: may, choose(at), give(command), outsiders.
export function wagers(table, at, api) {
  const offered = kinds(table);
  if (!offered.length) return nothing;
  const { limits } = table;
  const lies = lying(table, at);
  const bettors = [...ON_BOX, ...(at.kind === "main" ? [] : OUTSIDE)];
  const add = (chip) => api.give(wager(at, cents(lies) + chip * 100));
  return html`<section class="wagers" aria-label=${t("wager.title")}>
    <div class="row">${offered.map((kind) => choice(kind, at.kind === kind, t(`kind.${kind}`), () => api.choose({ ...at, kind })))}
      ${bettors.map((bettor) => choice(bettor, at.bettor === bettor, t("wager.bettor", { bettor }), () => api.choose({ ...at, bettor })))}</div>
    <p class="lies" role="status">${at.box ? t("wager.lies", { box: at.box, bettor: at.bettor === "a" ? "" : at.bettor, kind: t(`kind.${at.kind}`), amount: lies === null ? "0" : money(lies) }) : t("wager.choose-box")}</p>
    ${at.box
      ? html`<div class="row">
          ${chips(limits, at.kind).map((chip) => {
            const why = outside(limits, at.kind, cents(lies) + chip * 100);
            const over = why === "wager.above";
            return html`<button type="button" class="chip-key" data-chip=${chip} ?disabled=${!api.may || over} @click=${() => add(chip)}>+${chip}</button>`;
          })}
          <button type="button" class="chip-key" data-chip="out" ?disabled=${!api.may || lies === null} @click=${() => api.give(wager(at, 0))}>${t("wager.out")}</button>
          <button type="button" class="chip-key" data-chip="pad" ?disabled=${!api.may} @click=${() => api.ask(`wager ${at.box}${at.bettor === "a" ? "" : at.bettor} ${at.kind} AMOUNT`)}>${t("wager.number")}</button>
        </div>
        <p class="quiet">${t("wager.limits", { least: money(at.kind === "main" ? limits?.min : limits?.side_min), most: money(at.kind === "main" ? limits?.max : limits?.side_max) })}</p>`
      : nothing}
  </section>`;
}
