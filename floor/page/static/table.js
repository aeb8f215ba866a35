// One table: as it is now, its rounds of a gaming day, and what happened there last.

import { card, runs } from "./card.js";
import { Picture } from "./drawing.js";
import { html, nothing } from "./lit-html.js";
import { asked, follow, tellWho } from "./liveness.js";
import { files, rowTable } from "./rows.js";
import { clock, dayAndClock, money } from "./words.js";

const name = decodeURIComponent(location.pathname.split("/")[2]);
const base = `/tables/${encodeURIComponent(name)}`;
const now = new Picture(document.getElementById("now"));
const rest = new Picture(document.getElementById("rest"));
let told = null;
let day = new URLSearchParams(location.search).get("day");
let rounds = [];

document.title = document.getElementById("title").textContent = `Table ${name}`;

function show(state, time) {
  const table = state.tables.find((one) => one.table === name);
  const refused = state.refusals.filter((one) => one.table_name === name);
  return now.draw(
    () => html`${refused.map((one) => html`<p class="alarm"><strong>Refused</strong>: ${one.words} (${dayAndClock(one.last_at)})</p>`)}
      ${table ? card(table, time) : html`<p>No table of that name is known.</p>`}
      ${table && table.heard !== null ? runs(table, state.approved) : nothing}`,
  );
}

const ROUNDS = [
  ["Round", (one) => html`<a href="${base}/rounds/${one.number}?${new URLSearchParams({ journal: one.journal })}">${one.number}</a>`],
  ["Opened", (one) => clock(one.opened)],
  ["Ended", (one) => clock(one.ended)],
  ["Outcome", (one) => one.outcome ?? "goes on"],
  ["Rules", (one) => one.document],
  ["Shift", (one) => one.shift],
  ["Main wagers", (one) => money(one.staked)],
  ["Bettors' net", (one) => money(one.net)],
];
const LISTS = {
  holds: ["Holds", [
    ["Since", (one) => dayAndClock(one.since)],
    ["Until", (one) => (one.until === null ? "stands" : clock(one.ended))],
    ["Fault", (one) => (one.device ? `${one.fault} (${one.device})` : one.fault)],
    ["Reason", (one) => one.reason],
    ["Ended by", (one) => one.by],
    ["Why", (one) => one.why],
  ]],
  acts: ["Who did and confirmed what", [
    ["When", (one) => dayAndClock(one.wall)],
    ["Round", (one) => one.round],
    ["What", (one) => one.what],
    ["By", (one) => one.by],
    ["Which", (one) => one.said],
    ["Why", (one) => one.why],
  ]],
  links: ["Links", [
    ["When", (one) => dayAndClock(one.wall)],
    ["Device", (one) => `${one.device} (${one.kind})`],
    ["Link", (one) => (one.up ? "up" : "down")],
    ["Serial number", (one) => one.serial],
    ["Firmware", (one) => one.firmware],
    ["Reason", (one) => one.reason],
  ]],
  versions: ["Starts", [
    ["When", (one) => dayAndClock(one.wall)],
    ["Version", (one) => one.version],
    ["Program", (one) => html`<span class="mono">${one.program}</span>`],
    ["Configuration", (one) => html`<span class="mono">${one.configuration}</span>`],
    ["Rules", (one) => html`<span class="mono">${one.rules}</span>`],
  ]],
  differences: ["Played again, it differs", [
    ["When", (one) => dayAndClock(one.wall)],
    ["Entry", (one) => one.seq],
    ["What", (one) => one.words],
  ]],
};

const list = ([view, [title, columns]]) => html`<h2>${title}${files(`/facts/${view}`, { table: name, day })}</h2>
  ${rowTable(`${title}, the last ones of all days`, columns, told[view], ["Round", "Entry"])}`;

function drawRest() {
  rest.draw(
    () => html`<h2>Rounds${files("/facts/rounds", { table: name, day })}</h2>
      <p class="choice screen"><label>Gaming day
        <select @change=${(event) => choose(event.target.value)}>
          ${told.days.map((one) => html`<option value=${one} ?selected=${one === day}>${one}</option>`)}
        </select></label></p>
      ${rowTable(`${rounds.length === 1 ? "1 round" : `${rounds.length} rounds`} on ${day ?? "no day"}`, ROUNDS, rounds, ["Shift", "Main wagers", "Bettors' net"])}
      ${Object.entries(LISTS).filter(([view]) => view !== "differences" || told[view].length).map(list)}
      <p class="quiet">As of ${new Date().toTimeString().slice(0, 8)} by this screen's clock. Only what stands above the rounds is live.</p>`,
  );
}

const trouble = (error) => rest.draw(() => html`<p class="alarm">${error.message}</p>`);

async function choose(one) {
  try {
    rounds = one ? await asked(`${base}/${one}.json`) : [];
    if (one !== day) history.replaceState(null, "", `?day=${one}`);
    day = one;
    drawRest();
  } catch (error) {
    trouble(error);
  }
}

async function look() {
  try {
    told = await asked(`${base}.json`);
    await choose(day ?? told.days[0] ?? null);
  } catch (error) {
    trouble(error);
  }
}

follow(show);
tellWho();
look();
