// One step of a round: what happened and by whom, the felt as it lay behind it, what the table said,
// and what was settled, with clauses. What people and the table said stays as it was said.

import { html, nothing } from "./lit-html.js";
import { money, net } from "./amounts.js";
import { felt } from "./felt.js";
import { seatOf } from "./values.js";
import { t } from "./words.js";

const ORDINARY = new Set(["goes on", "back"]);

const words = (text) => (text ? html`<span lang="en">${text}</span>` : nothing);

// So many boxes the felt needs for all steps, so that none moves from one to the next.
const placesOf = (course) => Math.max(1, ...course.flatMap((one) => Object.keys(one.layout.boxes).map(Number)));

// The layout of a step as the felt draws a status.
function asStatus(layout, places) {
  return { ...layout, places, account: [], owed: [], drawn: [], squeezed: [], shoe: {} };
}

const settled = (one) => html`<li><b>${t("felt.box", { box: seatOf(one.box, one.bettor) })}</b>
  ${t(`kind.${one.kind}`)} ${one.stake === null ? "" : money(one.stake)}: ${t(`outcome.${one.outcome}`)} ${one.odds ?? ""}
  <b>${net(one.net)}</b> <span class="clause" lang="en">${one.clause}</span></li>`;

export function step(course, at) {
  const one = course[at];
  const of = course.length;
  const since = one.since_s === null ? "" : `+${one.since_s.toFixed(1)} s`;
  const marks = one.marks.filter((mark) => !ORDINARY.has(mark));
  return html`<section class="step" aria-live="polite" aria-label=${t("round.step", { step: at + 1, of })}>
    <p class="when">${t("round.step", { step: at + 1, of })} · ${one.wall.slice(11, 19)} ${since} · #${one.seq}</p>
    <p class="deed">${marks.map((mark) => html`<b class="mark" lang="en">${mark}</b> `)}${words(one.what)} <span class="clause" lang="en">${one.clause}</span></p>
    <p class="who-did">${t(`round.by-${one.kind}`)}${one.who ? html`: <b>${one.who}</b>` : nothing}
      ${one.why ? html`· ${t("round.why")} ${words(one.why)}` : nothing}</p>
    <div class="felt">${felt(asStatus(one.layout, placesOf(course)))}</div>
    ${one.settled.length ? html`<ul class="settled">${one.settled.map(settled)}</ul>` : nothing}
    ${one.notes.length ? html`<ul class="notes" lang="en">${one.notes.map((note) => html`<li>${note}</li>`)}</ul>` : nothing}
    <p class="prompted">${t("round.prompt")} ${words(one.prompt)}</p>
  </section>`;
}
