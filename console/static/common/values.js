// How the values of what is awaited, of a notice and of a refusal are said: each function gives the
// words of one placeholder out of all values, or "" for a part that does not apply here.

export const seatOf = (box, bettor) => `${box}${bettor === "a" ? "" : bettor}`;

const listed = (t, list) => list.join(t("ui.list"));

// The key that a choice of the player in turn has: what is asked and what is touched are one word.
const KEY_OF = { card: "hit", "free card": "free" };

function choices({ choices: list }, t) {
  const words = list.map((one) => t(`key.${KEY_OF[one] ?? one}`));
  return words.length < 2 ? words.join("") : listed(t, words.slice(0, -1)) + t("ui.or") + words.at(-1);
}

// A card as it is seen, "10♦", at the beginning of a text.
export function card(text, t) {
  return text.replace(/^([2-9AJQKT])([CDHS])/, (_, rank, suit) => `${rank.replace("T", "10")}${t(`card.${suit}`)}`);
}

function where({ box, hand, hands, absent }, t) {
  const which = hands > 1 ? t("part.hand", { hand }) : "";
  const away = absent?.length ? t("part.absent", { who: listed(t, absent.map((bettor) => seatOf(box, bettor))) }) : "";
  return t("part.box", { box }) + which + away;
}

function below({ below_minimum: low }, t) {
  if (!low) return "";
  const parts = [["part.below-played", low.played], ["part.below-back", low.back_at_close]];
  return parts.filter(([, who]) => who?.length).map(([key, who]) => t(key, { who: listed(t, who) })).join(" ");
}

const each = (kinds, t) => listed(t, Object.entries(kinds).map(([kind, count]) => `${count} ${t(`kind.${kind}`)}`));

const backs = (back, box, t) =>
  listed(t, Object.entries(back).map(([bettor, amount]) => t("part.of", { amount, who: seatOf(box, bettor) })));

// What is wrong: a fault has its own text; what was reported has that of the report.
export function faultWords(code, t) {
  const text = t(`fault.${code}`);
  return text === `fault.${code}` ? t(`report.${code}`) : text;
}

const part = (applies, key, values, t) => (applies ? t(key, values) : "");

const SAID = {
  where,
  choices,
  amount: ({ amount }, t) => amount ?? t("ui.no-amount"),
  back: ({ take_back: back, box }, t) => backs(back, box, t),
  because: ({ because }, t) => t(`error.${because}`),
  below,
  bettor: ({ bettor }) => (bettor && bettor !== "a" ? bettor : ""),
  boxes: ({ boxes }, t) => (Array.isArray(boxes) && !boxes.length ? t("none.boxes") : boxes),
  by: ({ by }, t) => (Array.isArray(by) ? by.map((role) => t(`role.${role}`)) : by),
  cutter: ({ box }, t) => (box ? t("part.box", { box }) : t("part.clockwise")),
  dealer: ({ dealer }, t) => card(dealer, t),
  device: ({ device }, t) => t(`device.${device}`),
  fault: ({ fault }, t) => faultWords(fault, t),
  faults: ({ faults }, t) => faults.map((one) => faultWords(one, t)),
  jackpot: ({ jackpot_down: down }, t) => part(down, "part.jackpot-down", {}, t),
  "may-add": ({ may_add: may }, t) => part(may, "part.add", {}, t),
  "may-double": ({ may_double: may }, t) => part(may, "part.double", {}, t),
  offer: ({ offer }, t) => t(`key.${offer}`),
  presser: ({ box, nominee }, t) =>
    nominee ? t("part.nominee", { by: nominee === "staff" ? t("role.staff") : nominee, box }) : t("part.box", { box }),
  returns: ({ returns }, t) =>
    part(returns.length, "part.returns", { who: returns.map((one) => one.split(" ")[1]) }, t),
  sides: ({ side_wagers: sides }, t) =>
    part(Object.keys(sides).length, "part.sides", { what: each(sides, t) }, t),
  then: ({ next }, t) => part(next, "part.next", { next }, t),
  trouble: ({ trouble }, t) => t(`trouble.${trouble}`),
  waiting: ({ waits }, t) => (waits ? t("part.waits", { card: card(waits, t) }) : ""),
  "waits-next": ({ waits_for_next: waits }, t) => part(waits, "part.waits-next", {}, t),
  which: ({ card: number }, t) => t(`part.card-${number}`),
};

// The words of a placeholder in the texts of that family; undefined: the value as it is.
export const said = (name, values, t) => SAID[name]?.(values, t);
