// The keys: what may be done now, out of the actions that the table offers. The box that was touched,
// else the one in turn, comes first; what is seldom needed stands behind "more".

import { html, nothing } from "./lit-html.js";
import { money } from "./amounts.js";
import { tapped } from "./tapping.js";
import { seatOf } from "./values.js";
import { isA, isQuestion, placeAmongKeys } from "./verbs.js";
import { t } from "./words.js";

const FEW = 5; // so many keys of all boxes stand there until a box is touched

// Whom an action is about: {box, bettor, by}; `by` takes it up in another's place.
function about({ text, box, bettor }) {
  const [, owner, its] = /@(\d)([a-h]?)/.exec(text) ?? [];
  if (owner) return { box: Number(owner), bettor: its, by: seatOf(box, bettor ?? "") };
  return { box, bettor: bettor ?? "", by: "" };
}

// `squeeze BOX` of the box that is chosen; of one that squeezes it takes that back.
function ofBox(table, action, chosen) {
  const [slot, ...slots] = action.slots;
  if (chosen === null || slot?.kind !== "box") return action;
  const again = action.verb === "squeeze" && table.squeezed?.includes(chosen) ? " 0" : "";
  return { ...action, box: chosen, text: action.text.replace(slot.name, chosen) + again, slots };
}

// The keys of an action: {command, verb, box, bettor, by, amount, seldom, asks, other}; `asks`: a value is
// still to be said behind a touch; `other`: it is another one than the key beside it has.
export function keysOf(table, given, chosen = null) {
  const action = ofBox(table, given, chosen);
  const { text, verb, slots, proposed } = action;
  const [slot] = slots;
  const key = { verb, ...about(action), amount: null, asks: slot?.kind === "box", command: text };
  const seldom = isA(verb, "seldom") || key.by !== "" || "defgh".includes(key.bettor || "-");
  if (slot?.kind === "bettor") return slot.values.map((by) => ({ ...key, by, seldom: true, command: text.replace(slot.name, by) }));
  if (slot?.kind !== "amount") return [{ ...key, seldom }];
  const amount = proposed[slot.name];
  const other = { ...key, asks: true, seldom: true };
  if (amount === undefined) return [{ ...other, seldom }];
  return [{ ...key, amount, seldom, command: text.replace(slot.name, amount) }, { ...other, other: true }];
}

// A card that leaves the shoe is the hit: a key is needed for one that waits, alone.
const OF_WAITING = new Set(["hit", "free"]);
const isNeeded = (table, verb) => !OF_WAITING.has(verb) || (table.drawn ?? []).some(({ lies }) => lies === "waits");
const hasKey = (table, { verb }) => !isQuestion(verb) && !isA(verb, "aside") && isNeeded(table, verb);

// All keys as {box, round, seldom}: of the box that is looked at, of the round, and the others.
export function arranged(table, chosen) {
  const all = table.actions.filter((one) => hasKey(table, one)).flatMap((one) => keysOf(table, one, chosen));
  all.sort((one, other) => placeAmongKeys(one.verb) - placeAmongKeys(other.verb));
  const usual = all.filter((one) => !one.seldom);
  const ofBoxes = usual.filter((one) => one.box !== null);
  const has = (number) => ofBoxes.some(({ box }) => box === number);
  const box = [chosen, table.turn?.box, ofBoxes[0]?.box].find(has) ?? chosen; // a chosen one may have none any more
  const few = ofBoxes.length <= FEW && !has(chosen); // what is seldom needed is there of all boxes, too
  const boxes = new Set(ofBoxes.map((one) => one.box));
  return {
    boxes,
    mayPick: boxes.size > 1 || ofBoxes.length > FEW,
    box: few ? ofBoxes : ofBoxes.filter((one) => one.box === box),
    round: usual.filter((one) => one.box === null),
    seldom: all.filter((one) => one.seldom && (few || [null, box, chosen].includes(one.box))),
  };
}

const seat = (box, bettor) => t("felt.box", { box: `${box}${bettor}` });

// The verb of a key, as it is told.
function told(key) {
  const name = key.command.endsWith(" 0") && key.verb === "squeeze" ? t("key.face-up") : t(`key.${key.verb}`);
  return key.other ? t("key.other-amount", { key: name }) : name;
}

// What stands on a key: the verb, whom it is about, and the amount.
function label(key) {
  const who = key.box === null ? (/ \d$/.exec(key.command)?.[0].trim() ?? "") : seat(key.box, key.bettor);
  return html`<b>${told(key)}${key.amount === null ? nothing : html` ${money(key.amount)}`}</b>${who ? html`<small>${who}</small>` : nothing}`;
}

const others = ({ by }) => (by === "staff" ? t("key.by-staff") : t("key.by", { by }));

export function keyButton(key, api, words = label(key)) {
  const { down, tap } = tapped(api, (at) => (key.asks ? api.ask(key.command) : api.give(key.command, { at })));
  return html`<button type="button" class=${`key key-${key.verb}`} data-command=${key.command} aria-disabled=${!api.may}
    @pointerdown=${down} @click=${tap}>${words}</button>`;
}

function undoKey(api) {
  const { down, tap } = tapped(api, (at) => api.undo(at));
  const last = api.last ? t("key.undo-of", { command: api.last }) : "";
  return html`<button type="button" class="key key-undo" data-command="undo" aria-disabled=${!api.may}
    @pointerdown=${down} @click=${tap}><b>${t("key.undo")}</b>${last ? html`<small>${last}</small>` : nothing}</button>`;
}

// `api`: may, give, ask, undo, last (what undo takes back), box (chosen), more (the others are seen), showMore.
export function keys(table, api) {
  const { box, round, seldom } = arranged(table, api.box);
  return html`<div class="keys" role="group" aria-label=${t("key.title")}>
    <div class="row of-box">${box.map((one) => keyButton(one, api))}</div>
    <div class="row of-round">
      ${seldom.length ? html`<button type="button" class="key quiet-key" data-more aria-expanded=${api.more} @click=${api.showMore}>${t("ui.more")}</button>` : nothing}
      ${table.permitted.includes("undo") ? undoKey(api) : nothing}
      ${round.map((one) => keyButton(one, api))}
      ${table.permitted.includes("close") ? nothing : html`<span class="key key-close place" aria-hidden="true"></span>`}
    </div>
  </div>`;
}

// What others take up in somebody's place, by what it is: many small keys under one heading.
function byOthers(list, api) {
  const found = new Map();
  for (const one of list) {
    const what = `${told(one)} ${seat(one.box, one.bettor)}${one.amount === null ? "" : ` ${money(one.amount)}`}`;
    found.set(what, [...(found.get(what) ?? []), one]);
  }
  return [...found].map(([what, keys]) => html`<h3>${what}</h3><div class="row small-keys">${keys.map((one) => keyButton(one, api, others(one)))}</div>`);
}

export function moreKeys(table, api) {
  const { seldom } = arranged(table, api.box);
  return html`<div class="dialog" role="dialog" aria-modal="true" aria-label=${t("ui.more")}>
    <h2>${t("ui.more")}</h2><div class="row keys-of">${seldom.filter((one) => one.by === "").map((one) => keyButton(one, api))}</div>
    ${byOthers(seldom.filter((one) => one.by !== ""), api)}
    <button type="button" class="key quiet-key" @click=${api.showMore}>${t("ui.close")}</button></div>`;
}
