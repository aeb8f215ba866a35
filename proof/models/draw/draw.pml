/*
 * One draw as a model: the press, the draw, their commit, the figure on the meter, what the meter reads
 * back; a process that can be killed, a machine whose power can be cut, a unit that can restart and
 * forget, and a link that breaks with a command or its answer on the way.
 *
 * Every step is something that happens to the real table, owner, drawing, steward and journal
 * (proof/models/draw/draw_bench.py has it happen), so a run of the model can be played on the code and back.
 * The link is taken as proof/models/link proves it: events come once and in order, a command is carried
 * out once or is lost, and nobody knows which.
 *
 * A commit is whole or not there: entries and signed row are one transaction. What lies around it on the
 * disk (heads, copy, closing, recovery) and what a start makes of that is in proof/models/stored.
 *
 * A draw gives another figure each time, which is the worst that chance can do.
 *
 * Bounds, given with -D: FAULTS, faults in all. Defects: DEFECTS in proof/models/draw/defects.py.
 *
 * Claims:
 * - no second draw is stored for an offer
 * - no press is stored without its draw, and nothing shown of a draw that is not stored; no meter shows
 *   two figures for an offer
 * - no entry is found at a start that no signature covers, wherever in a commit the process ended
 * - what is paid was shown; the meter reads what was drawn
 * - the unit is commanded nothing that it has to refuse
 * - nothing is ever stuck, and every run with so many faults comes to the payment, with the figure on the
 *   meter
 */

#ifndef FAULTS
#define FAULTS 3
#endif

/* Steps, as proof/models/draw/steps.py names them. */
#define PRESS 1
#define SPUN 2
#define EVENT_COMES 3
#define UNIT_ACTS 4
#define ANSWER_COMES 5
#define COMMIT 6
#define JOIN 7
#define RESUME 8
#define START 9
#define ABANDONED 10
#define BREAK 11
#define UNIT_RESTARTS 12
#define UNIT_FORGETS 13
#define KILL 14
#define KILL_BEHIND_COMMIT 15
#define POWER_CUT 16
#define KILL_BEFORE_ROW 17
#define KILL_BEFORE_COMMIT 18

/* The round. */
#define ARMED 0
#define DRAWING 1
#define PAYING 2

/* The unit, as METER tells it. */
#define U_IDLE 0
#define U_ARMED 1
#define U_SPINNING 2
#define U_SHOWING 3

/* Commands to the unit, and what the table may want of it. */
#define NOTHING 0
#define METER 1
#define ARM 2
#define SHOW 3
#define DISARM 4
#define BLANK 5

/* Events of the unit. */
#define COVER 1
#define PRESSED 2
#define SHOWN 3

#define EVENTS 16

/* A table's state: `figure` is what was drawn (0: nothing), `taken` the unit's last event that it has. */
typedef Table { byte round, figure, held, taken, resumed };
Table now;			/* in the process, ahead of the disk */
Table disk;			/* committed */
Table told;			/* what the daemon's parts act on: as of the last commit */
bool covered = 1;		/* the signed row covers the last entry on disk */
byte last_session = 1, last_no;	/* the last event on disk, which a new process says HELLO with */

/* The process. */
bool alive, new_boot, waiting;	/* waiting: something is submitted and not committed */
bool up, known;			/* the link to the unit is there; and that is durable */
byte l_session, l_no;		/* of the link: the last event that came */
bool drawn;			/* this process has drawn for the offer */
byte asked, asked_figure;	/* the command under way */
bool acted;			/* the unit has carried it out; its answer: */
byte a_state, a_figure;
bool a_offer, a_pressed;

/* The steward: what it believes of the unit, and wanted when it last chose. */
bool s_looked;
byte s_state, s_figure, s_last, s_want, s_resumed;
bool s_offer, s_pressed, s_offered, s_unreported, s_told;

