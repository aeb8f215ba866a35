// The dealer's page: the felt, the prompt, what may be done now. Everything is drawn from one view: the
// state that the console sends, and what this page itself has open. While it is not live, while a
// command is on its way, or while another page acts, no key counts.

import { html, nothing, render } from "./lit-html.js";
import { Acting, newPage } from "./act.js";
import { felt, money } from "./felt.js";
import { irregular } from "./irregular.js";
import { keys } from "./keys.js";
import { Follower } from "./live.js";
import { pad } from "./pad.js";
import { outcome, payments } from "./payments.js";
import { settings } from "./settings.js";
import { supervisor } from "./supervisor.js";
import { wagers } from "./wagers.js";
import { speak, t } from "./words.js";

const page = newPage();
const name = page.slice(0, 8);
const acting = new Acting(page, () => draw());

const view = { live: false, againMs: null, console: "", lost: "", seat: "", person: null, once: false, table: null };
const local = { wager: { box: null, bettor: "a", kind: "main" }, ticked: new Set(), tickedAt: null, more: false, said: null, last: "", asked: null, dialog: null };

const isLive = () => view.live && !view.lost && view.table !== null;
const mayAct = () => isLive() && view.seat === name && !acting.busy;

// What a refusal or a change is in words, until the next state or touch.
function tell(error) {
  const key = `error.${error.code}`;
  const asks = error.asks ? t(`asks.${error.asks.code}`, error.asks.values) : "";
  local.said = { words: `${t(key)} ${asks}`, clause: error.clause ?? "", code: error.code };
  draw();
}

async function give(command, more = {}) {
  if (!mayAct()) return null;
  local.said = local.asked = null;
  const answer = await acting.give(view, command, more);
  if (answer === null) return null;
  if (answer.ok) local.last = command.split(" ").slice(0, 4).join(" ");
  else tell(answer.error);
  draw();
  return answer;
}

// What the other parts of the page may use.
const api = {
  give,
  dry: (commands, more) => acting.dry(view, commands, more),
  acting,
  view,
  local,
  get may() {
    return mayAct();
  },
  tell,
  draw: () => draw(),
  ask(template) {
    local.asked = template;
    draw();
  },
  open(dialog) {
    local.dialog = dialog;
    draw();
  },
};

function overlay() {
  const pause = view.againMs === null ? "" : t("ui.again", { seconds: Math.ceil(view.againMs / 1000) });
  const why = view.live && view.lost ? t("ui.table-lost") : t("ui.page-lost");
  return html`<div class="overlay" role="alertdialog" aria-modal="true" aria-label=${t("ui.not-live")}>
    <h2>${t("ui.not-live")}</h2><p>${why} ${pause}</p>
    <button type="button" class="key" @click=${() => follower.connect()}>${t("ui.try-now")}</button></div>`;
}

// While this page does not act: who does, and how to.
function another() {
  if (view.seat === name) return nothing;
  const take = async () => {
    const answer = await acting.takeSeat(true);
    if (!answer.ok) tell(answer.error);
  };
  return html`<div class="another" role="status"><p>${t(view.seat ? "ui.another-page" : "ui.no-page", { page: view.seat })}</p>
    <button type="button" class="key" @click=${take}>${t("ui.take-over")}</button></div>`;
}

const notices = (list) => list.map(({ code, values }) => html`<li>${t(`notice.${code}`, values)}</li>`);

function prompt(table) {
  const { code, values } = table.asks;
  const won = table.state === "settled" ? outcome(table) : null;
  return html`<div class="prompt" role="status" aria-live="polite"><p class="says">${t(`asks.${code}`, values)}</p>
    ${won === null ? nothing : html`<p class="quiet">${t("pay.round", { amount: money(won.toFixed(2)) })}</p>`}
    <ul class="notices">${notices(values.notices ?? [])}</ul>
    ${local.said ? html`<p class="refused" role="alert">${local.said.words} <small>${local.said.clause}</small></p>` : nothing}</div>`;
}

function top(table) {
  return html`<header class="top"><b>${table.table}</b> <span>${t("ui.round", { round: table.round })}</span>
    <span class="quiet">${t(`sign.rules.${table.rules}`)}</span>
    <span class="right">${supervisor(view, api)}</span>
    <button type="button" class="small" @click=${() => api.open("settings")}>${t("ui.settings")}</button></header>`;
}

function whole() {
  const { table } = view;
  if (table === null) return html`<main><p>${t("ui.waiting")}</p></main>`;
  if (local.tickedAt !== JSON.stringify(table.owed)) Object.assign(local, { ticked: new Set(), tickedAt: JSON.stringify(table.owed) });
  const betting = table.permitted.some((one) => one.startsWith("wager BOX "));
  const boxes = betting ? { box: local.wager.box, pickBox: (box) => (Object.assign(local.wager, { box }), draw()) } : {};
  const tick = (seat) => (local.ticked.delete(seat) || local.ticked.add(seat), draw());
  const more = { ...api, may: mayAct(), more: local.more, last: local.last, showMore: () => ((local.more = !local.more), draw()) };
  return html`${top(table)}
    <main>
      <div class="felt">${felt(table, { ...boxes, ...local.pick })}</div>
      ${prompt(table)}
      <div class="doing">
        ${irregular(view, api)}
        ${payments(table, local.ticked, { tick })}
        ${betting ? wagers(table, local.wager, { ...more, choose: (at) => ((local.wager = at), draw()) }) : nothing}
        <div class="keys">${keys(table, more)}</div>
      </div>
      ${another()}
    </main>
    ${local.asked ? pad(local.asked, api) : nothing}
    ${local.dialog === "settings" ? settings(api) : nothing}`;
}

function draw() {
  document.body.classList.toggle("stale", !isLive());
  render(html`<div ?inert=${!isLive()}>${whole()}</div>${isLive() ? nothing : overlay()}`, document.getElementById("page"));
}

const follower = new Follower(
  `/events?page=${page}`,
  (parts) => {
    const before = view.table?.at;
    for (const part of ["console", "lost", "seat", "person", "once", "table"]) view[part] = parts.get(part) ?? view[part];
    view.person = parts.get("person") ?? null;
    if (view.table?.at !== before) Object.assign(local, { said: local.said?.code === "changed" ? local.said : null, asked: null });
    draw();
  },
  ({ live, againMs }) => {
    Object.assign(view, { live, againMs });
    draw();
  },
);

const told = await (await fetch("/settings.json")).json();
view.settings = told;
await speak(localStorage.getItem("language") ?? told.language);
draw();
follower.connect();
