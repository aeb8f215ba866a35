// A gaming day's or a shift's figures, on the screen and on paper.

import { Picture } from "./drawing.js";
import { html, nothing } from "./lit-html.js";
import { asked, tellWho } from "./liveness.js";
import { rowTable } from "./rows.js";
import { dayAndClock } from "./words.js";

const main = new Picture(document.getElementById("main"));
const wanted = new URLSearchParams(location.search);
let days = [];

const hold = (one) => (one.hold === null ? "" : `${one.hold.toFixed(2)} %`);
const names = (by) => Object.entries(by).map(([name, number]) => `${name || "nobody named"}: ${number}`).join(", ");

const TABLES = [
  ["Table", (one) => html`<a href="/tables/${encodeURIComponent(one.table)}">${one.table}</a>${
    one.journal ? html`, from ${one.first_day} <span class="mono">${one.journal}</span>` : nothing}`],
  ["Rounds", (one) => one.rounds],
  ["Void", (one) => one.void],
  ["An hour", (one) => one.rounds_per_hour ?? ""],
  ["Wagered", (one) => one.wagered ?? "?"],
  ["Won", (one) => one.won ?? "?"],
  ["Hold", hold],
  ["Currency", (one) => one.currency],
  ["First opened", (one) => dayAndClock(one.since)],
  ["Last ended", (one) => dayAndClock(one.until)],
];
const DOCUMENTS = [
  ["Table", (one) => one.table],
  ["Rules", (one) => one.document],
  ["Wagered", (one) => one.wagered ?? "?"],
  ["Won", (one) => one.won ?? "?"],
  ["Hold", hold],
  ["Main wagers", (one) => one.expected?.staked ?? ""],
  ["Won of them", (one) => one.expected?.won ?? ""],
  ["Expected", (one) => one.expected?.win ?? one.not_compared ?? "nothing known"],
  ["95 % of days between", (one) => (one.expected ? `${one.expected.low} and ${one.expected.high}` : "")],
  ["Verdict", (one) => (one.expected?.outside ? html`<span class="out">OUTSIDE</span>` : "")],
];
const DRAWS = [
  ["Table", (one) => one.table],
  ["Multiplier", (one) => `${one.multiplier}x`],
  ["Drawn", (one) => one.drawn],
  ["Of", (one) => one.draws],
  ["Expected", (one) => one.expected],
  ["95 % between", (one) => `${one.low} and ${one.high}`],
  ["Verdict", (one) => (one.found ? html`<span class="out">TOO FAR OFF FOR CHANCE</span>` : "")],
];
const NOTABLE = [
  ["Table", (one) => one.table || "all tables"],
  ["What", (one) => (one.found ? one.what : `main wagers, ${one.what}`)],
  ["Was", (one) => one.was],
  ["Expected", (one) => one.expected],
  ["95 % between", (one) => `${one.low} and ${one.high}`],
  ["Verdict", (one) => html`<span class="out">${one.found ? "TOO FAR OFF FOR CHANCE" : "OUTSIDE"}</span>`],
];
const PEOPLE = [
  ["Table", (one) => one.table],
  ["Voids", (one) => names(one.voids)],
  ["Voids behind a draw", (one) => names(one.voids_after_draw)],
  ["Corrections", (one) => names(one.corrections)],
  ["Second persons", (one) => names(one.second_person)],
];
const HOLDS = [
  ["Table", (one) => one.table],
  ["Fault", (one) => one.fault],
  ["Times", (one) => one.count],
  ["Seconds", (one) => one.seconds],
];
const NUMBERS = ["Rounds", "Void", "An hour", "Wagered", "Won", "Hold", "Main wagers", "Won of them", "Was", "Expected", "Multiplier", "Drawn", "Of", "Times", "Seconds"];

const span = () => Object.fromEntries(["day", "until", "shift", "table"].map((name) => [name, wanted.get(name)]));

