// Amounts as the table tells them: texts with two decimals, null where one was not given. They are added
// up in cents; a sum is null as soon as one of its amounts is.

import { t } from "./words.js";

export const cents = (text) => (text === null || text === undefined ? null : Math.round(Number(text) * 100));

export const amountOf = (value) => (value === null ? null : (value / 100).toFixed(2));

export const sum = (values) => values.reduce((all, one) => (all === null || one === null ? null : all + one), 0);

export const money = (text) => (text === null || text === undefined ? t("ui.no-amount") : text.replace(/\.00$/, ""));

// What was won or lost.
export const net = (text) => (Number(text) > 0 ? `+${money(text)}` : money(text));

// So many cents are to be paid, or taken where they are less than nothing.
export function due(value) {
  if (value === null) return t("pay.odds");
  if (value === 0) return t("pay.nothing");
  return t(value < 0 ? "pay.take" : "pay.pay", { amount: amountOf(Math.abs(value)) });
}
