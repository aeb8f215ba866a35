// A correction: cards that are another one, or lie elsewhere, than the screen says. Cards are dragged to
// where they lay, or touched and told what they are; what that would bring for every wager is seen
// before it is given, command by command (docs/supervisor.md, "Corrections").

import { html, nothing } from "./lit-html.js";
import { RANKS, SUITS, face } from "./cards.js";
import { Trial, effect } from "./effect.js";
import { whyKeys } from "./errand.js";
import { cardWords, placeOf, placeWords, stepWords } from "./plain.js";
import { askWho, isSupervisor } from "./supervisor.js";
import { t } from "./words.js";

// A step of a correction, {verb, number, value}, as it is given.
const textOf = ({ verb, number, value }) => `${verb} ${number} ${value}`;

let fix = null; // {steps, card, rank, as, why, text, given: null | {table, done: [{command, before}], refused, error}}
const trial = new Trial();

export const isFixing = () => fix !== null;

// Begin a correction, by whoever may.
export function beginCorrection(api) {
  fix = { steps: [], card: null, rank: "", as: isSupervisor(api.view) ? "supervisor" : "dealer", why: "", text: null, given: null };
  api.open(null);
}

export function leaveCorrection() {
  fix = null;
}

// The table as it would lie after these steps. A card is said once, and lies in one place.
function lying(table, steps) {
  const drawn = table.drawn.map((one) => ({ ...one }));
  for (const step of steps) {
    const { verb, number, value } = step;
    const one = drawn[number - 1];
    if (verb === "correct") one.card = value;
    else one.lies = /^\d/.test(value) ? `box ${value}` : value;
  }
  const at = (place) => drawn.filter((one) => one.lies === place).map((one) => one.card).join(" ");
  const boxes = Object.entries(table.boxes).map(([box, one]) => {
    const hands = one.hands.map((hand, index) => {
      const cards = at(one.hands.length > 1 ? `box ${box}.${index + 1}` : `box ${box}`);
      return cards === hand.cards ? hand : { ...hand, cards, total: null };
    });
    return [box, { ...one, hands }];
  });
  const cards = at("dealer");
  const dealer = cards === table.dealer.cards ? table.dealer : { cards, total: null };
  return { ...table, drawn, boxes: Object.fromEntries(boxes), dealer };
}

// The steps with one more: what was said before of the same card in the same way is replaced, and what
// says nothing new is left out.
function withStep(table, steps, step) {
  const { verb, number, value } = step;
  const others = steps.filter((one) => one.verb !== verb || one.number !== number);
  const is = table.drawn[number - 1];
  const same = verb === "correct" ? is.card === value : placeOf(is.lies) === value;
  return same ? others : [...others, step];
}

function add(api, step) {
  Object.assign(fix, { steps: withStep(api.view.table, fix.steps, step), rank: "" });
  api.draw();
}

// A card was dropped at a place: `3`, `3.2`, `dealer` or `out`.
export function dropped(api, number, place) {
  fix.card = number;
  add(api, { verb: "lies", number: Number(number), value: place });
}

// What the felt needs while cards are picked; the table as corrected.
export function onFelt(table, api) {
  const pickCard = (number) => (Object.assign(fix, { card: number, rank: "" }), api.draw());
  return { table: lying(table, fix.steps), picked: fix.card === null ? [] : [fix.card], pickCard };
}

async function confirm(api) {
  const { as, why, steps } = fix;
  const held = Boolean(api.view.table.held);
  const all = held ? steps.map(textOf) : [...steps.map(textOf), "done"]; // while play is held each is judged at once
  let { at } = trial;
  let before = api.view.table;
  fix.given = { table: before, done: [], refused: "", error: null };
  for (const [index, command] of all.entries()) {
    const more = index < all.length - 1;
    const answer = await api.acting.give(api.view, command, { as, why: why || undefined, at, more });
    if (fix === null) return;
    if (!answer?.ok) {
      Object.assign(fix.given, { refused: command, error: answer?.error ?? { code: "no-answer" } });
      return api.draw();
    }
    fix.given.done.push({ command, before });
    before = answer.result;
    at = before.at;
  }
  fix = null;
  api.draw();
}

// How the cards lie and what is awaited: by which it is seen whether undo takes back a step of this
// correction, or what somebody else has said since.
const lie = ({ asks, boxes, dealer }) =>
  JSON.stringify([asks.code, asks.values.steps, dealer.cards, Object.entries(boxes).map(([box, { hands }]) => [box, hands.map(({ cards }) => cards)])]);

// Take back what of it was done; the last one first.
async function takeBack(api) {
  while (fix?.given.done.length) {
    const { at } = api.view.table;
    const { before } = fix.given.done.at(-1);
    const tried = await api.dry(["undo"]);
    if (!tried.ok) return api.tell(tried.error);
    if (lie(tried.result) !== lie(before)) return api.refuse(t("error.changed"));
    const answer = await api.acting.give(api.view, "undo", { at });
    if (!answer?.ok) return answer && api.tell(answer.error);
    fix?.given.done.pop();
  }
  fix = null;
  api.draw();
}