/* The unit; of its session it keeps events `u_stored` + 1 to `u_last`. */
byte u_session = 1, u_state, u_figure, u_shown, u_last, u_stored;
bool u_offer, u_pressed;
byte u_type[EVENTS], u_said[EVENTS];

/* What really happened. */
byte draws, stored_draws, seen, faults = FAULTS;

#define MAY_FAIL (faults > 0)

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

#define DID(step) \
	NEXT; \
	printf("STEP %d\n", step); \
	printf("STATE %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d\n", \
		alive, up, known, now.round, now.figure, now.held, waiting, asked, acted, \
		disk.round, disk.figure, u_state, u_pressed, u_figure, u_last - u_stored, faults, covered)

hidden byte at, nak, want, submits;

inline copy(to, from) {
	to.round = from.round; to.figure = from.figure; to.held = from.held;
	to.taken = from.taken; to.resumed = from.resumed
}

/* ---- the unit ---- */

inline emit(type, said) {
	u_last++;
	assert(u_last < EVENTS);
	u_type[u_last] = type; u_said[u_last] = said
}

inline unit_restarts() {
	u_state = U_IDLE; u_figure = 0; u_shown = 0; u_offer = 0; u_pressed = 0
}

inline disarm() {
	if
	:: u_state == U_ARMED -> u_state = U_IDLE
	:: else -> skip
	fi
}

inline obey() {
	nak = 0;
	if
	:: asked == METER -> skip
	:: asked == ARM ->
		if
		:: u_state == U_ARMED -> skip
		:: u_state != U_ARMED && (u_pressed || u_shown != 0) -> nak = 3
		:: else -> u_state = U_ARMED; u_offer = 1; u_figure = 0
		fi
	:: asked == SHOW ->
#ifndef EFFECTS_EARLY
		assert(asked_figure == disk.figure);	/* nothing is shown that is not stored */
#endif
		if
		:: u_shown != 0 && u_shown != asked_figure -> nak = 3
		:: (u_shown == 0 || u_shown == asked_figure) && u_state >= U_SPINNING -> skip
		:: else ->
			u_state = U_SPINNING; u_offer = 1; u_figure = asked_figure; u_shown = asked_figure
		fi
	:: asked == DISARM -> disarm()
	:: asked == BLANK ->
		if
		:: u_state == U_SPINNING -> nak = 4
		:: else ->
			u_state = (u_state == U_SHOWING -> U_IDLE : u_state); u_figure = 0
		fi
	fi;
	assert(nak == 0);			/* nothing is commanded that the unit has to refuse */
	acted = 1;
	a_state = u_state; a_offer = u_offer; a_pressed = u_pressed;
	a_figure = (u_state == U_SHOWING -> u_figure : 0)
}

/* ---- the process ---- */

/* The next command towards what the table wants (JackpotSteward.next_command). */
inline attend() {
	if
	:: known && asked == 0 ->
		if
		:: told.figure != 0 -> want = SHOW
		:: told.figure == 0 && !told.held && told.round == ARMED -> want = ARM
		:: else -> want = NOTHING
		fi;
		if
		:: told.resumed != s_resumed -> s_told = 0; s_looked = 0
		:: else -> skip
		fi;
		s_want = want; s_resumed = told.resumed;
		s_offered = (told.round == ARMED);
		s_unreported = (told.round == DRAWING && told.figure != 0);
		if
		:: told.taken < s_last -> skip
		:: told.taken >= s_last && !s_looked -> asked = METER
		:: told.taken >= s_last && s_looked && told.round == DRAWING && told.figure == 0 -> skip
		:: else ->
			if
			:: want == ARM ->
				if
				:: s_offer && (s_state == U_ARMED || s_pressed) -> skip
				:: else -> asked = ARM
				fi
			:: want == SHOW ->
				if
				:: s_offer && s_state == U_SPINNING -> skip
				:: s_offer && s_state == U_SHOWING ->
					if
					:: s_figure == told.figure || s_told -> skip
					:: else -> asked = BLANK
					fi
				:: else -> asked = SHOW; asked_figure = told.figure
				fi
			:: else ->
				if
				:: s_state == U_ARMED -> asked = DISARM
				:: s_state == U_SHOWING -> asked = BLANK
				:: else -> skip
				fi
			fi
		fi
	:: else -> skip
	fi
}

