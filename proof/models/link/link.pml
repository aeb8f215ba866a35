/*
 * Table Link as a model: a controller that can be killed, a device that can restart and forget, and a
 * line that loses, doubles, delays and is cut (docs/models.md says what is left out).
 *
 * Every step is one call of the real sessions (proof/models/link/link_bench.py makes it), so a run of the model
 * can be played on the code and back. A payload that is damaged is one that is lost.
 *
 * Time is only an order. A timer runs out when what it waits for is not under way (not a fault), or
 * at any moment (a fault: the line was slow, or lost all of it).
 *
 * Bounds, given with -D:
 *   EVENTS     events that the device makes       SESSIONS  numberings that the device may begin
 *   COMMANDS   commands with an effect            ROOM      payloads under way in each direction; what
 *   SENT       transmissions of a command                   is sent beyond that is lost
 *   WINDOW     events in flight                   FAULTS    faults in all; not given: any number
 *
 * Defects to be found, given with -D too: see DEFECTS in proof/models/link/defects.py.
 *
 * Claims:
 * - no event is forgotten by the device that the journal has not: none is lost
 * - none is taken twice, nor out of order
 * - what a device forgot is never forgotten in silence: a new session is reported and stored before an
 *   event of it
 * - no command is acted on twice; what is answered was done
 * - nothing is ever stuck
 * - every run in which faults cease comes to an end: all that was made is stored and acknowledged, and
 *   stays so
 */

#ifndef EVENTS
#define EVENTS 2
#endif
#ifndef SESSIONS
#define SESSIONS 2
#endif
#ifndef COMMANDS
#define COMMANDS 1
#endif
#ifndef ROOM
#define ROOM 2
#endif
#ifndef SENT
#define SENT 2
#endif
#ifndef WINDOW
#define WINDOW 2
#endif

/* Command ids are names that are only compared: a new one is any that nobody remembers. */
#define IDS (2 * ROOM + 2)

/* Types of payloads. A NAK is a NAK 6; other refusals mean nothing here. */
#define HELLO 1
#define PING 2
#define COMMAND 3
#define EVENT_ACK 4
#define EVENT 5
#define NAK 6

/* Steps, as proof/models/link/steps.py names them. */
#define MAKE 1
#define DEVICE_TAKES 2
#define DEVICE_TAKES_TWICE 3
#define DEVICE_REPEATS 4
#define DEVICE_GIVES_UP 5
#define DEVICE_RESTARTS 6
#define DEVICE_FORGETS 7
#define CONTROLLER_TAKES 8
#define CONTROLLER_TAKES_TWICE 9
#define COMMIT 10
#define ACKNOWLEDGE 11
#define CONTROLLER_WAITED 12
#define CONTROLLER_PINGS 13
#define CONTROLLER_COMMANDS 14
#define KILL 15
#define START 16
#define START_SEEN 17
#define CUT 18
#define PLUG 19
#define PLUG_SEEN 20
#define LOSE_OUTWARD 21
#define LOSE_INWARD 22
#define CEASE 23

/* Phases of the controller. The line is cut while it is CLOSED. */
#define DEAD 0
#define CLOSED 1
#define GREETING 2
#define UP 3

chan outward = [ROOM] of { byte, byte, byte, byte }		/* type, id, session or command, number */
chan inward = [ROOM] of { byte, byte, byte, byte, byte };	/* type, id, three fields */

/* The device. Of its session, event number n is the event which[n]; `held` are not acknowledged. */
bool greeted;
bool listening;			/* the two seconds after which the controller counts as gone run */
byte session = 1;
byte last, held, flight;
byte which[EVENTS + 1];
byte answered_id;		/* the command answered last: 0 none */
byte answered_type;

#ifdef SAME_SESSION
byte forgot;
#define MAY_FORGET (forgot < SESSIONS - 1)
#else
#define MAY_FORGET (session < SESSIONS)
#endif

/* The controller's process. */
byte phase;
byte s_session, s_covered, s_received;		/* its stream of events */
byte s_stored, s_stored_no;			/* what HELLO carries */
byte being_stored[SESSIONS + 1];
byte asked, asked_id, asked_a, asked_b, again;	/* the request that is outstanding */
bool repeated;					/* it was sent more than once */
chan pending = [EVENTS + SESSIONS] of { byte, byte, byte };	/* session, number (0: a new session), event */
chan durable = [EVENTS + 1] of { byte, byte };	/* committed, and not yet acknowledged */

