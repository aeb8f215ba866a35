/*
 * The draw as it is stored and signed: the journal with its signed row, the heads file, the second copy,
 * the journal that goes on from a closed one, the start that judges all of them, the recovery; a process
 * that ends between any two writes, a medium that loses the journal, and an attacker who has no key.
 *
 * Every step is something that is done to real files by the code (proof/models/stored/bench.py). Here an entry
 * is one commit; the draw model has what leads to one. What follows from a draw is proof/models/draw's.
 *
 * Entries have names, given in the order in which they are made, so that another entry at the same place
 * is another name; all that the attacker writes has the name FORGED. As digests are chained, the same name
 * at the same place means the same entries before it.
 *
 * Bounds, given with -D: ENTRIES, that the controller makes; FAULTS, how often a medium fails; ATTACKS,
 * what the attacker does; CLOSES, how often the journal is closed. Defects: DEFECTS in
 * proof/models/stored/defects.py.
 *
 * Claims:
 * - no draw twice for an offer, unless a medium has lost the first and a start has said so
 * - what was acknowledged is under a good row at every start
 * - no crash leads to journal-not-signed or heads-doubted, or to journal-cut or journal-differs-from-head
 *   without a loss
 * - an entry without a row over it never starts unheld
 * - what is put back to before the last head or the copy never starts unheld
 * - the copy's row is good at any time; a recovery takes nothing that no row covers, and what it could not
 *   take is never passed over in silence
 * - a journal that is all there, or was recovered, is not refused
 */

#ifndef ENTRIES
#define ENTRIES 5
#endif
#ifndef FAULTS
#define FAULTS 1
#endif
#ifndef ATTACKS
#define ATTACKS 0
#endif
#ifndef CLOSES
#define CLOSES 1
#endif

/* Steps, as proof/models/stored/steps.py names them. */
#define LOOK 1
#define COMMIT 2
#define ROW 3
#define TOLD 4
#define ASK_DRAW 5
#define ASK_NOTE 6
#define RESUME 7
#define SEAL 8
#define HEAD 9
#define COPY_ONE 10
#define COPY_ALL 11
#define FORGET 12
#define CLOSE_NAME 13
#define CLOSE_BEGIN 14
#define CLOSE_PUT 15
#define CLOSE_END 16
#define RECOVER 17
#define KILL 18
#define KILL_IN_HEAD 19
#define RECOVER_CUT 20
#define RECOVER_CUT_MARKED 21
#define RECOVER_CUT_LATE 22
#define CLOSE_CUT 23
#define DAMAGE 24
#define LOSE 25
#define KEEP 26
#define PUT_BACK 27
#define HEADS_BACK 28
#define FORGE 29
#define ALTER 30
#define STRIP 31
#define REWRITE 32
#define FORGE_COPY 33
#define FORGE_SUCCESSOR 34

/* The process: none; one that has looked at the journal, whose start record is not durable; one at play. */
#define NONE 0
#define LOOKED 1
#define ALIVE 2

/* Entries. DOUBT: a start that found the journal not as it should be; HOLD: one behind a recovery. A
 * snapshot begins a journal that goes on; it says whether the offer is drawn and how the table is held. */
#define START 1
#define DOUBT 2
#define HOLD 3
#define SUPERVISOR 4
#define DRAW 5
#define NOTE 6
#define SNAP 8		/* + 1: drawn; + 2: held; + 4: doubted */

/* What a start finds. */
#define NOT_SIGNED 1
#define CUT 4
#define DIFFERS 8
#define HEADS_GONE 16
#define RECOVERED 32

/* Why there is no start. */
#define UNREADABLE 1
#define BEHIND 2

/* The journal's medium. */
#define WELL 0
#define DAMAGED 1	/* its first entry cannot be read any more */
#define LOST 2		/* nothing of it can */

#define FORGED 15
#define PLACES 16
#define MAX_NAME 15	/* of entries */

/* A journal's file: its name, that of the journal it goes on from and the number of its last entry; its own
 * last entry; the entry that its row was signed for, and that one's name (0: no row). `id` are the entries'
 * names from `begins` on. */
typedef File { byte name, prev, begins, last, row, row_id; byte id[PLACES] };
File j;				/* the journal */
File c;				/* its second copy */
File s;				/* what the attacker has kept of the journal */
byte medium = WELL;
bool unfinished, mark;		/* a recovery was begun and not finished; its mark for the next start */
byte closing, closed, second;	/* how far a closing is; the closed journals, a bit for each name; whose file
				 * has a second name in the archive */

