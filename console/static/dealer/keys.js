// The keys: what may be done now, out of the templates that the table permits. The box that was touched,
// else the one in turn, comes first; what is seldom needed stands behind "more".

import { html, nothing } from "./lit-html.js";
import { amountOf, cents, money } from "./amounts.js";
import { isAbout, plain } from "./plain.js";
import { tapped } from "./tapping.js";
import { seatOf } from "./values.js";
import { t } from "./words.js";

const ELSEWHERE = new Set(["wager", "undo"]);
const ORDER = ["stand", "hit", "free", "double", "split", "buy", "insure", "surrender", "withdraw", "keep", "follow", "place", "reveal", "shuffle", "burn", "open", "inspected", "next", "close", "done"];
const SELDOM = new Set(["absent", "shuffle", "squeeze", "nominate"]);
const SEAT = /^(\d+)([a-h]?)(?:@(\d+)([a-h]?))?$/;
const FEW = 5; // so many keys of all boxes stand there until a box is touched

// Whom a command is about: {box, bettor, by}; `by` takes it up in another's place.
function about(words) {
  const [, box, bettor, owner, its] = SEAT.exec(words[0] === "shuffle" ? "" : (words[1] ?? "")) ?? [];
  if (owner) return { box: Number(owner), bettor: its, by: `${box}${bettor}` };
  return { box: box ? Number(box) : null, bettor: bettor ?? "", by: "" };
}

// What a raise is proposed as: the whole of the wager on the hand in turn, or half of the insured one.
function proposed(table, verb, { box, bettor }) {
  const one = table.boxes[box];
  const whose = bettor || "abc".split("").find((each) => one?.wagers?.[each]?.main !== undefined && !one.absent?.includes(each));
  if (verb !== "insure") return one?.hands[(table.turn?.hand ?? 1) - 1]?.stakes?.[whose]?.main ?? null;
  const half = cents(one?.wagers?.[whose]?.main) / 2;
  return half && Number.isInteger(half) ? amountOf(half) : null;
}

// Whoever is in the round, also where all that he wagered is settled.
const pressers = (table) => [...table.account.map(({ box, bettor }) => seatOf(box, bettor)), "staff"];

// `squeeze BOX` of the box that is chosen; of one that squeezes it takes that back.
function ofBox(table, template, chosen) {
  if (chosen === null || !template.includes("BOX")) return template;
  const again = template === "squeeze BOX" && table.squeezed?.includes(chosen) ? " 0" : "";
  return template.replace("BOX", chosen) + again;
}

// The keys of a template: {command, verb, box, bettor, by, amount, seldom, asks}; `asks`: a value is still
// to be said behind a touch.
export function keysOf(table, given, chosen = null) {
  const template = ofBox(table, given, chosen);
  const words = template.split(" ");
  const [verb] = words;
  const key = { verb, ...about(words), amount: null, asks: words.includes("BOX") };
  const seldom = SELDOM.has(verb) || key.by !== "" || "defgh".includes(key.bettor || "-");
  if (words.at(-1) === "BY") return pressers(table).map((by) => ({ ...key, by, seldom: true, command: template.replace("BY", by) }));
  if (words.at(-1) !== "AMOUNT") return [{ ...key, seldom, command: template }];
  const other = { ...key, command: template, asks: true, seldom: true };
  const amount = proposed(table, verb, key);
  if (amount === null) return [{ ...other, seldom }];
  return [{ ...key, amount, seldom, command: template.replace("AMOUNT", amount) }, other];
}

// A card that leaves the shoe is the hit: a key is needed for one that waits, alone.
const OF_WAITING = new Set(["hit", "free"]);
const isNeeded = (table, verb) => !OF_WAITING.has(verb) || (table.drawn ?? []).some(({ lies }) => lies === "waits");

// All keys as {box, round, seldom}: of the box that is looked at, of the round, and the others.
export function arranged(table, chosen) {
  const verb = (one) => one.split(" ")[0];
  const all = table.permitted.filter((one) => !isAbout(one) && !ELSEWHERE.has(verb(one)) && isNeeded(table, verb(one))).flatMap((one) => keysOf(table, one, chosen));
  all.sort((one, other) => ORDER.indexOf(one.verb) - ORDER.indexOf(other.verb));
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
  return key.command.endsWith("AMOUNT") && key.seldom ? t("key.other-amount", { key: name }) : name;
}

// What stands on a key: the verb, whom it is about, and the amount.
function label(key) {
  const who = key.box === null ? (key.verb === "shuffle" ? key.command.split(" ")[1] : "") : seat(key.box, key.bettor);
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

// A command as it is told: "Wager Box 1 main 50".
export function inWords(command) {
  if (isAbout(command)) return plain(command);
  const [verb, ...more] = command.split(" ");
  const say = (word, index) => (index === 0 && verb !== "shuffle" && SEAT.test(word) ? seat(word, "") : money(word));
  const kind = (word, index) => (verb === "wager" && index === 1 ? t(`kind.${word}`) : say(word, index));
  return [t(`key.${verb}`), ...more.map(kind)].join(" ");
}
