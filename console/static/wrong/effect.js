// What a command would bring for every wager, shown before it is given: each bettor before and after,
// and what is to be paid and taken then.

import { html, nothing } from "./lit-html.js";
import { amountOf, cents, due, money, net, sum } from "./amounts.js";
import { CurrentAnswer } from "./current.js";
import { cardWords } from "./plain.js";
import { t } from "./words.js";

const NOTHING = { at_stake: "0.00", net: "0.00", now: "0.00" };

// The bettors for whom something changes: [{seat, before, after}] of accounts, by box and bettor.
function changes(before, after) {
  const seat = ({ box, bettor }) => `${box}${bettor}`;
  const old = new Map(before.map((one) => [seat(one), one]));
  const all = new Map([...old, ...after.map((one) => [seat(one), one])]);
  const now = new Map(after.map((one) => [seat(one), one]));
  return [...all.keys()]
    .sort()
    .map((each) => ({ seat: each.replace(/a$/, ""), before: old.get(each) ?? NOTHING, after: now.get(each) ?? NOTHING }))
    .filter(({ before: b, after: a }) => b.net !== a.net || b.at_stake !== a.at_stake || cents(a.now) !== 0);
}

const total = (rows, side, key) => sum(rows.map((row) => cents(row[side][key])));

// The hands that change: [{place, before, after}], each {cards, total}.
function hands(table, answer) {
  const listed = (of) => [
    ...Object.entries(of.boxes).flatMap(([box, one]) => one.hands.map((hand, at) => [one.hands.length > 1 ? `${box}.${at + 1}` : box, hand])),
    ["dealer", of.dealer],
  ];
  const old = new Map(listed(table));
  return listed(answer)
    .map(([place, after]) => ({ place, before: old.get(place) ?? { cards: "", total: 0 }, after }))
    .filter(({ before, after }) => before.cards !== after.cards);
}

const fromTo = (before, after, show) => (before === after ? show(after) : html`${show(before)} <span aria-hidden="true">→</span><span class="unseen">${t("effect.then")}</span> <b>${show(after)}</b>`);
const hand = ({ cards, total: points }) => html`${cards.split(" ").filter(Boolean).map(cardWords).join(" ")} (${points})`;

const row = (one) => html`<tr data-seat=${one.seat}><th scope="row">${t("felt.box", { box: one.seat })}</th>
  <td>${fromTo(one.before.at_stake, one.after.at_stake, money)}</td>
  <td>${fromTo(one.before.net, one.after.net, net)}</td><td><b>${due(cents(one.after.now))}</b></td></tr>`;

// `table` is the table before, `answer` the result of the dry run.
export function effect(table, answer) {
  const rows = changes(table.account, answer.account);
  const places = hands(table, answer);
  const all = (side, key) => amountOf(total(rows, side, key));
  const place = (name) => (name === "dealer" ? t("felt.dealer") : t("felt.box", { box: name }));
  return html`<div class="effect">
    ${places.length ? html`<ul class="hands-then">${places.map((one) => html`<li><b>${place(one.place)}</b> ${fromTo(one.before, one.after, hand)}</li>`)}</ul>` : nothing}
    ${rows.length
      ? html`<table><thead><tr><th scope="col">${t("effect.who")}</th><th scope="col">${t("effect.stake")}</th><th scope="col">${t("effect.net")}</th><th scope="col">${t("effect.now")}</th></tr></thead>
          <tbody>${rows.map(row)}</tbody>
          <tfoot><tr><th scope="row">${t("effect.all")}</th><td>${fromTo(all("before", "at_stake"), all("after", "at_stake"), money)}</td>
            <td>${fromTo(all("before", "net"), all("after", "net"), net)}</td><td><b>${due(total(rows, "after", "now"))}</b></td></tr></tfoot></table>`
      : html`<p>${t("effect.none")}</p>`}
    <p class="then"><b>${t("effect.goes-on")}</b> ${t(`asks.${answer.asks.code}`, answer.asks.values)}</p></div>`;
}

// A dry run of commands at the table with this `at`; its answer is null while it is on its way.
export class Trial {
  at = null;
  #current = new CurrentAnswer();

  // The answer for these commands at the table that is shown.
  of(api, commands, more) {
    this.at = api.view.table.at;
    const about = JSON.stringify([this.at, api.view.person, commands, more]);
    return this.#current.of(about, () => api.dry(commands, more), api.draw);
  }
}