typedef Head { byte name, seq, id };
Head h;				/* the last head (name 0: there is none) */
Head sh;			/* what the attacker has kept of the heads */

/* The process. */
byte proc, refused, faults, waiting, due, due_id, sealed;
bool untold, parted;		/* parted: the copy differs, and is copied to no more */
#ifdef ROW_APART
bool row_due;			/* the row is to follow */
#else
#define row_due false
#endif

byte kind[16];			/* of entries, by name */
byte made, names, closes = CLOSES, fails = FAULTS, attacks = ATTACKS;

/* What really happened. */
byte stored, acked, gone;		/* the last entry that was stored, that was acknowledged, that a closed
				 * journal has: no loss of the journal's takes it */
bool drew, lost, people, attacked, aside;
/* drew: a draw was stored; lost: what was stored is gone with a medium; people: a start told them that
 * something is wrong; aside: a recovery was cut off before it put the copy aside */

/* What follows from the above, found out after every step. */
bool held, doubt, drawn, covered, ahead, same_end, stands, well, usable;

/* Of one step: it is written before it is read. */
hidden byte marks, good, ok, k, at, found, base;

#ifdef SCRIPT
#include "script.h"
short position;
short script[LENGTH + 1];
#define GO(step) (position < LENGTH && script[position] == step)
#define NEXT position++
#else
#define GO(step) true
#define NEXT skip
#endif

/* In a run by chance play goes on for a while before anything fails. */
#ifdef WALK
byte luck;
active proctype Luck() {
	do
	:: luck = (luck + 3) % 16
	od
}
#define MAY_FAIL (luck == 1)
#else
#define MAY_FAIL true
#endif

#define IS_CLOSED(name) ((closed & (1 << (name))) != 0)
#define SEEN(value) ((medium == LOST || unfinished) -> 0 : value)

#define DID(step) \
	NEXT; \
	find_out(); \
	printf("STEP %d\n", step); \
	printf("STATE %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d\n", \
		proc, refused, faults, waiting, untold, due, parted, medium, unfinished, mark, closing, \
		SEEN(j.name), SEEN(j.last), SEEN(j.id[j.last]), SEEN(j.row), SEEN(held), SEEN(drawn), \
		c.name, c.last, c.id[c.last], c.row, h.name, h.seq, fails, attacks)

inline copy(to, from) {
	to.name = from.name; to.prev = from.prev; to.begins = from.begins; to.last = from.last;
	to.row = from.row; to.row_id = from.row_id;
	k = 0;
	do
	:: k < PLACES -> to.id[k] = from.id[k]; k++
	:: else -> break
	od
}

inline copy_head(to, from) {
	to.name = from.name; to.seq = from.seq; to.id = from.id
}

/* Whether a journal's row is good, in `good`, and covers its last entry, in `covered`. */
inline look_at_row(f) {
	good = (f.row > f.begins && f.row <= f.last && f.id[f.row] == f.row_id);
	covered = (good && f.row == f.last)
}

/* Whether the journal, or the one that it goes on from, has an entry, in `ok`. */
inline look_for(entry) {
	ok = (entry == 0 || entry <= gone); k = j.begins;
	do
	:: k <= j.last -> ok = ok || (j.id[k] == entry); k++
	:: else -> break
	od
}

/* Whether a journal's own entries tell of heads. */
inline look_for_marks(f, says) {
	says = 0; k = f.begins + 1;
	do
	:: k <= f.last ->
		says = says || (f.id[k] != FORGED && (kind[f.id[k]] < SUPERVISOR || kind[f.id[k]] >= SNAP));
		k++
	:: else -> break
	od
}

