// The language, the size of letters and the contrast of this screen, kept in this browser.

import { html } from "./lit-html.js";
import { addressed, speak, t, tag } from "./words.js";

const SIZES = ["100", "125", "150"];

const CONTRASTS = { normal: "ui.contrast-normal", high: "ui.contrast-high" };

const kept = (key, known, usual) => (known.includes(localStorage.getItem(key)) ? localStorage.getItem(key) : usual);
const size = () => kept("size", SIZES, "100");
const wished = () => (matchMedia("(prefers-contrast: more)").matches ? "high" : "normal");
const contrast = () => kept("contrast", Object.keys(CONTRASTS), wished());

// The language of this screen: that of the address, else that chosen here, else the configured one.
export const spoken = ({ languages, language }) =>
  [...addressed(languages), localStorage.getItem("language"), language].find((one) => languages.includes(one));

// Show letters as large, and as much contrast, as this browser was told to.
export function dressed() {
  document.documentElement.style.setProperty("--size", size() / 100);
  document.documentElement.classList.toggle("high-contrast", contrast() === "high");
}

export function settings(api) {
  const choose = async (language) => {
    localStorage.setItem("language", language);
    history.replaceState(null, "", location.pathname); // the address asks for another no more
    await speak(language);
    api.open(null);
  };
  const keep = (key, value) => {
    localStorage.setItem(key, value);
    dressed();
    api.open(null);
  };
  const now = document.documentElement.lang.slice(0, 2);
  return html`<div class="dialog" role="dialog" aria-modal="true" aria-label=${t("ui.settings")}><h2>${t("ui.settings")}</h2>
    <div class="row">${api.view.settings.languages.map((language) => html`<button type="button" class="key" data-language=${language} aria-pressed=${now === language} lang=${tag(language)} @click=${() => choose(language)}>${t(`language.${language}`)}</button>`)}</div>
    <h3>${t("ui.text-size")}</h3>
    <div class="row">${SIZES.map((percent) => html`<button type="button" class="key" data-size=${percent} aria-pressed=${size() === percent} @click=${() => keep("size", percent)}>${percent} %</button>`)}</div>
    <h3>${t("ui.contrast")}</h3>
    <div class="row">${Object.entries(CONTRASTS).map(([name, words]) => html`<button type="button" class="key" data-contrast=${name} aria-pressed=${contrast() === name} @click=${() => keep("contrast", name)}>${t(words)}</button>`)}</div>
    <button type="button" class="key quiet-key" @click=${() => api.open(null)}>${t("ui.cancel")}</button></div>`;
}
