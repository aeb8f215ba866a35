// What went wrong: why the table is held and what may be done about it; and, where nobody is held yet,
// questions in plain words. Each leads to the values that are still to be said, and then to a command.

import { html, nothing } from "./lit-html.js";
import { face } from "./cards.js";
import { beginCorrection } from "./corrections.js";
import { CurrentAnswer } from "./current.js";
import { begin } from "./errand.js";
import { isCorrection, plain } from "./plain.js";
import { tapped } from "./tapping.js";
import { faultWords } from "./values.js";
import { isQuestion } from "./verbs.js";
import { t } from "./words.js";

const choices = new CurrentAnswer();

// What may be put right at the table that is shown, {at, dealer, supervisor, clauses}; null while it is
// asked for.
function choicesOf({ acting, draw, view }) {
  const answer = choices.of(`${view.table.at} ${view.person}`, () => acting.choices(), draw);
  return answer?.ok ? answer.result : null;
}

function row(api, template, as, clause) {
  const { down, tap } = tapped(api, (at) => (isCorrection(template) ? beginCorrection(api) : begin(api, template, as, at)));
  return html`<button type="button" class=${`choice-row by-${as}`} data-choice=${template} aria-disabled=${!api.may} @pointerdown=${down} @click=${tap}>
    <b>${plain(template)}</b>${clause ? html`<small>${clause}</small>` : nothing}</button>`;
}

// The templates, with one question for all corrections, in the order given.
function once(list) {
  const first = list.find(isCorrection);
  return list.filter((one) => !isCorrection(one) || one === first);
}

function rows(api, list, as, title, clauses) {
  if (!list.length) return nothing;
  return html`<h3>${title}</h3><div class="choice-rows">${list.map((one) => row(api, one, as, clauses?.[one]))}</div>`;
}

const title = (held) => {
  const [fault] = held.faults.length ? held.faults : [held.fault];
  return faultWords(fault, t);
};

// The panel of a held table, in front of the keys: the reason, its cards, what may be done.
export function irregular(view, api) {
  const { held, actions } = view.table;
  if (!held) return nothing;
  const may = actions.filter(({ verb }) => isQuestion(verb)).map(({ text }) => text);
  const others = held.remedies.filter((one) => !may.includes(one));
  const clauses = choicesOf(api)?.clauses;
  return html`<section class="alarm held" aria-label=${t("held.title")}>
    <h2 class="unseen">${title(held)}</h2>
    ${held.cards?.length ? html`<p class="waiting">${t("held.cards")} ${held.cards.map((card) => face(card))}</p>` : nothing}
    ${held.faults.slice(1).map((fault) => html`<p>${faultWords(fault, t)}</p>`)}
    ${rows(api, may, "dealer", t("held.dealer"), clauses)}
    ${rows(api, others, "supervisor", t("held.supervisor"), clauses)}
    ${may.length || others.length ? nothing : html`<p>${t("held.nothing")}</p>`}</section>`;
}

// The key that is always there.
export function wrongKey(view, api) {
  return html`<button type="button" class="small wrong-key" ?disabled=${!api.may} @click=${() => api.open("wrong")}>${t("wrong.title")}</button>`;
}

// All that may be said of what went wrong, as questions.
export function wrongDialog(api) {
  const found = choicesOf(api);
  const list = (all) => once(all.filter(({ verb }) => isQuestion(verb) || verb === "wager").map(({ text }) => text));
  const dealers = list(found?.dealer_actions ?? []);
  const others = list(found?.supervisor_actions ?? []).filter((one) => !dealers.includes(one) && !(isCorrection(one) && dealers.some(isCorrection)));
  return html`<div class="dialog wrong" role="dialog" aria-modal="true" aria-label=${t("wrong.title")}>
    <h2>${t("wrong.title")}</h2>
    ${found === null ? html`<p class="waits">${t("effect.waits")}</p>` : nothing}
    ${rows(api, dealers, "dealer", t("wrong.what"), found?.clauses)}
    ${rows(api, others, "supervisor", t("held.supervisor"), found?.clauses)}
    ${found && !dealers.length && !others.length ? html`<p>${t("wrong.nothing")}</p>` : nothing}
    <button type="button" class="key quiet-key" @click=${() => api.open(null)}>${t("ui.close")}</button></div>`;
}
