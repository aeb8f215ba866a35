// The words of the page, in the language that is chosen: /static/LANG.json by key. What the table
// awaits (`asks`), says beside it (`notice`) and refuses (`error`) is put into words by values.js.

import { said } from "./values.js";

const CODED = /^(asks|notice|error)\./;

let texts = {};
let fallback = {};

export async function read(language) {
  const response = await fetch(`/static/${language}.json`);
  if (!response.ok) throw new Error(`no words for ${language}`);
  return response.json();
}

// The words from now on; where a text is missing, that of `other`.
export function use(words, other = words) {
  texts = words;
  fallback = other;
}

// As HTML names a language.
export const tag = (language) => (language === "zh" ? "zh-Hans" : language);

// The languages that the address asks for (`?lang=zh`, `?lang=en,ms`), of those `known`.
export const addressed = (known) =>
  (new URLSearchParams(location.search).get("lang") ?? "").split(",").filter((one) => known.includes(one));

// Have the words of that language; clauses and reasons that people gave stay as they are.
export async function speak(language) {
  const english = await read("en");
  use(language === "en" ? english : await read(language), english);
  document.documentElement.lang = tag(language);
}

export const has = (key) => key in texts || key in fallback;

// A whole amount has no cents.
const shown = (value) => (Array.isArray(value) ? value.map(shown).join(t("ui.list")) : String(value ?? "").replace(/^(-?\d+)\.00$/, "$1"));

const filled = (text, value) => text.replace(/\{([\w-]+)\}/g, (_, name) => shown(value(name)));

// A text with its values filled in.
export const told = (text, values = {}) => filled(text, (name) => values[name]);

// The text of that key with its values; a key without a text shows itself. Parts that do not apply
// leave no blanks behind.
export function t(key, values = {}) {
  const text = texts[key] ?? fallback[key] ?? key;
  if (!CODED.test(key)) return told(text, values);
  return filled(text, (name) => said(name, values, t) ?? values[name]).replace(/ {2,}/g, " ").trim();
}
