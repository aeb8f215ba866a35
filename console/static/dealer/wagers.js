// Wagers by chips: a box, whose wager and of what kind, then chips, each of which is added to what lies
// there (`wager` sets, never adds). Chips below the least wager wait on the page until there are enough.
// The main wagers of the last round lie there still, and are seen to.

import { html, nothing } from "./lit-html.js";
import { cents as inCents, money } from "./amounts.js";
import { tapped } from "./tapping.js";
import { seatOf } from "./values.js";
import { kindOfWager } from "./verbs.js";
import { t } from "./words.js";

const VALUES = [1, 2, 2.5, 5, 10, 25, 50, 100, 500, 1000, 5000, 10000];
const MOST_CHIPS = 8;

const cents = (text) => inCents(text) ?? 0;
const amount = (value) => (value / 100).toFixed(value % 100 ? 2 : 0);

// The kinds that may be wagered now, main first.
const kinds = (table) => Object.keys(table.bettors).filter((kind) => table.permitted.includes(`wager BOX ${kind} AMOUNT`));

const bounds = (limits, kind) =>
  kind === "main" ? { least: limits?.min, most: limits?.max } : { least: limits?.side_min, most: limits?.side_max };

// The chips that fit the table's smallest step and the most that a wager may be, small ones first.
function chips(limits, kind) {
  const step = cents(limits?.increment) || 1;
  const { least, most } = bounds(limits, kind);
  const fit = VALUES.filter((value) => (value * 100) % step === 0 && value * 100 <= (cents(most) || Infinity));
  const small = fit.filter((value) => value * 20 * 100 < cents(least)).length; // a rack has no pennies
  return fit.slice(small, small + MOST_CHIPS);
}

const lying = (table, box, { bettor, kind }) => table.boxes[box]?.wagers?.[bettor]?.[kind] ?? null;

// Why a wager of that many cents is refused, as a key of words; "" where it is not.
function outside(limits, kind, value) {
  if (value === 0) return "";
  const { least, most } = bounds(limits, kind);
  if (least && value < cents(least)) return "wager.below";
  if (most && value > cents(most)) return "wager.above";
  return value % (cents(limits?.increment) || 1) ? "wager.steps" : "";
}

const wager = (box, { bettor, kind }, value) => `wager ${seatOf(box, bettor)} ${kind} ${amount(value)}`;

const choice = (name, chosen, words, pick) =>
  html`<button type="button" class="choice" data-choice=${name} aria-pressed=${chosen} @click=${pick}>${words}</button>`;

function chipKey(name, words, counts, api, doing) {
  const { down, tap } = tapped(api, doing);
  return html`<button type="button" class=${`chip-key${typeof name === "number" ? " disc" : ""}`} data-chip=${name} aria-disabled=${!api.may || !counts}
    @pointerdown=${down} @click=${(event) => counts && tap(event)}>${words}</button>`;
}

// `box`: chosen; `of`: {bettor, kind, waits: chips in cents that are too few yet}; api: may, give, ask,
// choose(of), refuse(words).
export function wagers(table, box, of, api) {
  const { limits } = table;
  const bettors = [...table.bettors[of.kind]]; // whom the document lets wager so
  const lies = box === null ? null : lying(table, box, of);
  const { least, most } = bounds(limits, of.kind);
  const add = (value, at) => {
    const whole = cents(lies) + (of.waits ?? 0) + value * 100;
    const why = outside(limits, of.kind, whole);
    if (why === "") return api.choose({ ...of, waits: 0 }), api.give(wager(box, of, whole), { at });
    if (why === "wager.below") api.choose({ ...of, waits: whole - cents(lies) });
    return api.refuse(t(why, { amount: amount(whole), least: money(least), most: money(most), step: money(limits.increment) }));
  };
  const lieWords = () => {
    const values = { box: seatOf(box, of.bettor), kind: t(`kind.${of.kind}`), amount: lies === null ? "0" : money(lies) };
    return of.waits ? t("wager.waits", { ...values, waits: amount(of.waits) }) : t("wager.lies", values);
  };
  const whose = () => html`<span class="whose-wager">${t("wager.bettor")}</span>
    ${bettors.map((bettor) => choice(bettor, of.bettor === bettor, bettor, () => api.choose({ ...of, bettor, waits: 0 })))}`;
  return html`<section class="wagers" aria-label=${t("wager.title")}>
    <div class="row">${kinds(table).map((kind) => choice(kind, of.kind === kind, t(`kind.${kind}`), () => api.choose({ ...of, kind, waits: 0, bettor: table.bettors[kind].includes(of.bettor) ? of.bettor : "a" })))}
      <span class="gap"></span>${bettors.length === 1 ? nothing : whose()}</div>
    <p class="lies" role="status">${box === null ? t("wager.choose-box") : lieWords()} <small>${least || most ? t("wager.limits", { least: money(least), most: money(most) }) : nothing}</small></p>
    <div class="row">
      ${chips(limits, of.kind).map((value) => chipKey(value, `+${value}`, box !== null, api, (at) => add(value, at)))}
      ${chipKey("pad", t("wager.number"), box !== null, api, () => api.ask(`wager ${seatOf(box, of.bettor)} ${of.kind} AMOUNT`))}
      ${chipKey("out", t("wager.out"), lies !== null || Boolean(of.waits), api, (at) => (api.choose({ ...of, waits: 0 }), lies === null ? null : api.give(wager(box, of, 0), { at })))}
    </div>
  </section>`;
}

// Chips at that box that wait to be enough, in words: nobody forgets them as bets are closed; "" where there are none.
export const tooFewChips = ({ limits }, box, of) =>
  box === null || !of.waits ? "" : `${t("felt.box", { box: seatOf(box, of.bettor) })}: ${t("wager.below", { amount: amount(of.waits), least: money(bounds(limits, of.kind).least) })}`;

// Why a typed amount of a wager is refused, in words; "" where it is not.
export function refusedAmount(table, template, typed) {
  const kind = kindOfWager(template);
  if (kind === undefined) return "";
  const why = outside(table.limits, kind, cents(typed));
  const { least, most } = bounds(table.limits, kind);
  return why && t(why, { amount: typed, least: money(least), most: money(most), step: money(table.limits.increment) });
}
