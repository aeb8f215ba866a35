// The words of the page, in the language that is chosen: /static/LANG.json by key.

let texts = {};
let fallback = {};

export async function read(language) {
  const response = await fetch(`./${language}.json`.replace("./", "/static/"));
  if (!response.ok) throw new Error(`no words for ${language}`);
  return response.json();
}

// Have the words of that language; clauses and reasons that people gave stay as they are.
export async function speak(language) {
  texts = await read(language);
  if (!Object.keys(fallback).length) fallback = language === "en" ? texts : await read("en");
  document.documentElement.lang = language === "zh" ? "zh-Hans" : language;
}

export const has = (key) => key in texts || key in fallback;

const shown = (value) => (Array.isArray(value) ? value.join(t("ui.list")) : String(value ?? ""));

// A text with its values filled in.
export const told = (text, values = {}) => text.replace(/\{(\w+)\}/g, (_, name) => shown(values[name]));

// The text of that key with its values; a key without a text shows itself.
export const t = (key, values = {}) => told(texts[key] ?? fallback[key] ?? key, values);
