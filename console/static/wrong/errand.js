// Something that is to be put right: the values that are still to be said, who gives it and why, and
// what it would bring; only then is it given, for the table as it was when somebody began it.

import { html, nothing } from "./lit-html.js";
import { Trial, effect } from "./effect.js";
import { grown, letters } from "./letters.js";
import { needed, pad } from "./pad.js";
import { plain } from "./plain.js";
import { askWho, isSupervisor, whoDialog } from "./supervisor.js";
import { isA, verbOf } from "./verbs.js";
import { t } from "./words.js";

// The reasons of the keypad's list, as the journal has them (controller/table/entering/choices.py).
const REASONS = ["card misread", "card misplaced", "dealer's mistake", "player's claim", "device fault", "seen on camera", "other"];
const MOST_WHY = 200;
const WANTS_SUPERVISOR = new Set(["supervisor-only", "takes-settlements-back", "say-who-and-why", "say-who", "not-allowed"]);

let errand = null; // {template, as, at, by, why, needsWhy, seen, text, said}; by: a supervisor has signed in
let first = null; // who asked for a void here, with whom another one is to agree
const trial = new Trial();

const is = (fact) => isA(verbOf(errand.template), fact);

// Begin it, as "dealer" or "supervisor", for the table with that `at`; `said`: what was refused, where
// it is begun anew with who and why.
export function begin(api, template, as, at = api.view.table.at, said = "") {
  errand = { template, as, at, by: isSupervisor(api.view), why: "", needsWhy: said !== "", seen: false, text: null, said };
  go(api);
}

// Whether what was refused is begun anew as the supervisor's, because it is his to give, or because he
// has not said why.
export function handsOver(api, command, error, { as, why, at }) {
  if (!WANTS_SUPERVISOR.has(error.code) || (as === "supervisor" && (why || error.code === "not-allowed"))) return false;
  begin(api, command, "supervisor", at, t(`error.${error.code}`));
  return true;
}

export function dropErrand() {
  errand = null;
}

function leave(api) {
  errand = null;
  api.open(null);
}

// The next thing that is to be said or seen, or the command itself.
function go(api) {
  if (needed(errand.template)) return api.open("errand");
  if (errand.template === "confirm void") return askWho(api, "second", (who) => give(api, who), () => leave(api), { first });
  if (errand.as === "supervisor" && !errand.by) return askWho(api, "sign-in", () => ((errand.by = true), go(api)), () => leave(api), { about: [plain(errand.template), errand.said].filter(Boolean) });
  const asksWhy = errand.as === "supervisor" && (errand.needsWhy || is("why"));
  if ((asksWhy && !errand.why) || (is("shown") && !errand.seen)) return api.open("errand");
  return give(api);
}

async function give(api, who = {}) {
  const { template, as, at, why } = errand;
  errand = null;
  if (template === "void") first = api.view.person;
  const answer = await api.give(template, { as, at, why: why || undefined, ...who });
  if (answer === null) api.open(null); // no key counted
}

function values(api) {
  const say = (template) => (Object.assign(errand, { template }), go(api));
  return pad(errand.template, { ...api, ask: (next) => (next === null ? leave(api) : say(next)), local: { answer: say } });
}

// Why: one of the keypad's reasons, or in words. `say` gets it; `held` keeps the text that is typed.
export function whyKeys(api, held, say) {
  if (held.text === null)
    return html`<div class="row">${REASONS.map((why) => html`<button type="button" class="key" data-why=${why} @click=${() => say(why)}>${t(`why.${why.replace(/\W+/g, "-")}`)}</button>`)}
      <button type="button" class="key quiet-key" data-why="" @click=${() => ((held.text = ""), api.draw())}>${t("why.in-words")}</button></div>`;
  const type = (key) => ((held.text = grown(held.text, key, { most: MOST_WHY, capitals: false })), api.draw());
  return html`<label class="name">${t("why.in-words")} <input type="text" autocomplete="off" maxlength=${MOST_WHY} .value=${held.text} @input=${(event) => ((held.text = event.target.value), api.draw())}></label>
    ${letters(type, html`<button type="button" class="letter wide" data-say="why" ?disabled=${!held.text.trim()} @click=${() => say(held.text.trim())}>${t("ui.enter")}</button>`)}`;
}

const tried = (answer) => {
  if (answer === null) return html`<p>${t("effect.waits")}</p>`;
  return html`<p class="refused" role="alert">${t(`error.${answer.error.code}`)} <small>${answer.error.clause ?? ""}</small></p>`;
};

function seen(api) {
  const answer = trial.of(api, [errand.template], { as: errand.as, why: errand.why || undefined });
  const confirm = () => ((errand.seen = true), go(api));
  const wants = !errand.why && WANTS_SUPERVISOR.has(answer?.error?.code);
  if (wants && errand.as === "supervisor") return askedWhy(api);
  const handOver = () => (Object.assign(errand, { as: "supervisor", needsWhy: true }), go(api));
  return html`${answer?.ok ? effect(api.view.table, answer.result) : tried(answer)}
    ${wants ? html`<button type="button" class="key key-done" data-sign-in="ask" ?disabled=${!api.may} @click=${handOver}>${t("who.supervisor")}</button>` : nothing}
    <button type="button" class="key key-done" data-say="confirm" ?disabled=${!answer?.ok || !api.may} @click=${confirm}>${plain(errand.template)}</button>`;
}

function askedWhy(api) {
  const why = (words) => ((errand.why = words), go(api));
  return html`<p class="asks"><b>${t("why.title")}</b></p>${whyKeys(api, errand, why)}`;
}

// The dialog of what is asked now: a value, who, why, or whether what it brings is meant.
export function errandDialog(api, dialog) {
  if (dialog === "who") return whoDialog(api);
  if (dialog !== "errand" || errand === null) return nothing;
  if (errand.at !== api.view.table.at) return changed(api);
  if (needed(errand.template)) return values(api);
  const asksWhy = errand.as === "supervisor" && !errand.why && (errand.needsWhy || is("why"));
  const title = plain(errand.template);
  return html`<div class="dialog errand" role="dialog" aria-modal="true" aria-label=${title}>
    <h2>${title}</h2>${errand.said ? html`<p class="quiet">${errand.said}</p>` : nothing}
    ${asksWhy ? askedWhy(api) : seen(api)}
    <button type="button" class="key quiet-key" @click=${() => leave(api)}>${t("ui.cancel")}</button></div>`;
}

// The table went on meanwhile: what was begun was meant for another one.
function changed(api) {
  const title = t("error.changed");
  return html`<div class="dialog errand" role="alertdialog" aria-modal="true" aria-label=${title}><h2>${title}</h2>
    <p>${t(`asks.${api.view.table.asks.code}`, api.view.table.asks.values)}</p>
    <button type="button" class="key key-done" @click=${() => leave(api)}>${t("ui.close")}</button></div>`;
}