/* The journal: the last event stored, and the last new session reported. */
byte j_session, j_no, j_reported;

/* What really happened, to be judged. */
byte made, commanded;
bool taken[EVENTS + 1];		/* the journal has it */
bool gone[EVENTS + 1];		/* the device forgot it before it was acknowledged */
byte acted[COMMANDS + 1];
byte last_taken;
byte owed;			/* events made, neither in the journal nor forgotten */

bool ceased;			/* no fault from here on */
#ifdef FAULTS
byte faults = FAULTS;
#define MAY_FAIL (!ceased && faults > 0)
#define FAIL faults--
#else
#define MAY_FAIL (!ceased)
#define FAIL skip
#endif

/* Whole runs are written down step by step, and with SCRIPT only the steps of script.h are taken. */
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

#define TOLD(step, a, b, c, d, e) \
	NEXT; \
	printf("STEP %d %d %d %d %d %d\n", step, a, b, c, d, e); \
	printf("STATE %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d\n", \
		phase, s_session, s_covered, s_received, s_stored, s_stored_no, asked, again, \
		greeted, listening, session, last, held, flight, \
		len(outward), len(inward), len(pending), len(durable), j_session, j_no)
#define DID(step) TOLD(step, 0, 0, 0, 0, 0)

/* Names of step: payload taken, loop counters. They mean nothing between two steps. */
hidden byte m_type, m_id, m_a, m_b, m_c, at, due, agreed, beyond;

inline to_device(type, id, a, b) {
	if
	:: phase != CLOSED && len(outward) < ROOM -> outward!type, id, a, b
	:: else -> skip
	fi
}

inline to_controller(type, id, a, b, c) {
	if
	:: phase != CLOSED && len(inward) < ROOM -> inward!type, id, a, b, c
	:: else -> skip
	fi
}

/* ---- the device ---- */

inline send_events() {
	due = (held < WINDOW -> held : WINDOW);
	do
	:: greeted && flight < due ->
		to_controller(EVENT, 0, last - held + 1 + flight, which[last - held + 1 + flight], 0);
		flight++
	:: else -> break
	od
}

/* An acknowledgement, or what HELLO calls stored: nothing is forgotten that the journal has not. */
inline drop_through(number) {
	if
	:: held > 0 && last - held + 1 <= number && number <= last ->
		do
		:: held > 0 && last - held + 1 <= number ->
			assert(taken[which[last - held + 1]]);	/* no event is lost */
			held--;
			flight = (flight > 0 -> flight - 1 : 0)
		:: else -> break
		od
	:: else -> skip
	fi
}

inline fall_silent() {
	greeted = 0; flight = 0; answered_id = 0
}

inline device_receives() {
	if
	:: m_type == EVENT_ACK ->
		if
#ifdef ANY_SESSION
		:: greeted ->
#else
		:: greeted && m_a == session ->
#endif
			drop_through(m_b);
			send_events()
		:: else -> skip
		fi
	:: m_type == HELLO ->
		answered_id = 0;
		if
		:: m_a == session -> drop_through(m_b)
		:: else -> skip
		fi;
		at = (held > 0 -> last - held + 1 : 0);
		to_controller(HELLO, m_id, session, at, last);
		greeted = 1; listening = 1; flight = 0;
		send_events()
	:: else ->
		if
		:: !greeted -> to_controller(NAK, m_id, m_type, 0, 0)
#ifndef ACT_AGAIN
		:: greeted && answered_id == m_id -> to_controller(answered_type, m_id, m_a, 0, 0)
		:: greeted && answered_id != m_id ->
#else
		:: greeted ->
#endif
			answered_id = m_id; answered_type = m_type;
			if
			:: m_type == COMMAND ->
				assert(acted[m_a] == 0);	/* none is acted on twice */
				acted[m_a]++
			:: else -> skip
			fi;
			to_controller(m_type, m_id, m_a, 0, 0)
		fi
	fi
}

/* ---- the controller ---- */

inline begin(type, a, b, transmissions) {
	asked_id = 1;
	do
	:: asked_id < IDS && (outward??[_, eval(asked_id), _, _] || inward??[_, eval(asked_id), _, _, _] ||
			answered_id == asked_id) -> asked_id++
	:: else -> break
	od;
	asked = type; asked_a = a; asked_b = b; again = transmissions - 1; repeated = 0;
	to_device(type, asked_id, a, b)
}