function halfDone(api) {
  const { table, done, refused, error } = fix.given;
  const words = (given) => (given === "done" ? t("key.done") : stepWords(fix.steps.find((step) => textOf(step) === given), table));
  const end = () => ((fix = null), api.draw());
  return html`<p class="refused" role="alert"><b>${t("correct.refused", { step: words(refused) })}</b> ${t(`error.${error.code}`)} <small>${error.clause ?? ""}</small></p>
    <p>${done.length ? t("correct.was-done", { steps: done.map(({ command }) => words(command)) }) : t("correct.none-done")}</p>
    <div class="row">${done.length ? html`<button type="button" class="key key-done" data-say="undo" ?disabled=${!api.may} @click=${() => takeBack(api)}>${t("correct.take-back")}</button>` : nothing}
      <button type="button" class="key quiet-key" @click=${end}>${t("ui.close")}</button></div>`;
}

function picker(api, table) {
  if (fix.card === null) return nothing;
  const places = [...Array.from({ length: table.places }, (_, index) => String(index + 1)).flatMap((box) => {
    const hands = table.boxes[box]?.hands.length ?? 0;
    return hands > 1 ? Array.from({ length: hands }, (_, at) => `${box}.${at + 1}`) : [box];
  }), "dealer", "out"];
  const one = table.drawn[fix.card - 1];
  return html`<p class="asks"><b>${t("correct.what", { card: cardWords(one.card) })}</b></p>
    <div class="ranks-row">${RANKS.map((rank) => html`<button type="button" class="pick" data-rank=${rank} aria-pressed=${fix.rank === rank} @click=${() => ((fix.rank = rank), api.draw())}>${rank.replace("T", "10")}</button>`)}
      <span class="gap"></span>${Object.keys(SUITS).map((suit) => html`<button type="button" class="pick" data-suit=${suit} aria-label=${t(`suit.${suit}`)} ?disabled=${!fix.rank} @click=${() => add(api, { verb: "correct", number: Number(fix.card), value: `${fix.rank}${suit}` })}>${t(`card.${suit}`)}</button>`)}</div>
    <p class="asks"><b>${t("correct.where", { place: placeWords(placeOf(one.lies)) })}</b></p>
    <div class="ranks-row">${places.map((place) => html`<button type="button" class="pick" data-place=${place} data-say=${place} aria-pressed=${placeOf(one.lies) === place} @click=${() => dropped(api, fix.card, place)}>${placeWords(place)}</button>`)}</div>`;
}

// Cards on no hand, which are picked like those of the felt.
function elsewhere(api, table) {
  const found = table.drawn.map((one, index) => ({ ...one, number: index + 1 })).filter((one) => one.lies === "out" || one.lies === "waits");
  if (!found.length) return nothing;
  const pick = (number) => ((fix.card = number), api.draw());
  return html`<p class="elsewhere">${t("correct.elsewhere")} ${found.map((one) => face(one.card, { number: one.number, picked: fix.card === one.number, pick }))}</p>`;
}

function whatThen(api) {
  const { steps, as, why } = fix;
  if (!steps.length) return nothing;
  if (as === "supervisor" && !why) {
    const say = (words) => ((fix.why = words), api.draw());
    return html`<p class="asks"><b>${t("why.title")}</b></p>${whyKeys(api, fix, say)}`;
  }
  const answer = trial.of(api, steps.map(textOf), { as, why: why || undefined });
  if (answer === null) return html`<p>${t("effect.waits")}</p>`;
  if (answer.ok)
    return html`${effect(api.view.table, answer.result)}
      <button type="button" class="key key-done" data-say="confirm" ?disabled=${!api.may} @click=${() => confirm(api)}>${t("correct.confirm")}</button>`;
  const { code, clause } = answer.error;
  const supervisors = as === "dealer" && ["takes-settlements-back", "supervisor-only", "not-allowed"].includes(code);
  const signIn = () => askWho(api, "sign-in", (who) => ((fix.as = isSupervisor(who) ? "supervisor" : "dealer"), api.open(null)));
  return html`<p class=${supervisors ? "asks" : "refused"} role="status">${t("correct.not-yet")} ${t(`error.${code}`)} <small>${clause ?? ""}</small></p>
    ${supervisors ? html`<button type="button" class="key key-done" data-sign-in="ask" @click=${signIn}>${t("who.supervisor")}</button>` : nothing}`;
}

// In the place of the keys, while a correction is being made.
export function corrections(view, api) {
  const table = lying(view.table, fix.steps);
  const drop = (step) => ((fix.steps = fix.steps.filter((one) => one !== step)), api.draw());
  const leave = () => ((fix = null), api.draw());
  if (fix.given) return html`<section class="fixing" aria-label=${t("correct.title")}>${fix.given.error ? halfDone(api) : t("effect.waits")}</section>`;
  return html`<section class="fixing" aria-label=${t("correct.title")}>
    <div>${elsewhere(api, table)}${picker(api, table)}</div>
    <div><ul class="steps">${fix.steps.map((step) => html`<li><button type="button" class="small" aria-label=${t("correct.drop")} @click=${() => drop(step)}>✕</button> ${stepWords(step, view.table)}</li>`)}</ul>
      ${whatThen(api)}
      <button type="button" class="key quiet-key" data-say="leave" @click=${leave}>${t("ui.cancel")}</button></div>
  </section>`;
}
