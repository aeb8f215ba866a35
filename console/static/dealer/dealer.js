// The dealer's page: the felt, the prompt, what may be done now. Everything is drawn from one view: the
// state that the console sends, and what this page itself has open. While it is not live, while a
// command is on its way, while another page acts, or where the table could not be drawn, no key counts.

import { html, nothing } from "./lit-html.js";
import { Acting } from "./act.js";
import { corrections, dropped, isFixing, leaveCorrection, onFelt as fixed } from "./corrections.js";
import { dragging } from "./dragging.js";
import { Picture } from "./drawing.js";
import { dropErrand, errandDialog, handsOver } from "./errand.js";
import { FetchedEvents } from "./events.js";
import { felt } from "./felt.js";
import { fitAll } from "./fitting.js";
import { another, overlay, saying, top, undoAsked } from "./frame.js";
import { irregular, wrongDialog, wrongKey } from "./irregular.js";
import { arranged, keys, moreKeys } from "./keys.js";
import { Follower } from "./live.js";
import { pad } from "./pad.js";
import { followingHeaders, ownPage } from "./page.js";
import { dueAt, sums } from "./payments.js";
import { inWords } from "./plain.js";
import { dressed, settings, spoken } from "./settings.js";
import { forgetWho, supervisor } from "./supervisor.js";
import { Still } from "./tapping.js";
import { learn } from "./verbs.js";
import { tooFewChips, wagers } from "./wagers.js";
import { speak, t } from "./words.js";

const PARTS = ["console", "lost", "seat", "person", "role", "once", "table"];
const TOUCH_MS = 5000;

const page = ownPage();
const name = page.slice(0, 8);
const acting = new Acting(page, () => (still.stir(), draw()));
const still = new Still(() => draw());

const view = { live: false, againMs: null, console: "", lost: "", seat: "", person: null, role: null, once: false, table: null };
const local = {
  box: null, // that was touched
  wager: { bettor: "a", kind: "main", waits: 0 },
  kept: {}, // main wagers that lay there when bets were opened, by box and bettor
  ticked: new Set(), owed: "", // of what is owed
  given: [], givenAt: null, // what undo takes back, as far as this page has given it
  said: null, more: false, asked: null, dialog: null, undo: null, takesOver: false,
};

const root = document.getElementById("page");
const picture = new Picture(root);
const cover = new Picture(document.getElementById("cover")); // by itself: it is shown whatever the table is like

const isLive = () => view.live && !view.lost && view.table !== null;
const seated = () => isLive() && view.seat === name && !acting.busy && picture.of === view.table;

// What was refused, in words, as long as the table stands so and nobody touches.
function refuse(words, clause = "", at = view.table.at) {
  local.said = { words, clause, at };
  draw();
}

function tell(error) {
  const now = error.asks ? t("ui.now", { prompt: t(`asks.${error.asks.code}`, error.asks.values) }) : "";
  refuse(`${t(`error.${error.code}`)} ${now}`, error.clause ?? "", error.at);
}

async function give(command, more = {}) {
  if (!seated()) return null;
  Object.assign(local, { said: null, asked: null, more: false, dialog: null });
  const left = command === "close" ? tooFewChips(view.table, local.box, local.wager) : "";
  if (left) return refuse(left), null;
  if (local.givenAt !== view.table.at) local.given = [];
  const given = { at: view.table.at, ...more };
  const answer = await acting.give(view, command, given);
  if (answer === null) return null;
  if (answer.ok) {
    if (command === "undo") local.given.pop();
    else local.given.push(command);
    local.givenAt = answer.result.at;
  } else if (!handsOver(api, command, answer.error, given)) tell(answer.error);
  draw();
  return answer;
}

// Take back what this page gave last; what another one did is looked at before.
async function undo(at) {
  if (local.givenAt === at && local.given.length) return give("undo", { at });
  const answer = await acting.dry(view, ["undo"]);
  if (!answer.ok) return tell(answer.error);
  local.undo = { at, asks: answer.result.asks };
  return api.open("undo");
}

// What the other parts of the page may use.
const api = {
  give,
  undo,
  dry: (commands, more) => acting.dry(view, commands, more),
  acting,
  view,
  local,
  get may() {
    return seated() && still.now;
  },
  get still() {
    return still.now;
  },
  tell,
  refuse,
  draw: () => draw(),
  ask(template) {
    still.stir();
    Object.assign(local, { asked: template, more: false });
    draw();
  },
  open(dialog) {
    still.stir();
    local.dialog = dialog;
    draw();
  },
  askSeat(takesOver) {
    still.stir();
    local.takesOver = takesOver;
    draw();
  },
  async takeSeat() {
    api.askSeat(false);
    const answer = await acting.takeSeat(true);
    if (!answer.ok) tell(answer.error);
  },
};

const isBetting = (table) => table.actions.some(({ verb }) => verb === "wager");

