// The felt from the dealer's side: boxes from his left, each with its hands, wagers and what is due
// there; before him his own hand, the meter and the shoe.

import { html, nothing } from "./lit-html.js";
import { money } from "./amounts.js";
import { face, listed } from "./cards.js";
import { t } from "./words.js";

const BETTORS = "abcdefgh".split("");

const numbers = (table) => Array.from({ length: table.places }, (_, index) => index + 1);

const chip = (bettor, kind, words, looks = "") =>
  html`<li class=${`chip kind-${kind} ${looks}`} data-chip-of=${`${bettor} ${kind}`}>${words}</li>`;

// What lies for each bettor: his letter where it is not a, the kind where it is no main wager.
function stakes(found, kept = () => false) {
  return BETTORS.flatMap((bettor) =>
    Object.entries(found?.[bettor] ?? {}).map(([kind, amount]) => {
      const words = html`${bettor === "a" ? nothing : html`<b>${bettor}</b>&nbsp;`}${kind === "main" ? nothing : html`<span>${t(`kind.${kind}`)}</span> `}${money(amount)}`;
      return kept(bettor, kind, amount) ? chip(bettor, kind, html`${words} <small>${t("wager.kept")}</small>`, "kept") : chip(bettor, kind, words);
    }),
  );
}

// The side wagers of a box, and main wagers while no hand lies there.
function wagers(number, box, withMain, api) {
  const found = {};
  for (const [bettor, kinds] of Object.entries(box.wagers ?? {}))
    found[bettor] = Object.fromEntries(Object.entries(kinds).filter(([kind]) => withMain || kind !== "main"));
  return stakes(found, (bettor, kind, amount) => api.kept?.(number, bettor, kind, amount));
}

// Insurance: of a bettor's own wager it is one more chip of his.
const insured = (number, box) =>
  Object.entries(box.insurance ?? {}).flatMap(([taker, list]) =>
    list.flatMap(({ of, amount }) =>
      of === `${number}${taker}`
        ? stakes({ [taker]: { insurance: amount } })
        : chip(taker, "insurance", t("felt.insured", { taker, of, amount: money(amount) })),
    ),
  );

function hand(table, number, one, index, several, api) {
  const inTurn = table.turn?.box === number && table.turn?.hand === index + 1;
  const marks = (one.marks ?? []).filter((mark) => mark !== "settled" || one.marks.length === 1);
  const place = several ? `box ${number}.${index + 1}` : `box ${number}`;
  return html`<div class=${`hand${inTurn ? " turn" : ""}`} data-place=${several ? place.replace("box ", "") : nothing}>
    <div class=${`cards fan${listed(one.cards).length > 4 ? " many" : ""}`}>${fan(table, place, one.cards, api)}</div>
    <p class="total">${inTurn ? html`<span class="whose">▶<span class="unseen">${t("felt.turn")}</span></span> ` : nothing}${one.cards && one.total ? one.total : nothing}</p>
    ${marks.map((mark) => html`<p class="mark">${t(`mark.${mark}`)}</p>`)}
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

// A box. A card that is dropped anywhere in it lies there.
function box(table, number, api) {
  const one = table.boxes[number] ?? { hands: [], wagers: {} };
  const hands = one.hands.filter((each) => each.cards || Object.keys(each.stakes ?? {}).length);
  const selected = api.box === number;
  const inTurn = table.turn?.box === number;
  const awaited = !table.turn && Number(table.asks?.values.box) === number;
  const empty = !api.mayPick?.(number) && table.boxes[number] === undefined;
  const states = { "in-turn": inTurn, awaited, empty, selected };
  const looks = ["box", `hands-${hands.length}`, ...Object.keys(states).filter((state) => states[state])].join(" ");
  const name = t("felt.box", { box: number });
  const title = api.mayPick?.(number)
    ? html`<h2 class="title"><button type="button" data-box=${number} aria-pressed=${selected} @click=${() => api.pickBox(number)}>${name}</button></h2>`
    : html`<h2 class="title">${name}</h2>`;
  const place = one.hands.length > 1 ? nothing : number; // else a hand of it
  return html`<section class=${looks} data-place=${place} aria-label=${name}>
    ${title}
    ${table.squeezed?.includes(number) ? html`<p class="mark">${t("felt.squeezes")}</p>` : nothing}
    <div class="hands">${hands.map((each, index) => hand(table, number, each, index, one.hands.length > 1, api))}</div>
    <ul class="chips">${wagers(number, one, !hands.length, api)}${insured(number, one)}</ul>
    ${api.due?.(number) ?? nothing}
  </section>`;
}

function meter(table) {
  const shown = table.meter;
  if (shown?.multiplier) return html`<p class="meter"><b>${shown.multiplier}×</b> ${t("felt.box", { box: shown.box })}</p>`;
  return table.offer ? html`<p class="meter">${t("felt.button", { box: table.offer.box })}</p>` : nothing;
}

// `api`: `box` (chosen), mayPick(box), pickBox(box); pickCard(number) and `picked`, where cards are picked;
// kept(box, bettor, kind, amount): it lies since the last round; due(box): what is to be paid and taken
// there; `sum`: of all that, as a template.
export function felt(table, api = {}) {
  const shoe = table.shoe ?? {};
  return html`<div class="boxes">${numbers(table).map((number) => box(table, number, api))}</div>
    <section class="dealer" data-place="dealer" aria-label=${t("felt.dealer")}>
      <h2 class="title">${t("felt.dealer")}</h2>
      <div class="cards row-of">${fan(table, "dealer", table.dealer.cards, api)}</div>
      <p class="total">${table.dealer.cards ? table.dealer.total : nothing}</p>
      ${meter(table)}
      ${api.sum ?? nothing}
      <p class="shoe">${t("felt.shoe", { remaining: shoe.remaining ?? "?" })} ${shoe.cutting_card ? t("felt.cutting-card") : nothing}</p>
    </section>`;
}
