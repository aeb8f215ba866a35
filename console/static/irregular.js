// What went wrong: why the table is held, and what may be done about it, in plain words.

import { html, nothing } from "./lit-html.js";
import { t } from "./words.js";

export function irregular(view, api) {
  const { held } = view.table;
  if (!held) return nothing;
  return html`<section class="alarm held"><h2>${t(`fault.${held.fault}`)}</h2><p>${held.cards?.join(" ")}</p></section>`;
}
