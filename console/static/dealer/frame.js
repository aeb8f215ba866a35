// What stands around the felt: the prompt, what was refused, who acts, and that the page is not live.

import { html, nothing } from "./lit-html.js";
import { money } from "./amounts.js";
import { isOver, outcome, paidFirst } from "./payments.js";
import { t } from "./words.js";

const notices = (list) => list.map(({ code, values }) => html`<li>${t(`notice.${code}`, values)}</li>`);

// What is to be done first, which is read from afar; what comes next, or is said of it, stands beside it.
const SENTENCE = /(?<=[.?])\s+|(?<=[。？])/;

function asked(table, ticked) {
  const { code, values } = table.asks;
  const text = t(`asks.${code}`, values);
  const first = paidFirst(table, ticked);
  return first === null ? text.split(SENTENCE) : [first, t("pay.then", { prompt: text })];
}

// `ticked`: what is paid, a Set of seats; `sentences`: what is said in place of what the table awaits.
export function prompt(table, ticked, sentences) {
  const { values } = table.asks;
  const [says, ...adds] = sentences ?? asked(table, ticked);
  const won = !sentences && isOver(table) ? outcome(table) : null;
  return html`<div class="prompt" role="status" aria-live="polite"><p class="says">${says}</p>
    ${adds.length ? html`<p class="adds">${adds.join(" ")}</p>` : nothing}
    ${won === null ? nothing : html`<p class="won">${t("pay.round", { amount: money(won) })}</p>`}
    <ul class="notices">${notices(values.notices ?? [])}</ul></div>`;
}

// A line that is always there, so that no key moves when something is said on it: a refusal in words.
export function saying(said) {
  if (!said) return html`<p class="saying"></p>`;
  return html`<p class="saying refused" role="alert"><b>${t("ui.refused")}</b> ${said.words} <small>${said.clause}</small></p>`;
}

export function overlay(view, connect) {
  const pause = view.againMs === null ? "" : t("ui.again", { seconds: Math.ceil(view.againMs / 1000) });
  const why = view.live && view.lost ? t("ui.table-lost") : t("ui.page-lost");
  return html`<div class="overlay" role="alertdialog" aria-modal="true" aria-label=${t("ui.not-live")}>
    <h2>${t("ui.not-live")}</h2><p>${why} ${pause}</p>
    <p><button type="button" class="key" @click=${connect}>${t("ui.try-now")}</button></p></div>`;
}

// While this page does not act: who does, and how to; it asks whether that is meant, and the second tap of
// a double tap is no answer.
export function another(view, api) {
  const asks = api.local.takesOver;
  return html`<div class="another" role="status">
    <p>${asks ? t("ui.really-take-over") : t(view.seat ? "ui.another-page" : "ui.no-page", { page: view.person ?? view.seat })}</p>
    ${asks
      ? html`<button type="button" class="key key-done" data-ask="yes" ?disabled=${!api.still} @click=${api.takeSeat}>${t("ui.yes-take-over")}</button>
          <button type="button" class="key" data-ask="no" @click=${() => api.askSeat(false)}>${t("ui.cancel")}</button>`
      : html`<button type="button" class="key" data-ask="seat" @click=${() => (view.seat ? api.askSeat(true) : api.takeSeat())}>${t("ui.take-over")}</button>`}</div>`;
}

// What undo would bring, where this page did not give what is taken back.
export function undoAsked(asked, api) {
  return html`<div class="dialog" role="dialog" aria-modal="true" aria-label=${t("key.undo")}>
    <h2>${t("key.undo")}</h2><p>${t("undo.then")} <b>${t(`asks.${asked.asks.code}`, asked.asks.values)}</b></p>
    <div class="row"><button type="button" class="key key-done" data-command="undo" aria-disabled=${!api.may} @click=${() => api.may && api.give("undo", { at: asked.at })}><b>${t("key.undo")}</b></button>
    <button type="button" class="key quiet-key" @click=${() => api.open(null)}>${t("ui.cancel")}</button></div></div>`;
}

export function top(view, more, api, sentences) {
  const { table } = view;
  return html`<header class="top">${prompt(table, api.local.ticked, sentences)}
    <div class="where"><h1>${table.table}</h1><span>${t("ui.round", { round: table.round })}</span></div>
    ${more}
    <button type="button" class="small" aria-label=${t("ui.settings")} @click=${() => api.open("settings")}>☰</button></header>`;
}