inline draw_once() {
	if
	:: !drawn && now.figure == 0 -> draws++; now.figure = draws; drawn = 1; waiting = 1
	:: else -> skip
	fi
}

/* Draw if a stored press still waits for it (Drawing.attend). */
inline attend_draw() {
	if
	:: told.round == DRAWING && told.figure == 0 -> draw_once()
	:: else -> skip
	fi
}

inline unit_stored(number) {
	if
	:: up && l_session == u_session && u_stored < number -> u_stored = number
	:: else -> skip
	fi
}

/* The entries that were submitted become durable. */
inline store_entries() {
	if
	:: now.figure != 0 && now.figure != disk.figure ->
		assert(stored_draws == 0);			/* no second draw for an offer */
		stored_draws++
	:: else -> skip
	fi;
	if
	:: now.round == PAYING && disk.round != PAYING ->
		assert(seen == now.figure)			/* what is paid was shown */
	:: else -> skip
	fi;
	assert(now.round != DRAWING || now.figure != 0);	/* a press is stored with its draw */
	copy(disk, now);
	waiting = 0; covered = 0;
	if
	:: alive && l_no > 0 -> last_session = l_session; last_no = l_no
	:: else -> skip
	fi
}

/* A commit: the entries and the row that signs the last of them, in one transaction. */
inline store() {
	store_entries();
	covered = 1
}

/* What of a commit is durable that was cut off before its end. */
#ifdef ROW_BEHIND
#define WRITTEN store_entries()
#else
#define WRITTEN skip
#endif

/* What follows from a commit. */
inline publish() {
	copy(told, now);
	known = up;
	unit_stored(l_no);
	attend_draw();
	attend()
}

#ifdef EFFECTS_EARLY
#define SUBMITTED waiting = 1; publish(); publish()
#else
#define SUBMITTED waiting = 1
#endif

inline press_counts() {
	if
	:: now.round == ARMED -> now.round = DRAWING; draw_once()	/* Drawing.accompany */
	:: else -> skip
	fi
}

inline shown_counts(reads) {
	if
	:: now.figure != 0 ->
#if !defined(DRAW_AGAIN) && !defined(EFFECTS_EARLY)
		assert(reads == now.figure);		/* the meter shows nothing else */
#endif
		if
		:: now.round == DRAWING && reads == now.figure -> now.round = PAYING
		:: reads != now.figure -> now.held = 1		/* the supervisor looks at it */
		:: else -> skip
		fi
	:: else -> skip
	fi
}

inline link_down() {
	up = 0; known = 0; asked = 0; asked_figure = 0; acted = 0;
	a_state = 0; a_figure = 0; a_offer = 0; a_pressed = 0
}

inline process_ends() {
	link_down();
	copy(now, disk); copy(told, disk);
	alive = 0; waiting = 0; drawn = 0; l_session = 0; l_no = 0;
	s_looked = 0; s_state = 0; s_figure = 0; s_last = 0; s_want = 0; s_resumed = 0;
	s_offer = 0; s_pressed = 0; s_offered = 0; s_unreported = 0; s_told = 0
}

inline link_breaks() {
	if
	:: up -> link_down(); SUBMITTED
	:: else -> skip
	fi
}

/* ---- who acts ---- */

active proctype Player() {
	do
	:: d_step { u_state == U_ARMED && GO(PRESS) ->
		u_state = U_IDLE; u_pressed = 1;
		emit(PRESSED, 0);
		DID(PRESS) }
	od
}

