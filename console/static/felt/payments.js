// What is to be paid and taken at each box now, with its sum, ticked off by touch; at the end of a
// round what it has come to. Ticks are this page's own, and go with what is owed.

import { html, nothing } from "./lit-html.js";
import { amountOf, cents, due, net, sum } from "./amounts.js";
import { t } from "./words.js";

// What is due now by box and bettor: {seat, box, bettor, amount (cents, null: unknown), lines: settlements}.
function dues(table) {
  const found = new Map();
  for (const one of table.owed) {
    const seat = `${one.box}${one.bettor}`;
    found.set(seat, [...(found.get(seat) ?? []), one]);
  }
  return [...found].map(([seat, lines]) => ({ seat, box: lines[0].box, bettor: lines[0].bettor, lines, amount: sum(lines.map((one) => cents(one.net))) }));
}

const total = (list) => due(sum(list.map(({ amount }) => amount)));

const line = (one) => t("pay.line", { kind: t(`kind.${one.kind}`), outcome: t(`outcome.${one.outcome}`), odds: one.odds ?? "" });

// Whether the round is over; a hold stands before the state.
export const isOver = ({ state }) => /^(held\.)?(settled|void)$/.test(state);

// What is taken back, or given back, goes from what was said before; whether that was done the table cannot know.
const goesBack = ({ lines }) => lines.some(({ outcome }) => outcome === "reversed");

// At one box: `ticked` is a Set of seats, `tick` gets one; at the end, and behind a correction, what the round has come
// to there.
export function dueAt(table, number, ticked, tick) {
  const list = dues(table).filter((one) => one.box === number);
  const nets = isOver(table) || list.some(goesBack) ? table.account.filter((one) => one.box === number) : [];
  return html`<ul class="due">
    ${list.map(({ seat, bettor, amount, lines }) => html`<li><button type="button" class=${`tick ${amount < 0 ? "take" : "pay"}`} data-seat=${seat}
        aria-pressed=${ticked.has(seat)} @click=${() => tick(seat)}>
      <b>${ticked.has(seat) ? "✓" : "☐"} ${bettor === "a" ? nothing : bettor} ${due(amount)}</b>
      <small class="why">${lines.map((one) => html`<span>${line(one)}${lines.length > 1 ? html` <b>${net(one.net)}</b>` : nothing}</span>`)}</small></button></li>`)}
    ${nets.map((one) => html`<li class="net">${t("pay.net", { bettor: one.bettor === "a" ? "" : one.bettor, amount: net(one.net) })}</li>`)}
  </ul>`;
}

// What is to be paid at a box before its button is pressed, as it is asked for; null: nothing, or it is ticked off.
export function paidFirst({ asks, ...table }, ticked) {
  if (asks.code !== "button") return null;
  const { box } = asks.values;
  const list = dues(table).filter((one) => one.box === box && !(one.amount <= 0 && one.amount !== null) && !ticked.has(one.seat));
  return list.length ? t("pay.first", { box, due: total(list) }) : null;
}

// The sums of what is to be paid and taken now, and how much of it is ticked off.
export function sums(table, ticked) {
  const list = dues(table);
  if (!list.length) return nothing;
  const paid = list.filter((one) => one.amount === null || one.amount > 0);
  const taken = list.filter((one) => one.amount !== null && one.amount < 0);
  const done = list.filter((one) => ticked.has(one.seat)).length;
  return html`<p class="sum" role="status"><b>${paid.length ? total(paid) : nothing} ${taken.length ? total(taken) : nothing}</b>
    ${t("pay.ticked", { done, all: list.length })}</p>`;
}

// What the round has come to for the house, as an amount, once it is over; null: unknown.
export function outcome(table) {
  if (!table.account.length) return null;
  const players = sum(table.account.map((one) => cents(one.net)));
  return players === null ? null : amountOf(0 - players);
}
