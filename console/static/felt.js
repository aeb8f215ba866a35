// The felt from the dealer's side: boxes from his left, each with its hands, wagers and what is due
// there; before him his own hand, the meter and the shoe.

import { html, nothing } from "./lit-html.js";
import { face, listed } from "./cards.js";
import { t } from "./words.js";

const BETTORS = "abcdefgh";

export const money = (text) => (text === null || text === undefined ? t("ui.no-amount") : text.replace(/\.00$/, ""));

const numbers = (table) => Array.from({ length: table.places }, (_, index) => String(index + 1));

function stakes(stakesOf) {
  return BETTORS.split("").flatMap((bettor) =>
    Object.entries(stakesOf?.[bettor] ?? {}).map(
      ([kind, amount]) => html`<li class=${`chip kind-${kind}`}>
        ${bettor === "a" ? nothing : html`<b>${bettor}</b> `}${kind === "main" ? nothing : `${t(`kind.${kind}`)} `}${money(amount)}
      </li>`,
    ),
  );
}

// The side wagers of a box, and main wagers while no hand lies there.
function wagers(box, withMain) {
  const found = {};
  for (const [bettor, kinds] of Object.entries(box.wagers ?? {}))
    found[bettor] = Object.fromEntries(Object.entries(kinds).filter(([kind]) => withMain || kind !== "main"));
  return stakes(found);
}

const insured = (box) =>
  Object.entries(box.insurance ?? {}).flatMap(([taker, list]) =>
    list.map(({ of, amount }) => html`<li class="chip">${t("felt.insured", { taker, of, amount: money(amount) })}</li>`),
  );

function hand(table, number, one, index, several, api) {
  const inTurn = table.turn?.box === Number(number) && table.turn?.hand === index + 1;
  const marks = (one.marks ?? []).filter((mark) => mark !== "settled" || one.marks.length === 1);
  const place = several ? `box ${number}.${index + 1}` : `box ${number}`;
  return html`<div class=${`hand${inTurn ? " turn" : ""}`}>
    ${inTurn ? html`<p class="whose">▶ ${t("felt.turn")}</p>` : nothing}
    <div class="cards">${fan(table, place, one.cards, api)}</div>
    <p class="total">${one.cards ? one.total : nothing}
      ${marks.map((mark) => html`<span class="mark">${t(`mark.${mark}`)}</span>`)}</p>
    <ul class="chips">${stakes(one.stakes)}</ul>
  </div>`;
}

// The cards at a place; while cards are picked each knows its number in the round.
function fan(table, place, text, api) {
  const lying = (table.drawn ?? []).map((card, index) => ({ ...card, number: index + 1 })).filter((card) => card.lies === place);
  const cards = listed(text);
  if (!api.pickCard || lying.length !== cards.length) return cards.map((card) => face(card));
  return lying.map((card) => face(card.card, { number: card.number, picked: api.picked?.includes(card.number), pick: api.pickCard }));
}

function due(table, number) {
  return table.account
    .filter((one) => one.box === Number(number) && (one.now === null || Number(one.now) !== 0))
    .map((one) => {
      const takes = Number(one.now) < 0;
      const key = takes ? "felt.take" : "felt.pay";
      const values = { bettor: one.bettor === "a" ? "" : one.bettor, amount: money(one.now?.replace("-", "") ?? null) };
      return html`<li class=${takes ? "take" : "pay"}>${t(key, values)}</li>`;
    });
}

function box(table, number, api) {
  const one = table.boxes[number] ?? { hands: [], wagers: {} };
  const hands = one.hands.filter((each) => each.cards || Object.keys(each.stakes ?? {}).length);
  const selected = api.box === number;
  const looks = `box${table.turn?.box === Number(number) ? " in-turn" : ""}${selected ? " selected" : ""}`;
  const name = t("felt.box", { box: number });
  const title = api.pickBox
    ? html`<button type="button" class="title" data-box=${number} aria-pressed=${selected} @click=${() => api.pickBox(number)}>${name}</button>`
    : html`<h2 class="title">${name}</h2>`;
  return html`<section class=${looks} aria-label=${name}>
    ${title}
    ${table.squeezed?.includes(Number(number)) ? html`<p class="mark">${t("felt.squeezes")}</p>` : nothing}
    <div class="hands">${hands.map((each, index) => hand(table, number, each, index, one.hands.length > 1, api))}</div>
    <ul class="chips">${wagers(one, !hands.length)}${insured(one)}</ul>
    <ul class="due">${due(table, number)}</ul>
  </section>`;
}

function meter(table) {
  const shown = table.meter;
  if (shown?.multiplier) return html`<p class="meter"><b>${shown.multiplier}×</b> ${t("felt.box", { box: shown.box })}</p>`;
  return table.offer ? html`<p class="meter">${t("felt.button", { box: table.offer.box })}</p>` : nothing;
}

// `api`: pickBox(number) and `box`, where boxes are chosen; pickCard(number) and `picked`, where cards are.
export function felt(table, api = {}) {
  const shoe = table.shoe ?? {};
  return html`<div class="boxes">${numbers(table).map((number) => box(table, number, api))}</div>
    <section class="dealer" aria-label=${t("felt.dealer")}>
      <h2 class="title">${t("felt.dealer")}</h2>
      <div class="cards">${fan(table, "dealer", table.dealer.cards, api)}</div>
      <p class="total">${table.dealer.cards ? table.dealer.total : nothing}</p>
      ${meter(table)}
      <p class="shoe quiet">${t("felt.shoe", { remaining: shoe.remaining ?? "?" })}
        ${shoe.cutting_card ? t("felt.cutting-card") : nothing}</p>
    </section>`;
}
