// The floor from above: refused journals first, then table by table.

import { card } from "./card.js";
import { Picture } from "./drawing.js";
import { html, nothing } from "./lit-html.js";
import { follow, tellWho } from "./liveness.js";
import { count, dayAndClock, standing } from "./words.js";

const picture = new Picture(document.getElementById("main"));

function refusals(told) {
  if (!told.length) return nothing;
  return html`<section class="alarm" role="alert">
    <h2>Journals that were refused</h2>
    <p>A table sent what contradicts what the floor has of it: its journal went back, or there are two. It is held until a supervisor has answered.</p>
    ${told.map(
      (one) => html`<p><strong>${one.table_name}</strong> (${one.role}, ${one.status}): ${one.words};
        ${one.times === 1 ? "once" : `${count(one.times)} times`}, last ${dayAndClock(one.last_at)}.
        <span class="mono">${one.origin}</span></p>`,
    )}
  </section>`;
}

// How many tables look so, and which: on a phone they may be far below.
function those(tables, look, words, now) {
  const found = tables.filter((table) => standing(table, now).look === look);
  const links = found.map((table) => html` <a href="/tables/${encodeURIComponent(table.table)}">${table.table}</a>`);
  return html`<li><strong>${found.length}</strong> ${words}${links.length ? html`:${links}` : nothing}</li>`;
}

function sums(tables, now) {
  const rounds = tables.reduce((sum, table) => sum + (table.rounds_an_hour ?? 0), 0);
  return html`<ul class="sums">
    <li><strong>${tables.length}</strong> tables</li>
    ${those(tables, "held", "held", now)} ${those(tables, "wrong", "to look at", now)} ${those(tables, "silent", "silent", now)}
    <li><strong>${count(rounds)}</strong> rounds in the last hour</li>
  </ul>`;
}

follow((state, now) =>
  picture.draw(
    () => html`${refusals(state.refusals)} ${sums(state.tables, now)}
      ${state.tables.length ? nothing : html`<p>No table is known: put its key into the folder of tables.</p>`}
      <ul class="tables">${state.tables.map((table) => html`<li>${card(table, now)}</li>`)}</ul>`,
  ),
);
tellWho();
