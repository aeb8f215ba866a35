// The line on top of a page that follows the floor: live or not, why, when it is tried again.

import { html, render } from "./lit-html.js";
import { Follower } from "./live.js";

const TABLE = "table/"; // of parts that are tables (floor/page/state.py)

// The floor's state out of its parts.
function whole(parts) {
  const names = [...parts.keys()].filter((name) => name.startsWith(TABLE)).sort();
  return {
    tables: names.map((name) => parts.get(name)),
    refusals: parts.get("refusals"),
    approved: parts.get("approved"),
    lost: parts.get("lost"),
  };
}

// Follow the floor; `show` gets each state. Of a state that the server itself doubts (`lost`) the
// page says so, and looks it.
export function follow(show) {
  const line = document.getElementById("liveness");
  let connection = { live: false, againMs: null };
  let lost = "";
  let since = null; // the page was live before
  let was = false;

  function tell() {
    const live = connection.live && !lost;
    if (was && !live) since = new Date();
    was = live;
    document.body.classList.toggle("stale", !live);
    line.classList.toggle("not", !live);
    render(live ? html`Live` : notLive(), line);
  }

  function notLive() {
    const state = since === null ? "Not live yet" : `Not live since ${since.toTimeString().slice(0, 8)}`;
    if (connection.live) return html`${state}: ${lost}`;
    const pause = connection.againMs;
    const again = pause === null ? "says nothing" : `does not answer. It is asked again within ${Math.ceil(pause / 1000)} s`;
    return html`<span>${state}: the page's server ${again}.</span>
      <button type="button" @click=${() => follower.connect()}>Try now</button>`;
  }

  const follower = new Follower(
    () => new EventSource("/events"),
    (parts) => {
      const state = whole(parts);
      lost = state.lost;
      show(state);
      tell();
    },
    (told) => {
      connection = told;
      tell();
    },
  );
  line.replaceChildren();
  follower.connect();
  return follower;
}

export async function asked(path) {
  const response = await fetch(path);
  if (!response.ok) throw new Error((await response.text()).trim() || `${path}: ${response.status}`);
  return response.json();
}

// As whom the house's proxy knows the person.
export async function tellWho() {
  const { who } = await asked("/who.json");
  if (who) document.getElementById("who").textContent = `You are ${who}`;
}
