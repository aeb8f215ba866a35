// Who has signed in at this screen, and the way to do so: a name, then a PIN, which is shown nowhere and
// forgotten as soon as it was sent.

import { html, nothing } from "./lit-html.js";
import { grown, letters } from "./letters.js";
import { t } from "./words.js";

const DIGITS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "", "0", "back"];
const LEAST = 4;
const MOST = 12;
const MOST_NAME = 64;
const MOST_NAMES = 6;
const NAMES = "people"; // of those who have signed in at this screen: a name is no secret

let form = null; // {purpose, about, name, pin, typing, wrong, done, left}

const names = () => JSON.parse(localStorage.getItem(NAMES) ?? "[]");
// Those who may be asked: the second person is another one than who has signed in.
const askable = (api, purpose, first) => names().filter((name) => purpose !== "second" || ![api.view.person, first].includes(name));
const remember = (name) =>
  localStorage.setItem(NAMES, JSON.stringify([name, ...names().filter((one) => one !== name)].slice(0, MOST_NAMES)));

// Ask somebody to sign in (`purpose`: "sign-in"), or to agree as a second person with a single command
// ("second"). `done` gets the answer, or for a second person {person, pin}; `left`: he does not.
// `about`: what for, in words, and `first`: who asked for what a second person is to agree with.
export function askWho(api, purpose, done, left = () => api.open(null), { about = [], first = null } = {}) {
  const asked = askable(api, purpose, first);
  form = { purpose, about, asked, name: "", pin: "", typing: asked.length === 0, wrong: "", done, left };
  api.open("who");
}

// Whether who has signed in may what is a supervisor's; a dealer's commands stay a dealer's.
export const isSupervisor = ({ role }) => role === "supervisor";

// Nobody is asked any more, and no PIN is kept.
export const forgetWho = () => (form = null);

async function send(api, once) {
  const { name, pin, purpose, done } = form;
  if (!api.may || pin.length < LEAST) return;
  form.pin = "";
  if (purpose === "second") {
    form = null;
    return done({ person: name, pin });
  }
  const answer = await api.acting.signIn(api.view, name, pin, once);
  if (answer?.ok) {
    remember(answer.result.person);
    form = null;
    return done(answer.result);
  }
  if (answer && form) form.wrong = t(`error.${answer.error.code}`);
  api.draw();
}

function press(api, key) {
  form.wrong = "";
  if (key === "back") form.pin = form.pin.slice(0, -1);
  else if (form.pin.length < MOST) form.pin += key;
  api.draw();
}

function whichName(api) {
  const pick = (name) => (Object.assign(form, { name, typing: false }), api.draw());
  if (!form.typing)
    return html`<div class="row">${form.asked.map((name) => html`<button type="button" class="key" data-name=${name} @click=${() => pick(name)}>${name}</button>`)}
      <button type="button" class="key quiet-key" data-name="" @click=${() => (Object.assign(form, { typing: true }), api.draw())}>${t("who.another-name")}</button></div>`;
  const ready = form.name.trim() !== "";
  const type = (key) => ((form.name = grown(form.name, key, { most: MOST_NAME })), api.draw());
  return html`<label class="name">${t("who.name")} <input type="text" autocomplete="off" maxlength=${MOST_NAME} .value=${form.name}
      @input=${(event) => ((form.name = event.target.value), api.draw())} @keydown=${(event) => event.key === "Enter" && ready && pick(form.name.trim())}></label>
    ${letters(type, html`<button type="button" class="letter wide" data-say="name" ?disabled=${!ready} @click=${() => pick(form.name.trim())}>${t("ui.enter")}</button>`)}`;
}

function pinPad(api) {
  const ready = api.may && form.pin.length >= LEAST;
  const digit = (key) =>
    key === "" ? html`<span></span>` : html`<button type="button" class="digit" data-digit=${key} aria-label=${key === "back" ? t("who.back") : key} @click=${() => press(api, key)}>${key === "back" ? "⌫" : key}</button>`;
  const give = (name, words, once, looks) =>
    html`<button type="button" class=${`key ${looks}`} data-sign-in=${name} ?disabled=${!ready} @click=${() => send(api, once)}>${words}</button>`;
  return html`<div class="pin"><div class="pin-pad">${DIGITS.map(digit)}</div>
    <div class="pin-says"><p><b>${form.name}</b></p>
      <p>${t("who.pin")} <output class="typed" aria-label=${t("who.pin")}>${"•".repeat(form.pin.length) || "–"}</output></p>
      ${form.wrong ? html`<p class="refused" role="alert">${form.wrong}</p>` : nothing}
      ${form.purpose === "second"
        ? give("second", t("who.agree"), true, "key-done")
        : html`${give("once", t("who.once"), true, "key-done")} ${give("stay", t("who.stay"), false, "")}`}</div></div>`;
}

// The dialog, while somebody is asked who he is.
export function whoDialog(api) {
  if (form === null) return nothing;
  const withPin = form.name !== "" && !form.typing;
  const title = t(`who.title-${form.purpose}`);
  const keyed = (event) => {
    if (!withPin || form === null) return;
    if (/^\d$/.test(event.key)) press(api, event.key);
    else if (event.key === "Backspace") press(api, "back");
  };
  const leave = () => {
    const { left } = form;
    form = null;
    left();
  };
  return html`<div class="dialog who" role="dialog" aria-modal="true" aria-label=${title} @keydown=${keyed}>
    <h2>${title}</h2>${form.about.map((words) => html`<p class="quiet">${words}</p>`)}${withPin ? pinPad(api) : whichName(api)}
    <button type="button" class="key quiet-key" @click=${leave}>${t("ui.cancel")}</button></div>`;
}

// The part of the bar on top: who is signed in, or the key to sign in.
export function supervisor(view, api) {
  if (view.person)
    return html`<p class="person" role="status"><span>${t(view.once ? "who.in-once" : "who.in", { person: view.person })}</span>
      <button type="button" class="small" data-sign-in="leave" @click=${() => api.acting.signOut()}>${t("ui.leave")}</button></p>`;
  return html`<button type="button" class="small" data-sign-in="ask" ?disabled=${!api.may}
    @click=${() => askWho(api, "sign-in", () => api.open(null))}>${t("who.supervisor")}</button>`;
}
