// A table as a card: what somebody sees who walks by.

import { html, nothing } from "./lit-html.js";
import { age, dayAndClock, downLinks, short, standing, steps, vouched } from "./words.js";

const KINDS = ["version", "program", "libraries", "configuration", "rules", "readings", "weights"];

const ago = (iso, now) => (iso ? `${age(now - Date.parse(iso))} ago` : "never");

// What is typed stands between backticks.
const typed = (words) => words.split("`").map((part, at) => (at % 2 ? html`<code>${part}</code>` : part));

const hold = (held) => html`<p><strong>${held.fault}</strong>: ${held.reason}</p>
  ${steps(held.next_step).map((step) => html`<p class="next">${typed(step)}</p>`)}`;

function link([name, told]) {
  const words = told.wrong ? `, ${told.wrong}` : "";
  return html`<p><strong>${name}</strong>: link ${told.up ? "up" : "down"}${words}</p>`;
}

function wrong(table) {
  const conditions = Object.entries(table.shown?.conditions ?? {});
  return html`${table.halted ? html`<p>${table.halted}</p>` : nothing}
    ${conditions.map(([fault, words]) => html`<p><strong>${fault}</strong>: ${words}</p>`)}
    ${downLinks(table).map(link)}
    ${table.differs.length ? html`<p class="out">Not approved: ${table.differs.join(", ")}</p>` : nothing}`;
}

function figures(table, now) {
  const ready = table.confirmed;
  const said = ready ? `${ready.said}, ${ready.by}, ${dayAndClock(ready.wall)}` : "not told";
  return html`<dl class="figures">
    <dt>Round</dt><dd>${table.round}, ${table.rounds_an_hour} in the last hour</dd>
    <dt>Last entry</dt><dd>${ago(table.heard, now)}</dd>
    <dt>Journal</dt><dd>${vouched(table)}</dd>
    <dt>Ready</dt><dd>${said}</dd>
  </dl>`;
}

export function card(table, now) {
  const { word, look } = standing(table, now);
  const about = () => html`<p class="quiet">${table.shown?.rules ?? ""}</p>
    ${table.shown?.held ? hold(table.shown.held) : nothing} ${wrong(table)} ${figures(table, now)}`;
  return html`<article class="table ${look}">
    <h2><a href="/tables/${encodeURIComponent(table.table)}">${table.table}</a>
      <span class="mark">${word.toUpperCase()}</span></h2>
    ${table.heard === null ? html`<p>The house knows this table; it has sent nothing.</p>` : about()}
  </article>`;
}

// What a table runs, and which of it the house has not approved of.
export function runs(table, approved) {
  if (!table.runs) return html`<p>No start of a controller is known.</p>`;
  const verdict = (kind) => {
    if (table.differs.includes(kind)) return html`<span class="out">not approved</span>`;
    return approved.includes(kind) ? "approved" : "not compared";
  };
  const row = (kind) => html`<tr><th scope="row">${kind}</th>
    <td class="mono" title=${table.runs[kind]}>${short(table.runs[kind])}</td><td>${verdict(kind)}</td></tr>`;
  return html`<div class="scroll" role="region" aria-label="What it runs" tabindex="0"><table>
    <caption>What it runs</caption>
    <thead><tr><th scope="col">Kind</th><th scope="col">Runs</th><th scope="col">The house</th></tr></thead>
    <tbody>${KINDS.map(row)}</tbody>
  </table></div>`;
}