inline hello(transmissions) {
#ifdef HELLO_SAYS_RECEIVED
	begin(HELLO, s_session, s_received, transmissions)
#else
	begin(HELLO, s_stored, s_stored_no, transmissions)
#endif
}

inline forget_request() {
	asked = 0; asked_id = 0; asked_a = 0; asked_b = 0; again = 0; repeated = 0
}

inline go_down(transmissions) {
	phase = GREETING;
	forget_request();
	hello(transmissions)
}

/* Whether an answer to HELLO goes on with what is known here. */
inline agrees() {
	if
	:: m_a != s_session || m_c < s_received -> agreed = 0
	:: else -> agreed = (m_b == 0 -> m_c <= s_covered : m_b <= s_covered + 1)
	fi
}

inline controller_greeted() {
	agrees();
	if
	:: !agreed ->
		if
		:: s_received > s_covered -> being_stored[s_session] = s_received
		:: else -> skip
		fi;
		at = (m_b == 0 -> m_c : m_b - 1);
		if
		:: m_a == s_session -> s_stored = m_a; s_stored_no = at
		:: else -> skip
		fi;
		if
		:: s_session != 0 -> pending!m_a, 0, 0		/* a new session: the supervisor hears of it */
		:: else -> skip
		fi;
		s_session = m_a; s_covered = at; s_received = at
	:: else -> skip
	fi;
	phase = UP
}

/* Everything up to that event is on stable storage. */
inline acknowledge(whose, number) {
	beyond = (being_stored[whose] != 0);
	if
	:: beyond && number >= being_stored[whose] -> being_stored[whose] = 0
	:: else -> skip
	fi;
	if
	:: whose != s_session ->
		if
		:: s_stored != s_session -> s_stored = whose; s_stored_no = number
		:: else -> skip
		fi
	:: else ->
		if
		:: !beyond && s_covered < number && number <= s_received ->
			s_covered = number; s_stored = whose; s_stored_no = number;
			if
			:: phase == UP -> to_device(EVENT_ACK, 0, s_session, s_covered)
			:: else -> skip
			fi
		:: else -> skip
		fi
	fi
}

inline controller_receives() {
	if
	:: phase == CLOSED -> skip
	:: phase != CLOSED && m_type == EVENT ->
		if
#ifdef EAGER
		:: s_session != 0 ->
#else
		:: phase == UP ->
#endif
			if
			:: m_a <= s_covered -> to_device(EVENT_ACK, 0, s_session, s_covered)
			:: m_a > s_covered && being_stored[s_session] == 0 && m_a == s_received + 1 ->
				s_received = m_a;
				pending!s_session, m_a, m_b;
#ifdef ACKNOWLEDGE_EARLY
				acknowledge(s_session, m_a)
#endif
			:: else -> skip
			fi
		:: else -> skip
		fi
	:: phase != CLOSED && m_type == NAK ->
		if
		:: asked != 0 && m_id == asked_id && m_a == asked -> go_down(SENT)
		:: else -> skip
		fi
	:: else ->
		if
		:: asked != 0 && m_id == asked_id && m_type == asked ->
			if
			:: asked == COMMAND ->
				assert(acted[asked_a] == 1)	/* what is answered was done */
			:: else -> skip
			fi;
			if
#ifndef ANY_HELLO_COUNTS
			:: m_type == HELLO && repeated -> hello(1)
			:: m_type == HELLO && !repeated ->
#else
			:: m_type == HELLO ->
#endif
				forget_request();
				controller_greeted()
			:: m_type != HELLO -> forget_request()
			fi
		:: else ->
#ifndef FIRST_HELLO_COUNTS
			if
			:: m_type == HELLO && phase == UP ->
				agrees();
				if
				:: !agreed -> go_down(SENT)
				:: else -> skip
				fi
			:: else -> skip
			fi
#else
			skip
#endif
		fi
	fi
}

inline lose_process() {
	do
	:: len(pending) > 0 -> pending?_, _, _
	:: else -> break
	od;
	do
	:: len(durable) > 0 -> durable?_, _
	:: else -> break
	od;
	at = 0;
	do
	:: at <= SESSIONS -> being_stored[at] = 0; at++
	:: else -> break
	od;
	forget_request();
	s_session = 0; s_covered = 0; s_received = 0; s_stored = 0; s_stored_no = 0
}