const of = (report, kind) => report.tables.flatMap((one) => one[kind].map((part) => ({ ...part, table: one.table })));

function choice() {
  return html`<form class="choice screen" method="get" action="/report">
    <label>Gaming day <select name="day">
      <option value="">by shift</option>
      ${days.map((one) => html`<option value=${one} ?selected=${one === wanted.get("day")}>${one}</option>`)}
    </select></label>
    <label>to <select name="until">
      <option value="">that day alone</option>
      ${days.map((one) => html`<option value=${one} ?selected=${one === wanted.get("until")}>${one}</option>`)}
    </select></label>
    <label>Shift <input name="shift" inputmode="numeric" pattern="[0-9]*" size="5" .value=${wanted.get("shift") ?? ""}></label>
    <label>Table <input name="table" size="12" .value=${wanted.get("table") ?? ""}></label>
    <button>Show</button>
    <button type="button" @click=${() => print()}>Print</button>
  </form>`;
}

function parts(report) {
  const found = [...of(report, "draws"), ...report.floor.map((one) => ({ ...one, table: "all tables" }))];
  const csv = (part) => html`<a href="/report.csv?${new URLSearchParams({ ...given(), part })}">CSV of ${part}</a>`;
  return html`<p class="screen"><a href="/report.json?${new URLSearchParams(given())}">All of it as JSON</a></p>
    ${rowTable("To be looked at first: each band is left by one in twenty by chance alone", NOTABLE, report.notable, NUMBERS)}
    <p class="screen">${csv("notable")}</p>
    ${rowTable("Tables", TABLES, report.tables, NUMBERS)}
    <p class="screen">${csv("tables")}</p>
    ${rowTable("By rules, beside what is expected of the main wagers", DOCUMENTS, of(report, "documents"), NUMBERS)}
    ${assumed(of(report, "documents"))}
    <p class="screen">${csv("money")} ${csv("expected")}</p>
    ${rowTable("Multipliers, beside what the weights say", DRAWS, found, NUMBERS)}
    <p class="screen">${csv("draws")}</p>
    ${rowTable("Voids, corrections and second persons, by name", PEOPLE, report.tables.filter((one) =>
      PEOPLE.slice(1).some(([, tell]) => tell(one))), NUMBERS)}
    <p class="screen">${csv("people")}</p>
    ${rowTable("Holds", HOLDS, of(report, "holds"), NUMBERS)}`;
}

// What was simulated for the figures that are expected, told once for each of its kinds.
const assumed = (documents) =>
  [...new Set(documents.filter((one) => one.expected).map((one) => `${one.document}: ${one.expected.assumed}`))].map(
    (words) => html`<p class="quiet">Expected of ${words}.</p>`,
  );

const given = () => Object.fromEntries(Object.entries(span()).filter(([, value]) => value));

async function show() {
  try {
    days = await asked("/days.json");
    if (!wanted.get("day") && !wanted.get("shift") && days.length) wanted.set("day", days[0]);
    wanted.delete(wanted.get("day") ? "shift" : "until");
    const about = wanted.get("until") ? `Gaming days ${wanted.get("day")} to ${wanted.get("until")}` : wanted.get("day") ? `Gaming day ${wanted.get("day")}` : wanted.get("shift") ? `Shift ${wanted.get("shift")}` : "Report";
    const title = wanted.get("table") ? `${about}, table ${wanted.get("table")}` : about;
    document.title = document.getElementById("title").textContent = title;
    const report = Object.keys(given()).length ? await asked(`/report.json?${new URLSearchParams(given())}`) : null;
    const made = new Date().toLocaleString("sv");
    main.draw(() =>
      html`${choice()} ${report === null ? html`<p>No table has told anything yet.</p>` : parts(report)}
        <p class="quiet">Made ${made} by this screen's clock. It is not followed: show it again for newer figures.</p>`,
    );
  } catch (error) {
    main.draw(() => html`${choice()}<p class="alarm">${error.message}</p>`);
  }
}

tellWho();
show();
