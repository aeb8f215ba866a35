// The language and the size of letters of this screen, kept in this browser.

import { html } from "./lit-html.js";
import { addressed, speak, t, tag } from "./words.js";

const SIZES = ["100", "125", "150"];

const kept = () => (SIZES.includes(localStorage.getItem("size")) ? localStorage.getItem("size") : "100");

// The language of this screen: that of the address, else that chosen here, else the configured one.
export const spoken = ({ languages, language }) =>
  [...addressed(languages), localStorage.getItem("language"), language].find((one) => languages.includes(one));

// Show letters as large as this browser was told to.
export function sized() {
  document.documentElement.style.setProperty("--size", kept() / 100);
}

export function settings(api) {
  const choose = async (language) => {
    localStorage.setItem("language", language);
    history.replaceState(null, "", location.pathname); // the address asks for another no more
    await speak(language);
    api.open(null);
  };
  const size = (percent) => {
    localStorage.setItem("size", percent);
    sized();
    api.open(null);
  };
  const now = document.documentElement.lang.slice(0, 2);
  return html`<div class="dialog" role="dialog" aria-modal="true" aria-label=${t("ui.settings")}><h2>${t("ui.settings")}</h2>
    <div class="row">${api.view.settings.languages.map((language) => html`<button type="button" class="key" data-language=${language} aria-pressed=${now === language} lang=${tag(language)} @click=${() => choose(language)}>${t(`language.${language}`)}</button>`)}</div>
    <h3>${t("ui.text-size")}</h3>
    <div class="row">${SIZES.map((percent) => html`<button type="button" class="key" data-size=${percent} aria-pressed=${kept() === percent} @click=${() => size(percent)}>${percent} %</button>`)}</div>
    <button type="button" class="key quiet-key" @click=${() => api.open(null)}>${t("ui.cancel")}</button></div>`;
}
