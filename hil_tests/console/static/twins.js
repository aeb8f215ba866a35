// What a visitor does at the simulated devices: draw cards, choose those that come next, press the
// button, pull cables, turn the key. Not the console's: it knows no device.

import { html, render } from "./lit-html.js";

const LOOK_MS = 500;
const PLACES = ["dealer", "supervisor"];
const KEYS = [..."1234567890.*#ONBMPJSDLIUWYFAXVRE"];
let seen = {};
let said = "";
let busy = false;

async function told(response) {
  const answer = await response.json();
  if (!answer.ok) throw new Error(answer.error);
  return answer.result;
}

async function act(deed, given = {}) {
  if (busy) return;
  busy = true;
  draw();
  try {
    const body = JSON.stringify({ deed, given });
    const result = await told(await fetch("/do", { method: "POST", headers: { "X-Twins": "1" }, body }));
    said = result.cards ? `drawn: ${result.cards.join(" ")}` : `${deed}: done`;
  } catch (error) {
    said = error.message;
  }
  busy = false;
  await look();
}

async function look() {
  try {
    seen = await told(await fetch("/look"));
  } catch (error) {
    said = error.message;
  }
  draw();
}

const key = (words, deed, given) =>
  html`<button ?disabled=${busy} @click=${() => act(deed, given)}>${words}</button>`;

function next(event) {
  event.preventDefault();
  const cards = event.target.elements.cards.value.toUpperCase().split(/[\s,]+/).filter(Boolean);
  if (cards.length) act("next", { cards });
}

const shoe = ({ gate, remaining }) => html`<section aria-label="Shoe"><h2>Shoe</h2>
  <div>${key("Draw", "draw", { count: 1 })}${[2, 3, 4, 5].map((count) => key(`Draw ${count}`, "draw", { count }))}</div>
  <form @submit=${next}><label>The next cards <input name="cards" placeholder="9S QH AC" autocomplete="off"></label>
    <button ?disabled=${busy}>Choose</button></form>
  <p>gate ${gate}, ${remaining} cards</p></section>`;

const jackpot = ({ state, shown }) => html`<section aria-label="Button"><h2>Button</h2>
  <div>${key("Press", "press")}</div><p>${state}${shown ? `: ${shown}x` : ""}</p></section>`;

const keypad = ({ rows }) => html`<section aria-label="Keypad"><h2>Keypad</h2>
  <pre>${(rows ?? []).join("\n")}</pre>
  <div>${KEYS.map((one) => key(one, "key", { keys: one }))}</div>
  <div>${PLACES.map((position) => key(`Key switch: ${position}`, "switch", { position }))}</div></section>`;

const cables = (names) => html`<section aria-label="Cables"><h2>Cables</h2>
  ${names.map((name) => html`<div>${name} ${["unplug", "plug"].map((what) => key(what, "cable", { name, act: what }))}</div>`)}
</section>`;

function draw() {
  render(html`<h1>Simulated devices</h1><output role="status">${said}</output>
    ${seen.shoe && shoe(seen.shoe)}${seen.jackpot && jackpot(seen.jackpot)}${seen.keypad && keypad(seen.keypad)}
    ${cables(Object.keys(seen))}`, document.getElementById("page"));
}

await look();
setInterval(() => busy || document.hidden || look(), LOOK_MS);