function onFelt(table, betting) {
  const { boxes, mayPick } = arranged(table, local.box);
  const tick = (seat) => (local.ticked.delete(seat) || local.ticked.add(seat), draw());
  return {
    box: local.box,
    mayPick: (box) => betting || (mayPick && boxes.has(box)),
    pickBox: (box) => (Object.assign(local, { box, wager: { ...local.wager, bettor: "a", kind: "main", waits: 0 } }), draw()),
    kept: (box, bettor, kind, amount) => betting && kind === "main" && local.kept[box]?.[bettor]?.main === amount,
    due: (box) => dueAt(table, box, local.ticked, tick),
    sum: sums(table, local.ticked),
  };
}

// What may be done now, where no correction is being made: what went wrong comes first.
function doing(table, betting, more) {
  const choose = (of) => ((local.wager = of), draw());
  return html`${irregular(view, api)}
    ${betting ? wagers(table, local.box, local.wager, { ...more, choose }) : nothing}
    ${keys(table, more)}`;
}

function whole() {
  const { table } = view;
  if (table === null) return html`<main><h1>${t("ui.waiting")}</h1></main>`;
  const betting = isBetting(table);
  const last = local.givenAt === table.at && local.given.length ? inWords(local.given.at(-1)) : "";
  const more = { ...api, may: api.may, box: local.box, more: local.more, last, showMore: () => (still.stir(), (local.more = !local.more), draw()) };
  const open = local.asked || local.dialog || local.more;
  return html`<div class="whole" data-at=${table.at} ?inert=${Boolean(open)}>
      ${top(view, html`${wrongKey(view, api)}${supervisor(view, api)}`, api, isFixing() ? [t("correct.title"), t("correct.touch")] : undefined)}
      <main>
        <div class="felt">${isFixing() ? felt(fixed(table, api).table, fixed(table, api)) : felt(table, onFelt(table, betting))}</div>
        ${view.seat === name
          ? html`<div class=${betting ? "doing betting" : "doing"}>
              ${saying(local.said)}
              ${isFixing() ? corrections(view, api) : doing(table, betting, more)}
            </div>`
          : another(view, api)}
      </main>
    </div>
    ${local.more ? moreKeys(table, more) : nothing}
    ${local.asked ? pad(local.asked, api) : nothing}
    ${local.dialog === "wrong" ? wrongDialog(api) : errandDialog(api, local.dialog)}
    ${local.dialog === "settings" ? settings(api) : nothing}
    ${local.dialog === "undo" ? undoAsked(local.undo, { ...api, may: api.may }) : nothing}`;
}

// Draw all of it; whether it is shown. Where it is not, what the page has open goes: that may be the reason.
function paint() {
  document.body.classList.toggle("stale", !isLive());
  const covered = cover.draw(() => (isLive() ? nothing : overlay(view, () => follower.connect())));
  if (covered && picture.draw(() => html`<div ?inert=${!isLive()}>${whole()}</div>`, view.table)) return fitAll(), true;
  for (const one of [cover, picture]) one.drop();
  Object.assign(local, { asked: null, more: false, said: null });
  left();
  return false;
}

const draw = () => paint() || follower.doubt();

// Who signed in has left, or was signed out: what he had begun goes with him, and any PIN that was keyed.
function left() {
  forgetWho();
  dropErrand();
  leaveCorrection();
  local.dialog = null;
}

// What this page has open goes with the state that it was opened at.
function settle(before, now) {
  if (before === null || now === null) return;
  if (now.at !== before.at) {
    still.stir();
    Object.assign(local, { asked: null, more: false, dialog: local.dialog === "undo" ? null : local.dialog });
    if (local.said?.at !== now.at) local.said = null;
  }
  const owed = JSON.stringify(now.owed);
  if (owed !== local.owed) Object.assign(local, { owed, ticked: new Set() });
  if (now.state !== before.state || JSON.stringify(now.turn) !== JSON.stringify(before.turn)) local.box = null;
  if (now.round !== before.round) local.kept = Object.fromEntries(Object.entries(now.boxes).map(([box, one]) => [box, one.wagers]));
  if (now.round !== before.round || now.drawn.length < before.drawn.length) leaveCorrection(); // its cards are gone
}

const follower = new Follower(
  () => new FetchedEvents("/events", followingHeaders(page, view.seat === name)),
  (parts) => {
    const { table: before, console: start, person, seat } = view;
    for (const part of PARTS) view[part] = parts.get(part) ?? null;
    const isOut = person && !view.person;
    if (view.console !== start || view.seat !== seat || isOut) still.stir();
    if (isOut) left();
    settle(before, view.table);
    if (!paint()) return false;
    if (view.table) (document.title = view.table.table), acting.shown(view.table.at);
    return true;
  },
  ({ live, againMs }) => {
    if (live !== view.live) still.stir();
    Object.assign(view, { live, againMs });
    draw();
  },
);

let touched = 0;
function there() {
  if (view.person && performance.now() - touched > TOUCH_MS) (touched = performance.now()), acting.touch(view);
}
addEventListener("keydown", there, { capture: true });
addEventListener("pointerdown", () => {
  if (local.said) (local.said = null), draw();
  there();
}, { capture: true });

view.settings = await (await fetch("/settings.json")).json(); // where that fails, boot.js loads the page again
learn(view.settings.verbs);
await speak(spoken(view.settings));
dragging(root, (number, place) => isFixing() && dropped(api, number, place));
dressed();
draw();
follower.connect();
