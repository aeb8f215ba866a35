// What the table's program says of each verb: its place among the keys, what it belongs to (play, table,
// wrong, house), and what is true of it (controller/game/commands/verbs.py).

let rows = {};
let order = [];

export function learn(verbs) {
  rows = verbs;
  order = Object.keys(verbs);
}

export const isA = (verb, fact) => rows[verb]?.includes(fact) ?? false;

export const placeAmongKeys = (verb) => order.indexOf(verb);

// The verb of a command that was typed or given; of an action the table tells it.
export const verbOf = (text) => /^\S*/.exec(text)[0];

// Whether a command is about what went wrong, or the house's: it is asked for by a question, not by a key.
export const isQuestion = (verb) => isA(verb, "wrong") || isA(verb, "house");

// The kind of the wager that a command is about; undefined: it is about none.
export const kindOfWager = (command) => /^wager \S+ (\S+)/.exec(command)?.[1];