inline start_process() {
#ifdef FORGET_SESSION
	s_stored = 0; s_stored_no = 0;
#else
	s_stored = j_session; s_stored_no = j_no;
#endif
	s_session = s_stored; s_covered = s_stored_no; s_received = s_covered;
	phase = GREETING;
	hello(SENT)
}

/* ---- who acts: one process each, so that each gets its turn (weak fairness) ---- */

active proctype Person() {
	do
	:: d_step { made < EVENTS && last < EVENTS && GO(MAKE) ->
		made++; owed++; last++; held++;
		which[last] = made;
		send_events();
		DID(MAKE) }
	od
}

active proctype Device() {
	do
	:: d_step { len(outward) > 0 && GO(DEVICE_TAKES) ->
		outward?m_type, m_id, m_a, m_b;
		device_receives();
		TOLD(DEVICE_TAKES, m_type, m_id, m_a, m_b, 0) }
	od
}

#ifndef NEVER_REPEAT
/* The 200 ms of events in flight: none of them and no acknowledgement is under way. */
active proctype Repeating() {
	do
	:: d_step { flight > 0 && GO(DEVICE_REPEATS) &&
			(MAY_FAIL || !(inward??[EVENT, _, _, _, _] || outward??[EVENT_ACK, _, _, _])) ->
		if
		:: inward??[EVENT, _, _, _, _] || outward??[EVENT_ACK, _, _, _] -> FAIL
		:: else -> skip
		fi;
		at = 0;
		do
		:: at < flight ->
			to_controller(EVENT, 0, last - held + 1 + at, which[last - held + 1 + at], 0);
			at++
		:: else -> break
		od;
		DID(DEVICE_REPEATS) }
	od
}
#endif

active proctype GivingUp() {
	do
	:: d_step { listening && GO(DEVICE_GIVES_UP) &&
			(MAY_FAIL || (phase <= CLOSED && len(outward) == 0)) ->
		if
		:: !(phase <= CLOSED && len(outward) == 0) -> FAIL
		:: else -> skip
		fi;
		listening = 0;
		fall_silent();
		DID(DEVICE_GIVES_UP) }
	od
}

active proctype Controller() {
	do
	:: d_step { phase != DEAD && len(inward) > 0 && GO(CONTROLLER_TAKES) ->
		inward?m_type, m_id, m_a, m_b, m_c;
		controller_receives();
		TOLD(CONTROLLER_TAKES, m_type, m_id, m_a, m_b, m_c) }
	od
}

/* No answer in time: neither request nor answer is under way. */
#define UNDER_WAY (outward??[_, eval(asked_id), _, _] || inward??[_, eval(asked_id), _, _, _])
active proctype Waiting() {
	do
	:: d_step { asked != 0 && GO(CONTROLLER_WAITED) && (MAY_FAIL || !UNDER_WAY) ->
		if
		:: UNDER_WAY -> FAIL
		:: else -> skip
		fi;
		if
		:: again > 0 -> again--; repeated = 1; to_device(asked, asked_id, asked_a, asked_b)
		:: else -> go_down(1)
		fi;
		DID(CONTROLLER_WAITED) }
	od
}

active proctype Pinging() {
	do
	:: d_step { phase == UP && asked == 0 && GO(CONTROLLER_PINGS) ->
		begin(PING, 0, 0, SENT);
		DID(CONTROLLER_PINGS) }
	od
}

active proctype Commanding() {
	do
	:: d_step { phase == UP && asked == 0 && commanded < COMMANDS && GO(CONTROLLER_COMMANDS) ->
		commanded++;
		begin(COMMAND, commanded, 0, SENT);
		DID(CONTROLLER_COMMANDS) }
	od
}

active proctype Committing() {
	do
	:: d_step { len(pending) > 0 && GO(COMMIT) ->
		pending?m_a, m_b, m_c;
		if
		:: m_b == 0 -> j_reported = m_a
		:: else ->
			assert(!taken[m_c]);		/* none is taken twice */
			assert(m_c > last_taken);	/* nor out of order */
			/* What a device forgot is never forgotten in silence. */
			assert(j_session == 0 || m_a == j_session || m_a == j_reported);
			taken[m_c] = 1; last_taken = m_c;
			if
			:: !gone[m_c] && owed > 0 -> owed--
			:: else -> skip
			fi;
			j_session = m_a; j_no = m_b;
#ifndef ACKNOWLEDGE_EARLY
			durable!m_a, m_b
#endif
		fi;
		DID(COMMIT) }
	od
}

