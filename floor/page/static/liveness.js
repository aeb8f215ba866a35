// The line on top of a page that follows the floor: live or not, why, when it is tried again.

import { Picture } from "./drawing.js";
import { html } from "./lit-html.js";
import { Follower } from "./live.js";
import { withRefused } from "./words.js";

const TABLE = "table/"; // of parts that are tables (floor/page/watching.py)

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

// Follow the floor; `show` gets each state, and again once a second, with the server's time (ms); it
// says whether that is shown. Of a state that the server itself doubts (`lost`) the page says so, and
// looks it.
export function follow(show) {
  const place = document.getElementById("liveness");
  const line = new Picture(place);
  let connection = { live: false, againMs: null };
  let lost = "";
  let state = null;
  let shown = true;
  let since = null; // the page was live before
  let was = false;

  function tell() {
    const live = connection.live && !lost;
    if (was && !live) since = new Date();
    was = live;
    document.body.classList.toggle("stale", !live);
    place.classList.toggle("not", !live);
    line.draw(() => (live ? html`Live` : notLive()));
  }

  function notLive() {
    const words = since === null ? "Not live yet" : `Not live since ${since.toTimeString().slice(0, 8)}`;
    if (connection.live) return html`${words}: ${lost}`;
    const pause = connection.againMs;
    const why = !shown ? "what came cannot be shown" : `the page's server ${pause === null ? "says nothing" : "does not answer"}`;
    const again = pause === null ? "" : ` It is asked again within ${Math.ceil(pause / 1000)} s.`;
    return html`<span>${words}: ${why}.${again}</span>
      <button type="button" @click=${() => follower.connect()}>Try now</button>`;
  }

  const draw = () => (shown = show(state, Date.now() + follower.aheadMs));

  const follower = new Follower(
    () => new EventSource("/events"),
    (parts) => {
      state = withRefused(whole(parts));
      lost = state.lost;
      draw();
      tell();
      return shown;
    },
    (told) => {
      connection = told;
      tell();
    },
  );
  follower.connect();
  setInterval(() => state === null || draw() || follower.doubt(), 1000);
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
