// Who has signed in at this screen, and the way to do so.

import { html, nothing } from "./lit-html.js";
import { t } from "./words.js";

export function supervisor(view, api) {
  if (!view.person) return nothing;
  return html`<b>${view.person}</b> <button type="button" class="small" @click=${() => api.acting.signOut()}>${t("ui.leave")}</button>`;
}
