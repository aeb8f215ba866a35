// Commands about what went wrong, in plain words: what is asked of a person, never what is typed.

import { money } from "./amounts.js";
import { needed } from "./pad.js";
import { card } from "./values.js";
import { t } from "./words.js";

const CARD = /^[2-9AJQKT][CDHS]$/;
const OPTIONS = new Set(["return", "refuse", "play"]);
const VERBS = new Set([
  "cap", "choose", "clear-set", "continue", "correct", "discard", "lies", "pay", "play-on", "pro-rata", "reconstruct",
  "report", "reshuffle", "resume", "seen", "use", "void", "void-hand", "card", "confirm", "cancel",
]);

// Whether a command is about what went wrong: it is asked for by a question, not by one of the keys of play.
export const isAbout = (template) => VERBS.has(template.split(" ")[0]);

export const isCorrection = (template) => /^(correct|lies) /.test(template);

// What lies there, whatever was keyed, is the supervisor's to say.
export const isWager = (template) => template.startsWith("wager ");

export const cardWords = (text) => card(text, t);

// Where a card lies, as a command says it (`3.2`, `dealer`, `out`), out of what the status says.
export const placeOf = (lies) => lies.replace(/^box /, "");

export function placeWords(place) {
  const [, box, hand] = /^(\d)(?:\.(\d))?$/.exec(place) ?? [];
  if (box === undefined) return t(`place.${place}`);
  return hand === undefined ? t("felt.box", { box }) : t("place.hand", { box, hand });
}

function key([verb, ...more]) {
  switch (verb) {
    case "report": {
      const said = more.slice(1).map((word) => (/^(BOX|\d.*)$/.test(word) ? "box" : word));
      if (more[0] === "together") return more.includes("CARD") ? "report.together" : "report.together-card";
      return more[0] === "drawn" && said.length ? `report.drawn-${said.join("-")}` : `report.${more[0]}`;
    }
    case "choose":
      return `remedy.choose-${OPTIONS.has(more[1]) ? more[1] : "card"}`;
    case "use":
    case "discard":
      return more.length ? `remedy.${verb}-card` : `remedy.${verb}`;
    case "confirm":
    case "cancel":
      return `remedy.${verb}-void`;
  }
  return `remedy.${verb}`;
}

// The command as a question or a key says it.
export function plain(template) {
  const words = template.split(" ");
  if (isWager(template) && !needed(template)) return t("wager.lies", { box: words[1], kind: t(`kind.${words[2]}`), amount: money(words[3]) });
  const cards = words.filter((word) => CARD.test(word)).map(cardWords);
  const seat = words.find((word) => /^\d[a-h]?$/.test(word)) ?? "";
  const number = words.find((word) => /^\d+$/.test(word)) ?? "";
  return t(key(words), { card: cards, box: seat, number });
}

// The steps of a correction, in words.
export function stepWords(step, table) {
  const [verb, number, value] = step.split(" ");
  const was = cardWords(table.drawn[Number(number) - 1]?.card ?? "?");
  return verb === "correct"
    ? t("correct.is", { card: was, now: cardWords(value) })
    : t("correct.lies", { card: was, place: placeWords(value) });
}
