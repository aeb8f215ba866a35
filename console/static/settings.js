// The language of this screen.

import { html } from "./lit-html.js";
import { speak, t } from "./words.js";

export function settings(api) {
  const choose = async (language) => {
    localStorage.setItem("language", language);
    await speak(language);
    api.open(null);
  };
  return html`<div class="dialog" role="dialog" aria-modal="true" aria-label=${t("ui.settings")}><h2>${t("ui.settings")}</h2>
    <div class="row">${api.view.settings.languages.map((language) => html`<button type="button" class="key" @click=${() => choose(language)}>${t(`language.${language}`)}</button>`)}</div>
    <button type="button" class="key quiet-key" @click=${() => api.open(null)}>${t("ui.cancel")}</button></div>`;
}
