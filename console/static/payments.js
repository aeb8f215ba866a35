// What is to be paid and taken at each box now, with its sum, ticked off by touch; at the end of a
// round what it has come to. Ticks are this page's own, and go with what is owed.

import { html, nothing } from "./lit-html.js";
import { money } from "./felt.js";
import { t } from "./words.js";

const signed = (text) => (text === null ? null : Number(text));

// What is due now by box and bettor: {seat, amount (null: unknown), lines: settlements}.
export function dues(table) {
  const found = new Map();
  for (const one of table.owed) {
    const seat = `${one.box}${one.bettor === "a" ? "" : one.bettor}`;
    const due = found.get(seat) ?? { seat, amount: 0, lines: [] };
    const net = signed(one.net);
    due.amount = due.amount === null || net === null ? null : Math.round((due.amount + net) * 100) / 100;
    due.lines.push(one);
    found.set(seat, due);
  }
  return [...found.values()];
}

// The sum of all; null where one is unknown.
export const sum = (list) =>
  list.reduce((all, { amount }) => (all === null || amount === null ? null : Math.round((all + amount) * 100) / 100), 0);

const words = (amount) => {
  if (amount === null) return t("pay.odds");
  const text = money(Math.abs(amount).toFixed(2));
  return amount < 0 ? t("pay.take", { amount: text }) : t(amount > 0 ? "pay.pay" : "pay.nothing", { amount: text });
};

const line = (one) =>
  html`<small>${t(`kind.${one.kind}`)} ${t(`outcome.${one.outcome}`)} ${one.odds ?? ""} ${one.net === null ? "" : money(one.net)} <span class="quiet">${one.clause}</span></small>`;

// `ticked`: a Set of seats at this state; api: tick(seat).
export function payments(table, ticked, api) {
  const list = dues(table);
  if (!list.length) return nothing;
  const all = sum(list);
  return html`<section class="payments" aria-label=${t("pay.title")}>
    <ul>${list.map(
      (due) => html`<li><button type="button" class="tick" data-seat=${due.seat} aria-pressed=${ticked.has(due.seat)} @click=${() => api.tick(due.seat)}>
        <span class="box-mark" aria-hidden="true">${ticked.has(due.seat) ? "✓" : " "}</span>
        <b>${t("felt.box", { box: due.seat })}: ${words(due.amount)}</b> ${due.lines.map(line)}</button></li>`,
    )}</ul>
    <p class="sum">${t("pay.sum")} ${words(all)}</p>
  </section>`;
}

// What the round has come to for the house, once it is over.
export function outcome(table) {
  if (!table.account.length) return null;
  const nets = table.account.map((one) => signed(one.net));
  return nets.includes(null) ? null : -Math.round(nets.reduce((all, net) => all + net, 0) * 100) / 100;
}