active proctype Meter() {
	do
	:: d_step { u_state == U_SPINNING && GO(SPUN) ->
		u_state = U_SHOWING;
		assert(seen == 0 || seen == u_figure);		/* no meter shows two figures for an offer */
		seen = u_figure;
		emit(SHOWN, u_figure);
		DID(SPUN) }
	od
}

active proctype Events() {
	do
	:: d_step { up && l_no < u_last && GO(EVENT_COMES) ->
		l_no++;
		now.taken = l_no;
		if
		:: s_looked && u_type[l_no] == PRESSED ->
			if
			:: s_want == ARM -> s_state = U_IDLE; s_offer = 1; s_pressed = 1; s_figure = 0
			:: else -> s_looked = 0
			fi
		:: s_looked && u_type[l_no] == SHOWN ->
			if
			:: s_want == SHOW -> s_state = U_SHOWING; s_offer = 1; s_pressed = 1; s_figure = u_said[l_no]
			:: else -> s_looked = 0
			fi
		:: else -> skip
		fi;
		if
		:: u_type[l_no] == PRESSED -> press_counts()
		:: u_type[l_no] == SHOWN -> shown_counts(u_said[l_no])
		:: else -> skip
		fi;
		SUBMITTED;
		DID(EVENT_COMES) }
	od
}

/* With a defect the unit may have to refuse a command; what follows then is not modelled. */
#if defined(DRAW_AGAIN) || defined(EFFECTS_EARLY)
#define REFUSES ((asked == SHOW && u_shown != 0 && u_shown != asked_figure) || \
	(asked == ARM && u_state != U_ARMED && (u_pressed || u_shown != 0)) || \
	(asked == BLANK && u_state == U_SPINNING))
#else
#define REFUSES false
#endif
active proctype Unit() {
	do
	:: d_step { asked != 0 && !acted && !REFUSES && GO(UNIT_ACTS) -> obey(); DID(UNIT_ACTS) }
	od
}

active proctype Answers() {
	do
	:: d_step { acted && GO(ANSWER_COMES) ->
		at = asked; asked = 0; acted = 0; want = asked_figure; asked_figure = 0; submits = 0;
		if
		:: at == METER ->
			s_looked = 1; s_state = a_state; s_offer = a_offer; s_figure = a_figure;
			s_pressed = a_pressed;
			if
			:: a_pressed && s_offered -> press_counts(); submits = 1
			:: else -> skip
			fi;
			if
			:: s_want == SHOW && a_state == U_SHOWING && a_figure == told.figure && s_unreported ->
				shown_counts(a_figure); submits = 1
			:: else -> skip
			fi
		:: at == ARM ->
			if
			:: s_looked && s_offer && s_pressed -> skip
			:: else -> s_looked = 1; s_state = U_ARMED; s_offer = 1; s_figure = 0; s_pressed = 0
			fi
		:: at == SHOW ->
			s_told = (s_want == SHOW);
			if
			:: s_looked && s_offer && s_pressed && s_state == U_SHOWING -> skip
			:: else ->
				s_looked = 1; s_state = U_SPINNING; s_offer = 1; s_figure = want; s_pressed = 1
			fi
		:: else -> s_looked = 1; s_state = U_IDLE; s_offer = 0; s_figure = 0; s_pressed = 0
		fi;
		a_state = 0; a_figure = 0; a_offer = 0; a_pressed = 0;
		attend();
		if
		:: submits -> SUBMITTED
		:: else -> skip
		fi;
		DID(ANSWER_COMES) }
	od
}

active proctype Committer() {
	do
	:: d_step { alive && waiting && GO(COMMIT) ->
		store();
#ifndef EFFECTS_EARLY
		publish();
#endif
		DID(COMMIT) }
	od
}

