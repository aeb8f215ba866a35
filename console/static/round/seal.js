// What vouches for a round: the signed checkpoint with the cosignatures of witnesses, and the digest of
// the round's proof, as a QR code and in letters.

import { html, nothing, svg } from "./lit-html.js";
import { t } from "./words.js";

const drawn = ({ side, dark }, words) => html`<svg class="code" viewBox="0 0 ${side} ${side}" role="img" aria-label=${words}>
  ${svg`<path fill="#fff" d="M0 0h${side}v${side}h-${side}z"></path><path stroke="#000" d=${dark}></path>`}</svg>`;

// `code`: as the console tells it, {none: error} where there is none, null while it is looked for.
export function seal(code, number) {
  if (code === null) return html`<p class="seal-none">${t("round.looking")}</p>`;
  if (code.none) return html`<p class="seal-none">${t("round.no-proof")} <small lang="en">${code.none.reason}</small></p>`;
  return html`<section class="seal"><h2>${t("round.vouches")}</h2>
    ${drawn(code.picture, t("round.code", { round: number }))}
    <div><p>${t("round.digest")}</p><p class="mono" data-digest>${code.digest}</p>
      <p>${t("round.cosignatures", { number: code.cosignatures })} ${code.left_out ? t("round.left-out", { number: code.left_out }) : nothing}</p>
      <pre class="mono" lang="en" tabindex="0" aria-label=${t("round.checkpoint")}>${code.checkpoint}</pre></div></section>`;
}
