// The round's page: any round, step by step, as the felt lay, with what was done, said and paid. It
// acts at no table. Who looks has signed in on this page; after a while without a touch he is out,
// and what he saw is gone from the screen. What the table said stays in its own words.

import { Picture } from "./drawing.js";
import { fitAll } from "./fitting.js";
import { html, nothing } from "./lit-html.js";
import { headersOf, newPage } from "./page.js";
import { seal } from "./seal.js";
import { dressed, spoken } from "./settings.js";
import { step } from "./step.js";
import { askWho, forgetWho, supervisor, whoDialog } from "./supervisor.js";
import { has, speak, t } from "./words.js";

const page = newPage();
const view = { person: null, once: false, round: null, at: 0, code: null, said: "", dialog: null, busy: false };
const picture = new Picture(document.getElementById("page"));
let lock;

async function asked(path, body) {
  const headers = headersOf(page);
  try {
    const response = await fetch(path, body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) });
    return await response.json();
  } catch (error) {
    return { ok: false, error: { kind: "unavailable", code: "no-answer", reason: String(error) } };
  }
}

function leave() {
  Object.assign(view, { person: null, round: null, code: null, said: "", dialog: null });
  forgetWho();
  draw();
}

async function signOut() {
  leave();
  await asked("/rounds/sign-out", {});
}

function touched() {
  clearTimeout(lock);
  if (view.person) lock = setTimeout(signOut, view.lockMs);
}

// What an answer that is no says; who is not signed in any more sees nothing any more.
function refused({ kind, code, reason }) {
  if (kind === "not_allowed" && view.round) leave();
  view.said = has(`error.${code}`) ? t(`error.${code}`) : `${t("round.not-told")} ${reason}`;
}

async function show(number) {
  Object.assign(view, { busy: true, said: "", code: null });
  draw();
  const answer = await asked(`/rounds/${number}.json`);
  view.busy = false;
  if (!answer.ok) refused(answer.error);
  else Object.assign(view, { round: answer.result, at: 0 });
  draw();
  if (!answer.ok) return;
  const code = await asked(`/rounds/${answer.result.round}.code.json`);
  if (view.round === answer.result) view.code = code.ok ? code.result : { none: code.error };
  draw();
}

const api = {
  may: true,
  view,
  acting: {
    async signIn(_, person, pin) {
      const answer = await asked("/rounds/sign-in", { person, pin });
      if (answer.ok) view.person = answer.result.person;
      return answer;
    },
    signOut,
  },
  draw: () => draw(),
  open(dialog) {
    view.dialog = dialog;
    draw();
  },
};

const signIn = () =>
  askWho(api, "sign-in", () => {
    view.dialog = null;
    touched();
    show(new URLSearchParams(location.search).get("round") ?? "last");
  });

const move = (at) => {
  view.at = Math.min(Math.max(at, 0), view.round.course.length - 1);
  draw();
};

const key = (name, words, act, may = true) =>
  html`<button type="button" class="key" data-go=${name} ?disabled=${view.busy || !may} @click=${act}>${words}</button>`;

function choice() {
  const number = view.round?.round;
  const chosen = (event) => {
    event.preventDefault();
    const wanted = new FormData(event.target).get("number").trim();
    if (/^\d{1,15}$/.test(wanted)) show(Number(wanted));
  };
  return html`<form class="choice-of-round" @submit=${chosen}>
    ${key("before", t("round.before"), () => show(number - 1), number > 1)}
    <label>${t("round.number")} <input name="number" inputmode="numeric" pattern="[0-9]{1,15}" size="7" .value=${String(number ?? "")}></label>
    <button class="key" ?disabled=${view.busy}>${t("round.show")}</button>
    ${key("after", t("round.after"), () => show(number + 1), number !== undefined)}
    ${key("last", t("round.last"), () => show("last"))}</form>`;
}

// A file is opened by a form: so what this page calls itself goes in no address.
const file = (path, words, target) => html`<form method="post" action=${path} target=${target} rel="noopener">
  <input type="hidden" name="page" .value=${page}><button class="key">${words}</button></form>`;

const files = (number) => html`<div class="row files">${file(`/rounds/${number}.html`, t("round.sheet"), "_blank")}
  ${view.code?.digest ? file(`/rounds/${number}.proof.json`, t("round.proof"), "_self") : nothing}</div>`;

const ended = (outcome) => (outcome.endsWith("void") ? "round.void" : outcome === "settled" ? "round.settled" : "round.in-play");

function round() {
  const { course, round: number, outcome } = view.round;
  const last = course.length - 1;
  return html`<div class="row stepping">${key("first", t("round.first-step"), () => move(0), view.at > 0)}
      ${key("back", `◀ ${t("round.back")}`, () => move(view.at - 1), view.at > 0)}
      ${key("on", `${t("round.on")} ▶`, () => move(view.at + 1), view.at < last)}
      ${key("end", t("round.last-step"), () => move(last), view.at < last)}
      <p class="outcome">${t("ui.round", { round: number })}: <b>${t(ended(outcome))}</b></p></div>
    ${course.length ? step(course, view.at) : html`<p>${t("round.nothing")}</p>`}
    ${seal(view.code, number)} ${files(number)}`;
}

function draw() {
  picture.draw(
    () => html`<div><header class="top"><h1>${t("round.title")}</h1><span class="right">${supervisor(view, { ...api, open: (what) => (what === "who" ? api.open(what) : (api.open(null), touched())) })}</span></header>
      <main class="round">${view.said ? html`<p class="saying refused" role="alert">${view.said}</p>` : nothing}
        ${view.person ? html`${choice()} ${view.round ? round() : nothing}` : html`<p>${t("round.sign-in")}</p><p><button type="button" class="key" data-go="sign-in" @click=${signIn}>${t("who.supervisor")}</button></p>`}
      </main>${view.dialog ? whoDialog(api) : nothing}</div>`,
  );
  fitAll();
}

document.addEventListener("keydown", (event) => {
  if (!view.round || view.dialog || event.target.matches("input")) return;
  const to = { ArrowLeft: view.at - 1, ArrowRight: view.at + 1, Home: 0, End: view.round.course.length - 1 }[event.key];
  if (to !== undefined) move(to);
});
for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, touched, { capture: true });

const told = await (await fetch("/settings.json")).json();
view.lockMs = told.lock_s * 1000;
dressed();
await speak(spoken(told));
document.title = t("round.title");
draw();
