// What figures and times are told in. Times come in the house's time zone, and are shown so.

const NARROW = "\u202f";

const inThousands = (digits) => digits.replace(/\B(?=(\d{3})+$)/g, NARROW);

export const count = (number) => inThousands(String(number));

// Cents as an amount; null: no amount was entered.
export function money(cents) {
  if (cents === null || cents === undefined) return "?";
  const small = String(Math.abs(cents) % 100).padStart(2, "0");
  return `${cents < 0 ? "\u2212" : ""}${inThousands(String(Math.trunc(Math.abs(cents) / 100)))}.${small}`;
}

export const clock = (iso) => (iso ? iso.slice(11, 19) : "?");

export const dayAndClock = (iso) => (iso ? `${iso.slice(0, 10)} ${iso.slice(11, 19)}` : "?");

// A span of milliseconds, as people say it.
export function age(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  const hours = Math.floor(seconds / 3600);
  return hours < 48 ? `${hours} h ${Math.floor((seconds % 3600) / 60)} min` : `${Math.floor(hours / 24)} days`;
}

export const short = (digest) =>
  /^[0-9a-f]{64}$/.test(digest) ? digest.slice(0, 12) : digest || "not told";

export const downLinks = (table) =>
  Object.entries(table.shown?.links ?? {}).filter(([, link]) => !link.up || link.wrong);

// Each table of a state knows whether a journal of it was refused.
export function withRefused(state) {
  const refused = new Set(state.refusals.map((one) => one.table_name));
  return { ...state, tables: state.tables.map((one) => ({ ...one, refused: refused.has(one.table) })) };
}

// The steps of what is to be done, one by one: "1. Look. 2. Push." is two.
export const steps = (words) => words.split(/ (?=\d\. )/);

// A table that plays is heard of every minute or two; one that is closed, or cut off, is not.
const SILENT_MS = 600_000;

// What a table is, for whoever looks from afar at that time (ms): a word, and how it looks. What it
// was when it was heard of last, a while ago, is told as that.
export function standing(table, now) {
  if (table.heard === null) return { word: "never heard of", look: "wrong" };
  if (table.refused) return { word: "journal refused", look: "wrong" };
  if (table.halted) return { word: "cannot be read", look: "wrong" };
  const shown = table.shown;
  if (!shown) return { word: "no controller yet", look: "wrong" };
  if (shown.held) return { word: "held", look: "held" };
  const wrong = downLinks(table).length || Object.keys(shown.conditions).length || table.differs.length;
  if (wrong) return { word: "look at it", look: "wrong" };
  const word = shown.state.replaceAll("_", " ");
  const silent = now - Date.parse(table.heard);
  if (silent >= SILENT_MS) return { word: `${word} ${age(silent)} ago`, look: "silent" };
  return { word, look: "plays" };
}

// How far the journal is vouched for, in words.
export function vouched(table) {
  const all = table.next_entry;
  const upTo = (size) => (size >= all ? "all" : `${count(size)} of ${count(all)}`);
  const witnessed = table.witness_size ? `, witnessed ${upTo(table.witness_size)}` : "";
  return `mirrored ${upTo(table.mirror_size)}${witnessed}`;
}
