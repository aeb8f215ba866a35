// Commands in plain words: what is asked of a person and told, never what is typed. Here alone the words
// of a command's text are looked at.

import { money } from "./amounts.js";
import { needed } from "./pad.js";
import { card } from "./values.js";
import { isQuestion, verbOf } from "./verbs.js";
import { t } from "./words.js";

const CARD = /^[2-9AJQKT][CDHS]$/;
const OPTIONS = new Set(["return", "refuse", "play"]);
const SEAT = /^(\d+)([a-h]?)(?:@(\d+)([a-h]?))?$/;

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

// A command as it is told: "Wager Box 1 main 50".
export function inWords(command) {
  if (isQuestion(verbOf(command))) return plain(command);
  const [verb, ...more] = command.split(" ");
  const say = (word, index) => (index === 0 && verb !== "shuffle" && SEAT.test(word) ? t("felt.box", { box: word }) : money(word));
  const kind = (word, index) => (verb === "wager" && index === 1 ? t(`kind.${word}`) : say(word, index));
  return [t(`key.${verb}`), ...more.map(kind)].join(" ");
}

// The steps of a correction, in words.
export function stepWords({ verb, number, value }, table) {
  const was = cardWords(table.drawn[number - 1]?.card ?? "?");
  return verb === "correct"
    ? t("correct.is", { card: was, now: cardWords(value) })
    : t("correct.lies", { card: was, place: placeWords(value) });
}