inline find_out() {
	held = 0; doubt = 0; drawn = 0; k = j.begins + 1;
	do
	:: k <= j.last ->
		at = (j.id[k] == FORGED -> 0 : kind[j.id[k]]); k++;
		if
		:: at == DOUBT -> held = 1; doubt = 1
		:: at == HOLD -> held = 1
		:: at == SUPERVISOR -> held = 0; doubt = 0
		:: at == DRAW -> drawn = 1
		:: at >= SNAP ->
			drawn = ((at - SNAP) & 1) != 0;
			held = ((at - SNAP) & 2) != 0;
			doubt = ((at - SNAP) & 4) != 0
		:: else -> skip
		fi
	:: else -> break
	od;
	look_at_row(c);
	usable = (good && c.last > c.begins);
	ahead = (c.name == j.name && c.last > j.last && c.id[j.last] == j.id[j.last]);
	same_end = (c.name == j.name && c.last == j.last && c.id[c.last] == j.id[j.last]);
	look_at_row(j);
	stands = (h.name == j.name && h.seq <= j.last && (h.seq <= j.begins || h.id == j.id[h.seq])) ||
		(h.name != 0 && h.name == j.prev &&
			(h.seq < j.begins || (h.seq == j.begins && h.id == j.id[j.begins])));
	well = (medium == WELL && !unfinished && (covered || (j.row == 0 && j.last == j.begins)))
}

/* ---- the controller's writes ---- */

inline name_entry(what) {
	made++; kind[made] = what
}

inline put_row(f) {
	f.row = f.last; f.row_id = f.id[f.last]
}

/* Entries and row in one transaction. */
inline write_entry(what) {
	name_entry(what);
	j.last++; j.id[j.last] = made;
#ifdef ROW_APART
	row_due = 1
#else
	put_row(j)
#endif
}

/* ---- the second copy ---- */

inline no_copy() {
	c.name = 0; c.prev = 0; c.begins = 0; c.last = 0; c.row = 0; c.row_id = 0;
	k = 0;
	do
	:: k < PLACES -> c.id[k] = 0; k++
	:: else -> break
	od
}

inline begin_copy() {
	no_copy();
	c.name = j.name; c.prev = j.prev; c.begins = j.begins;
	c.last = j.begins; c.id[j.begins] = j.id[j.begins]
}

/* A start opens the copy, and compares the ends: `ahead`, or `parted`. */
inline open_copy() {
	if
	:: c.name == 0 || (c.name != j.name && j.begins > 0 && c.name == j.prev && c.last <= j.begins) ->
		begin_copy()
	:: else -> skip
	fi;
	at = (c.last < j.last -> c.last : j.last);
	ahead = (c.name != j.name && j.last == 0) ||
		(c.name == j.name && c.last > j.last && c.id[at] == j.id[at]);
	parted = !ahead && (c.name != j.name || c.id[at] != j.id[at])
}

/* Take over up to an entry; the row in the transaction that reaches its number. */
inline take(upto) {
	k = c.last + 1;
	do
	:: k <= upto -> c.id[k] = j.id[k]; k++
	:: else -> break
	od;
	c.last = upto;
#ifdef ROW_WITH_SLICE
	c.row = j.row; c.row_id = j.row_id;
#else
	if
	:: j.row == c.last -> c.row = j.row; c.row_id = j.row_id
	:: else -> skip
	fi;
#endif
	assert(c.row == 0 || (c.row <= c.last && c.id[c.row] == c.row_id))	/* its row is good at any time */
}

/* ---- a start ---- */

inline judge() {
	faults = 0;
	look_at_row(j);
	look_for_marks(j, marks);
#ifndef BLIND
	faults = (covered || (j.row == 0 && j.last == j.begins) -> 0 : NOT_SIGNED);
#endif
#ifndef NO_HEADS
	if
	:: h.name == 0 -> faults = faults | (marks -> HEADS_GONE : 0)
	:: h.name == j.name ->
		if
		:: h.seq > j.last -> faults = faults | CUT
		:: h.seq <= j.last && h.seq > j.begins && h.id != j.id[h.seq] -> faults = faults | DIFFERS
		:: else -> skip
		fi
	:: else ->
		if
		:: j.begins == 0 || h.name != j.prev -> faults = faults | DIFFERS
		:: j.begins > 0 && h.name == j.prev && h.seq > j.begins -> faults = faults | CUT
		:: j.begins > 0 && h.name == j.prev && h.seq == j.begins && h.id != j.id[j.begins] ->
			faults = faults | DIFFERS
		:: else -> skip
		fi
	fi;
#endif
	faults = faults | (IS_CLOSED(j.name) -> CUT : 0);
	if
	:: faults == 0 && h.name == 0 ->	/* the first head of all, before the start record tells of it */
		h.name = j.name; h.seq = j.last; h.id = j.id[j.last]; sealed = j.last + 1
	:: else -> sealed = 0
	fi;
	faults = faults | (mark -> RECOVERED : 0)
}