active proctype Acknowledging() {
	do
	:: d_step { len(durable) > 0 && GO(ACKNOWLEDGE) ->
		durable?m_a, m_b;
		acknowledge(m_a, m_b);
		DID(ACKNOWLEDGE) }
	od
}

active proctype Starting() {
	do
	:: d_step { phase == DEAD && GO(START) -> start_process(); DID(START) }
	:: d_step { phase == DEAD && GO(START_SEEN) -> fall_silent(); start_process(); DID(START_SEEN) }
	od
}

active proctype Plugging() {
	do
	:: d_step { phase == CLOSED && GO(PLUG) -> phase = GREETING; hello(SENT); DID(PLUG) }
	:: d_step { phase == CLOSED && GO(PLUG_SEEN) ->
		phase = GREETING; fall_silent(); hello(SENT);
		DID(PLUG_SEEN) }
	od
}

active proctype Faults() {
	do
	:: d_step { MAY_FAIL && len(outward) > 0 && GO(LOSE_OUTWARD) ->
		FAIL; outward?_, _, _, _; DID(LOSE_OUTWARD) }
	:: d_step { MAY_FAIL && len(inward) > 0 && GO(LOSE_INWARD) ->
		FAIL; inward?_, _, _, _, _; DID(LOSE_INWARD) }
	:: d_step { MAY_FAIL && len(outward) > 0 && GO(DEVICE_TAKES_TWICE) ->
		FAIL; outward?m_type, m_id, m_a, m_b; device_receives(); device_receives();
		TOLD(DEVICE_TAKES_TWICE, m_type, m_id, m_a, m_b, 0) }
	:: d_step { MAY_FAIL && phase != DEAD && len(inward) > 0 && GO(CONTROLLER_TAKES_TWICE) ->
		FAIL; inward?<m_type, m_id, m_a, m_b, m_c>; controller_receives();
		inward?_, _, _, _, _; controller_receives();	/* its id was in use until here */
		TOLD(CONTROLLER_TAKES_TWICE, m_type, m_id, m_a, m_b, m_c) }
	:: d_step { MAY_FAIL && phase >= GREETING && GO(CUT) ->
		FAIL;
		do
		:: len(outward) > 0 -> outward?_, _, _, _
		:: else -> break
		od;
		do
		:: len(inward) > 0 -> inward?_, _, _, _, _
		:: else -> break
		od;
		forget_request();
		phase = CLOSED;
		DID(CUT) }
	:: d_step { MAY_FAIL && phase != DEAD && GO(KILL) ->
		FAIL; lose_process(); phase = DEAD; DID(KILL) }
	:: d_step { MAY_FAIL && GO(DEVICE_RESTARTS) ->
		FAIL; fall_silent(); listening = 0; DID(DEVICE_RESTARTS) }
	:: d_step { MAY_FAIL && MAY_FORGET && GO(DEVICE_FORGETS) ->
		FAIL;
		do
		:: held > 0 ->
			at = which[last - held + 1];
			if
			:: !taken[at] && !gone[at] -> gone[at] = 1; owed--
			:: else -> skip
			fi;
			held--
		:: else -> break
		od;
		do
		:: last > 0 -> which[last] = 0; last--
		:: else -> break
		od;
#ifdef SAME_SESSION
		forgot++;
#else
		session++;
#endif
		fall_silent(); listening = 0;
		DID(DEVICE_FORGETS) }
	od
}

#ifdef SCRIPT
init { d_step { read_script() } }
#endif

#ifdef ENDS
active proctype Ceasing() {
	d_step { GO(CEASE) -> ceased = 1; DID(CEASE) }
}

#define SETTLED (phase == UP && greeted && session == s_session && held == 0 && owed == 0 \
	&& made == EVENTS && len(pending) == 0 && len(durable) == 0)

/* Every run in which faults cease comes to an end: all that was made is stored and acknowledged. */
ltl ends { <>[] SETTLED }
#endif