active proctype Link() {
	do
	:: d_step { alive && !up && GO(JOIN) ->
		up = 1;
		if
		:: last_session == u_session && u_stored < last_no -> u_stored = last_no
		:: else -> skip
		fi;
		if
		:: l_session != u_session || l_no < u_stored ->
			l_session = u_session; l_no = u_stored;
			now.held = 1			/* its events may be lost: the supervisor decides */
		:: else -> skip
		fi;
		now.taken = l_no;
		s_last = u_last; s_looked = 0; s_told = 0;
		SUBMITTED;
		DID(JOIN) }
	od
}

#ifndef NEVER_RESUME
active proctype Supervisor() {
	do
	:: d_step { alive && now.held && GO(RESUME) ->
		now.held = 0; now.resumed++;
		SUBMITTED;
		DID(RESUME) }
	od
}
#endif

active proctype Starts() {
	do
	:: d_step { !alive && GO(START) ->
		assert(covered);			/* no entry is there that no signature covers */
		alive = 1;
		copy(now, disk);
#ifdef DRAW_AGAIN
		now.figure = 0;
		now.round = (now.round == PAYING -> DRAWING : now.round);
#endif
		if
		:: new_boot -> now.held = 1; new_boot = 0
		:: else -> skip
		fi;
		l_session = last_session; l_no = last_no;
		disk.held = now.held; disk.round = now.round;	/* the start record is durable, */
		covered = 1;					/* and signed */
		copy(told, now);
		attend_draw();
#ifdef EFFECTS_EARLY
		publish();
#endif
		DID(START) }
	od
}

/* The unit has not heard of the controller for two seconds. */
active proctype Abandoned() {
	do
	:: d_step { !up && u_state == U_ARMED && GO(ABANDONED) -> disarm(); DID(ABANDONED) }
	od
}

active proctype Faults() {
	do
	:: d_step { MAY_FAIL && up && GO(BREAK) -> faults--; link_breaks(); DID(BREAK) }
	:: d_step { MAY_FAIL && GO(UNIT_RESTARTS) ->
		faults--; link_breaks(); unit_restarts();
		DID(UNIT_RESTARTS) }
	:: d_step { MAY_FAIL && GO(UNIT_FORGETS) ->
		faults--; link_breaks(); unit_restarts();
		do
		:: u_last > 0 -> u_type[u_last] = 0; u_said[u_last] = 0; u_last--
		:: else -> break
		od;
		u_session++; u_stored = 0;
		emit(COVER, 0);
		DID(UNIT_FORGETS) }
	:: d_step { MAY_FAIL && alive && GO(KILL) -> faults--; process_ends(); DID(KILL) }
	:: d_step { MAY_FAIL && alive && waiting && GO(KILL_BEHIND_COMMIT) ->
		faults--; store(); process_ends();
		DID(KILL_BEHIND_COMMIT) }
	:: d_step { MAY_FAIL && alive && waiting && GO(KILL_BEFORE_ROW) ->
		faults--; WRITTEN; process_ends();
		DID(KILL_BEFORE_ROW) }
	:: d_step { MAY_FAIL && alive && waiting && GO(KILL_BEFORE_COMMIT) ->
		faults--; WRITTEN; process_ends();
		DID(KILL_BEFORE_COMMIT) }
	:: d_step { MAY_FAIL && alive && GO(POWER_CUT) ->
		faults--; process_ends(); new_boot = 1;
		DID(POWER_CUT) }
	od
}

/* Paid, and there to be seen; nothing under way. */
#define SETTLED (alive && disk.round == PAYING && u_state == U_SHOWING && u_figure == disk.figure && \
	!waiting && !now.held && asked == 0)

#ifdef SCRIPT
init { d_step { read_script() } }
#elif defined(ENDS)
active proctype Rest() {
	do
	:: SETTLED -> skip	/* not stuck: done */
	od
}

/* Every run in which faults cease (there are FAULTS at most) comes to an end. */
ltl ends { <>[] SETTLED }
#else
active proctype Rest() {
	end: do
	:: SETTLED -> skip
	od
}
#endif
