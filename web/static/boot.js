// A page whose scripts came only in part, or whose own script ends in an error as it begins, is loaded
// again by itself, once its server answers. The page asks for this script and for its own one by one: so
// either may be the one that is missing.

const AGAIN_MS = 7000;

async function again() {
  for (;;) {
    await new Promise((done) => setTimeout(done, AGAIN_MS));
    const answer = await fetch(location.href, { method: "HEAD", cache: "no-store" }).catch(() => null);
    if (answer?.ok) return location.reload();
  }
}

import(document.querySelector("script[data-own]").src).catch(again);