/* What a start that holds nothing is good for. */
inline claims_of_a_start() {
	look_at_row(j);
	look_for(acked);
	if
	:: !attacked ->
		/* no crash leads to a false alarm */
		assert((faults & (NOT_SIGNED | HEADS_GONE)) == 0);
		assert((faults & (CUT | DIFFERS)) == 0 || lost);
		/* what was acknowledged is under a good row */
		assert(acked == 0 || (covered && ok))
	:: else -> skip
	fi;
	if
	:: faults == 0 && !held ->
		/* no entry without a row over it */
		assert(covered || j.last == j.begins);
		/* nothing is put back to before what a head or the copy knows */
		assert(parted || c.last <= j.last);
		assert(h.name != j.name || (h.seq <= j.last && (h.seq <= j.begins || h.id == j.id[h.seq])));
		/* what a medium has lost is never passed over in silence */
		assert(!lost || people)
	:: else -> skip
	fi
}

inline process_ends() {
	proc = NONE; faults = 0; waiting = 0; due = 0; due_id = 0; sealed = 0; untold = 0; parted = 0;
	closing = 0;
#ifdef ROW_APART
	row_due = 0
#endif
}

/* ---- the closing ---- */

inline head_of_the_end() {
	h.name = j.name; h.seq = j.last; h.id = j.id[j.last]
}

/* Another file takes the journal's place: a second name of the one before is that of a closed one. */
inline another_file() {
	closed = closed | (second != 0 -> 1 << second : 0); second = 0
}

/* ---- the recovery ---- */

/* The copy up to its row, and what the journal's own row covers behind it. */
inline recover() {
	base = c.row;
	if
	:: medium != LOST && j.name == c.name && j.row > c.row ->
		/* its entries behind those of the copy follow from them, and end with what was signed */
		if
		:: j.row <= c.last && c.id[j.row] == j.row_id -> base = j.row
		:: j.row > c.last && j.row <= j.last && j.id[c.last] == c.id[c.last] && j.id[j.row] == j.row_id ->
			base = j.row
		:: else -> skip
		fi
	:: else -> skip
	fi;
	found = (base > c.row -> j.row_id : c.row_id);
	j.name = c.name; j.prev = c.prev; j.begins = c.begins;
	k = 0;
	do
	:: k < PLACES ->
		j.id[k] = (k <= c.last && k <= base -> c.id[k] : (k <= base -> j.id[k] : 0));
		k++
	:: else -> break
	od;
	j.last = base; j.row = base; j.row_id = found;
#ifdef TAKE_ALL
	k = j.last + 1;
	do
	:: k <= c.last -> j.id[k] = c.id[k]; j.last = k; k++
	:: else -> break
	od;
#endif
	assert(j.last == j.row && j.id[j.row] == j.row_id);	/* nothing that no row covers */
	look_for(stored);
	if
	:: !ok -> lost = 1; people = 0; stored = j.id[j.last]; acked = 0
	:: else -> skip
	fi;
	medium = WELL; unfinished = 0
}

/* A copy that goes on behind what was recovered would keep every start from it: it is put aside. */
inline put_copy_aside() {
#ifndef COPY_STAYS
	if
	:: c.last > j.last -> no_copy()
	:: else -> skip
	fi;
#endif
	aside = 0
}

#define RECOVERS (proc == NONE && closing == 0 && usable && (!well || ahead) && \
	!(medium != LOST && !well && j.begins > 0 && j.prev == c.name))

#define AT_REST (proc == NONE && closing == 0)
#define CLOSES_NOW (AT_REST && closes > 0 && medium == WELL && !unfinished && covered && \
	j.last > j.begins + 1 && same_end && stands && !IS_CLOSED(j.name) && made < ENTRIES)
#define MAY_ATTACK (MAY_FAIL && attacks > 0 && AT_REST && medium == WELL && !unfinished && j.last > j.begins)

