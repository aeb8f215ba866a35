// The keys: what may be done now, out of the templates that the table permits. The hand in turn and
// what goes on come first and large; what is seldom needed stands behind "more".

import { html, nothing } from "./lit-html.js";
import { t } from "./words.js";

const BY_OTHERS = new Set(["wager"]); // the chips (wagers.js)
const FIRST = ["hit", "stand", "double", "split", "buy", "done", "next", "close", "open", "reveal", "burn", "inspected"];
const SELDOM = new Set(["absent", "shuffle", "squeeze", "nominate"]);
const NEEDS = /^(AMOUNT|BOX|CARD|N|PLACE)$/;

// Half of what lies on a bettor's first hand as main wager, where that is whole cents; null: unknown.
export function half(table, seat) {
  const [, number, bettor] = /^(\d+)([a-h]?)$/.exec(seat) ?? [];
  const amount = table.boxes[number]?.wagers?.[bettor || "a"]?.main;
  const cents = amount === undefined || amount === null ? NaN : Math.round(Number(amount) * 100);
  return cents % 2 === 0 ? (cents / 200).toFixed(2) : null;
}

// The command that a touch of this template's key gives, or null where a value is still to be said.
export function command(table, template) {
  const words = template.split(" ");
  if (words[0] === "double" && words.at(-1) === "AMOUNT") return words.slice(0, -1).join(" ");
  if (words[0] === "insure" && words.at(-1) === "AMOUNT") {
    const amount = half(table, words[1].split("@")[0]);
    return amount === null ? null : [...words.slice(0, -1), amount].join(" ");
  }
  return words.some((word) => NEEDS.test(word)) ? null : template;
}

// What a template says as a key, and of whom.
export function label(template) {
  const [verb, ...more] = template.split(" ");
  const about = more.filter((word) => !NEEDS.test(word)).join(" ");
  return { verb: t(`key.${verb}`), about: /^\d/.test(about) ? t("felt.box", { box: about }) : about };
}

const rank = (table, template) => {
  const [verb, seat] = template.split(" ");
  const place = FIRST.indexOf(verb);
  const mine = table.turn && seat?.startsWith(String(table.turn.box)) ? 0 : 20;
  return (place < 0 ? FIRST.length : place) + (seat ? mine : 10);
};

// The templates as {now, seldom}, each in the order of their keys.
export function sorted(table) {
  const all = table.permitted.filter((one) => !BY_OTHERS.has(one.split(" ")[0]) && one !== "undo");
  const order = all.map((one) => [rank(table, one), one]).sort((a, b) => a[0] - b[0]);
  const list = order.map(([, one]) => one);
  const isSeldom = (one) => SELDOM.has(one.split(" ")[0]);
  return { now: list.filter((one) => !isSeldom(one)), seldom: list.filter(isSeldom) };
}

function key(table, template, api) {
  const { verb, about } = label(template);
  const given = command(table, template);
  const amount = /^insure /.test(given ?? "") ? given.split(" ").at(-1).replace(/\.00$/, "") : "";
  return html`<button type="button" class=${`key key-${template.split(" ")[0]}`} data-command=${given ?? template}
      ?disabled=${!api.may} @click=${() => (given === null ? api.ask(template) : api.give(given))}>
    <b>${verb}</b>${about || amount ? html`<small>${about} ${amount}</small>` : nothing}</button>`;
}

export function keys(table, api) {
  const { now, seldom } = sorted(table);
  const undo = table.permitted.includes("undo");
  return html`${now.map((one) => key(table, one, api))}
    ${undo ? html`<button type="button" class="key key-undo" data-command="undo" ?disabled=${!api.may}
        @click=${() => api.give("undo")}><b>${t("key.undo")}</b><small>${api.last}</small></button>` : nothing}
    ${seldom.length ? html`<button type="button" class="key quiet-key" aria-expanded=${api.more} @click=${api.showMore}>${t("ui.more")}</button>` : nothing}
    ${api.more ? seldom.map((one) => key(table, one, api)) : nothing}`;
}
