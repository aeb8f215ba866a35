// The sign: what every guest may know, and nothing else (docs/sign.md). It has no keys.
// While it is not live it says so, and shows no multiplier.

import { Picture } from "./drawing.js";
import { html, nothing } from "./lit-html.js";
import { Follower } from "./live.js";
import { Resting } from "./resting.js";
import { addressed, read, tag, told } from "./words.js";

const view = { live: false, lost: "", table: null, last: [], words: [] };
const root = document.getElementById("sign");
const picture = new Picture(root);
let spoken = []; // the languages of this sign with their words

const isLive = () => view.live && !view.lost && view.table !== null;

// A text in every language that has it, once where they are alike.
function inAll(key, values) {
  const all = spoken.filter(({ texts }) => key in texts).map(({ language, texts }) => ({ language, text: told(texts[key], values) }));
  return all.filter(({ text }, index) => all.findIndex((one) => one.text === text) === index);
}

const say = (key, values) =>
  inAll(key, values).map(({ language, text }, index) => html`${index ? html`<span class="also" aria-hidden="true"> · </span>` : nothing}<span lang=${tag(language)}>${text}</span>`);

// "10 to 5000", or the one end that is configured.
function range(label, least, most) {
  if (least === null && most === null) return nothing;
  const key = least === null ? "sign.most" : most === null ? "sign.least" : "sign.range";
  return html`<div class="limit"><dt>${say(label)}</dt><dd>${say(key, { least, most })}</dd></div>`;
}

const limits = ({ min, max, side_min, side_max, box_max, player_max }) => html`<dl class="limits">
  ${range("sign.main", min, max)} ${range("sign.side", side_min, side_max)}
  ${range("sign.box-max", null, box_max)} ${range("sign.player-max", null, player_max)}</dl>`;

const rules = (id) => inAll(`sign.rules.${id}`).map(({ language, text }) => html`<p class="rules" lang=${tag(language)}>${text}</p>`);

const meter = ({ multiplier, box }) => html`<div class="meter" data-meter>
  <p class="figure">${multiplier}×</p><p class="winner">${say("felt.box", { box })}</p></div>`;

// Fields of one size, by their figures: nothing tells how likely one is.
const ladder = (figures) => html`<ul class="ladder" aria-label=${inAll("sign.ladder").map(({ text }) => text).join(", ")}>
  ${[...figures].sort((one, other) => other - one).map((figure) => html`<li>${figure}×</li>`)}</ul>`;

const between = ({ figures }) => html`
  ${figures.length ? html`<p class="about">${say("sign.ladder")}</p>${ladder(figures)}` : nothing}
  ${view.words.map((line) => html`<p class="house">${line}</p>`)}`;

const last = () =>
  view.last.length
    ? html`<section class="last"><h2>${say("sign.last")}</h2>
        <ol>${view.last.map((one) => html`<li><b>${one.multiplier}×</b> <span>${say("felt.box", { box: one.box })}</span></li>`)}</ol></section>`
    : nothing;

function middle({ meter: shown, between: rests, ...table }) {
  if (!isLive()) return html`<div class="ask" role="status"><p>${say("sign.not-live")}</p><p>${say("sign.ask")}</p></div>`;
  if (shown?.multiplier) return meter(shown);
  return rests ? between(table) : html`<p class="about">${say("sign.in-play")}</p>`;
}

function paint() {
  const { table } = view;
  const known = table ?? { limits: null };
  if (table) document.title = table.table;
  document.body.classList.toggle("stale", !isLive());
  return picture.draw(
    () => html`<div class="top"><h1>${table ? say("sign.table", { table: table.table }) : nothing}</h1>${table ? rules(table.rules) : nothing}</div>
      <div class="middle">${middle(known)}</div>
      <div class="foot">${known.limits ? limits(known.limits) : nothing}${table?.figures.length ? last() : nothing}</div>`,
  );
}

const draw = () => paint() || follower.doubt();

const resting = new Resting(root, () => isLive() && view.table.between && !view.table.meter);

const follower = new Follower(
  () => new EventSource("/sign/events"),
  (parts) => {
    for (const part of ["lost", "table", "last", "words"]) view[part] = parts.get(part) ?? view[part];
    return paint();
  },
  ({ live }) => {
    view.live = live;
    draw();
  },
);

const { languages, sign_languages: configured } = await (await fetch("/settings.json")).json();
const asked = addressed(languages);
spoken = await Promise.all((asked.length ? asked : configured).map(async (language) => ({ language, texts: await read(language) })));
document.documentElement.lang = tag(spoken[0].language);
document.documentElement.className = `languages-${spoken.length}`;
draw();
follower.connect();
resting.begin();