active proctype Runs() {
	d_step {
		names = 1;
#ifdef SCRIPT
		read_script();
#endif
		find_out()
	}
	end: do
	:: d_step { (MAY_FAIL || refused == 0) && AT_REST && GO(LOOK) ->
		refused = 0; second = 0;
		if
		:: medium == LOST || unfinished || (medium == DAMAGED && j.begins > 0) -> refused = UNREADABLE
		:: else ->
			j.name = (j.name == 0 -> 1 : j.name);
			open_copy();
			if
			:: ahead -> refused = BEHIND
			:: !ahead && medium == DAMAGED -> refused = UNREADABLE
			:: else -> skip
			fi
		fi;
		if
		:: refused == 0 ->
			judge();
			claims_of_a_start();
			proc = LOOKED;
			waiting = ((faults & ~RECOVERED) -> DOUBT : (faults -> HOLD : START))
		:: else ->
			/* a journal that is all there is never refused */
			assert(attacked || medium != WELL || unfinished || aside);
			process_ends()
		fi;
		DID(LOOK) }
	:: d_step { waiting != 0 && made < ENTRIES && !row_due && GO(COMMIT) ->
		if
		:: waiting == DRAW ->
			assert(!drew || lost || attacked);		/* no draw twice for an offer */
			drew = 1
		:: else -> skip
		fi;
		people = people || waiting == DOUBT || waiting == HOLD;
		write_entry(waiting);
		stored = made;
#ifdef ACK_EARLY
		waiting = 0; proc = ALIVE;
#else
		waiting = 0; untold = 1; proc = ALIVE;
#endif
		DID(COMMIT) }
#ifdef ROW_APART
	:: d_step { row_due && GO(ROW) -> put_row(j); row_due = 0; DID(ROW) }
#endif
#ifdef ACK_EARLY
	:: d_step { proc == ALIVE && waiting != 0 && made < ENTRIES && GO(TOLD) ->
		acked = made + 1;
		DID(TOLD) }
#else
	:: d_step { untold && !row_due && GO(TOLD) -> untold = 0; acked = j.id[j.last]; DID(TOLD) }
#endif
	:: d_step { proc == ALIVE && waiting == 0 && !untold && !held && !drawn && made < ENTRIES && GO(ASK_DRAW) ->
		waiting = DRAW;
		DID(ASK_DRAW) }
	:: d_step { proc == ALIVE && waiting == 0 && !untold && made < ENTRIES && GO(ASK_NOTE) ->
		waiting = NOTE;
		DID(ASK_NOTE) }
	:: d_step { proc == ALIVE && waiting == 0 && !untold && held && made < ENTRIES && GO(RESUME) ->
		waiting = SUPERVISOR;
		DID(RESUME) }
#ifdef HEAD_EARLY
	:: d_step { proc == ALIVE && waiting != 0 && due == 0 && !doubt && made < ENTRIES && GO(SEAL) ->
		due = j.last + 1; due_id = made + 1;
		DID(SEAL) }
#else
	:: d_step { proc == ALIVE && due == 0 && !doubt && j.last >= sealed && !row_due && GO(SEAL) ->
		due = j.last; due_id = j.id[j.last];
		DID(SEAL) }
#endif
	:: d_step { due != 0 && GO(HEAD) ->
		h.name = j.name; h.seq = due; h.id = due_id;
		sealed = due + 1; due = 0; due_id = 0;
		DID(HEAD) }
	:: d_step { proc == ALIVE && !parted && c.last < j.last && GO(COPY_ONE) ->
		take(c.last + 1);
		DID(COPY_ONE) }
	:: d_step { proc == ALIVE && !parted && c.last < j.last && GO(COPY_ALL) ->
		take(j.last);
		DID(COPY_ALL) }
	:: d_step { proc == ALIVE && mark && GO(FORGET) -> mark = 0; DID(FORGET) }
	/* Closing: a head of the end, the file's second name, the new file with its snapshot and row, its
	 * place, the heads made shorter. */
	:: d_step { CLOSES_NOW && GO(CLOSE_NAME) ->
		head_of_the_end(); closing = 1; second = j.name; refused = 0;
		DID(CLOSE_NAME) }
	:: d_step { closing == 1 && GO(CLOSE_BEGIN) -> closing = 2; DID(CLOSE_BEGIN) }
	:: d_step { closing == 2 && GO(CLOSE_PUT) ->
		closing = 3; closes--;
#ifdef SNAPSHOT_FORGETS
		name_entry(SNAP + 2 * held + 4 * doubt);
#else
		name_entry(SNAP + drawn + 2 * held + 4 * doubt);
#endif
		closed = closed | (1 << j.name); second = 0; names++; gone = j.id[j.last]; stored = made;
		j.prev = j.name; j.name = names; j.begins = j.last;
		k = 0;
		do
		:: k < j.last -> j.id[k] = 0; k++
		:: else -> break
		od;
		j.last++; j.id[j.last] = made;
#ifdef SUCCESSOR_UNSIGNED
		j.row = 0; j.row_id = 0;
#else
		put_row(j);
#endif
		DID(CLOSE_PUT) }
	:: d_step { closing == 3 && GO(CLOSE_END) -> closing = 0; DID(CLOSE_END) }
	:: d_step { RECOVERS && GO(RECOVER) ->
		second = 0; recover(); put_copy_aside(); mark = 1; refused = 0;
		DID(RECOVER) }
	:: d_step { MAY_FAIL && (proc != NONE || closing > 0) && GO(KILL) -> process_ends(); DID(KILL) }
	:: d_step { MAY_FAIL && CLOSES_NOW && GO(CLOSE_CUT) -> head_of_the_end(); refused = 0; DID(CLOSE_CUT) }
	:: d_step { MAY_FAIL && due != 0 && GO(KILL_IN_HEAD) -> process_ends(); DID(KILL_IN_HEAD) }
	:: d_step { MAY_FAIL && RECOVERS && GO(RECOVER_CUT) -> second = 0; unfinished = 1; refused = 0; DID(RECOVER_CUT) }
	:: d_step { MAY_FAIL && RECOVERS && GO(RECOVER_CUT_MARKED) ->
		second = 0; refused = 0;
#ifdef MARK_LATE
		recover(); put_copy_aside();
#else
		unfinished = 1; mark = 1;
#endif
		DID(RECOVER_CUT_MARKED) }
	:: d_step { MAY_FAIL && RECOVERS && GO(RECOVER_CUT_LATE) ->
		second = 0; recover(); aside = (c.last > j.last); mark = 1; refused = 0;
		DID(RECOVER_CUT_LATE) }
	/* A medium fails. */
	:: d_step { MAY_FAIL && fails > 0 && AT_REST && medium == WELL && !unfinished && j.last > j.begins && GO(DAMAGE) ->
		fails--; medium = DAMAGED;
		DID(DAMAGE) }
	:: d_step { MAY_FAIL && fails > 0 && AT_REST && medium == WELL && !unfinished && j.last > j.begins && GO(LOSE) ->
		fails--; medium = LOST;
		DID(LOSE) }
	/* The attacker, who knows everything but the key. */
	:: d_step { MAY_ATTACK && GO(KEEP) -> attacks--; copy(s, j); copy_head(sh, h); DID(KEEP) }
	:: d_step { MAY_ATTACK && s.name != 0 && GO(PUT_BACK) ->
		attacks--; attacked = 1; another_file(); copy(j, s);
		DID(PUT_BACK) }
	:: d_step { MAY_ATTACK && sh.name != 0 && GO(HEADS_BACK) ->
		attacks--; attacked = 1; copy_head(h, sh);
		DID(HEADS_BACK) }
	:: d_step { MAY_ATTACK && GO(FORGE) ->
		attacks--; attacked = 1; j.last++; j.id[j.last] = FORGED;
		DID(FORGE) }
	:: d_step { MAY_ATTACK && GO(ALTER) ->
		attacks--; attacked = 1; j.id[j.last] = FORGED;
		DID(ALTER) }
	:: d_step { MAY_ATTACK && GO(STRIP) ->
		attacks--; attacked = 1; j.row = 0; j.row_id = 0;
		DID(STRIP) }
	:: d_step { MAY_ATTACK && GO(REWRITE) ->
		attacks--; attacked = 1; j.row = 0; j.row_id = 0; k = j.begins + 1;
		do
		:: k <= j.last -> j.id[k] = FORGED; k++
		:: else -> break
		od;
		DID(REWRITE) }
	:: d_step { MAY_ATTACK && c.last > c.begins && GO(FORGE_COPY) ->
		attacks--; attacked = 1; c.last++; c.id[c.last] = FORGED;
		DID(FORGE_COPY) }
	:: d_step { MAY_ATTACK && j.last > j.begins + 1 && GO(FORGE_SUCCESSOR) ->
		attacks--; attacked = 1; another_file(); names++;
		j.prev = j.name; j.name = names; j.begins = j.last; k = 0;
		do
		:: k < j.last -> j.id[k] = 0; k++
		:: else -> break
		od;
		j.last++; j.id[j.last] = FORGED; j.row = 0; j.row_id = 0;
		DID(FORGE_SUCCESSOR) }
	od
}
