-- Facts, derived from the stored entries (floor/facts) and made anew from them at any time. Who
-- wants to ask reads the views (views.sql).
--
-- Entries are named by their numbers in the journal; money is in cents, null where amounts are not
-- entered. day and shift are the gaming day and the shift as in the table's own shift report.

create schema floor_facts;

-- How far a log is, from which snapshot to go on, and what has to be known there besides.
create table floor_facts.progress (
    log integer primary key references floor.log,
    segment bigint not null default 0,
    carried text not null default '',
    halted text not null default '',            -- why nothing is derived from it any more
    seq bigint not null default 0,              -- the table as that entry has left it
    wall timestamptz,
    day date,
    shift integer not null default 0,
    round integer not null default 0,
    state text not null default '',
    reason text not null default '',
    shown jsonb                                 -- what the page reads of the table as it is now
) with (fillfactor = 50);

-- Up to which entry a log tells what an older log of the same table does, too: the table signs with
-- another key. What was counted from snapshot segment on is told of the newer one.
create table floor_facts.shared (
    log integer primary key references floor.log,
    elder integer not null references floor.log,
    upto bigint not null,
    segment bigint not null
);

create table floor_facts.terms (
    id integer primary key generated always as identity,
    document text not null,
    rules text not null,
    weights text not null,
    engine text not null,
    unique (document, rules, weights, engine)
);

create table floor_facts.round (
    first bigint not null,
    last bigint not null,
    opened timestamptz,
    ended timestamptz,
    staked bigint not null,
    squares bigint not null,
    log integer not null,
    day date not null,
    number integer not null,
    shift integer not null,
    terms integer not null,
    outcome text not null,
    primary key (log, number, day)
) partition by range (day);

create table floor_facts.settlement (
    stake bigint,
    net bigint,
    log integer not null,
    day date not null,
    round integer not null,
    n smallint not null,
    box smallint not null,
    hand smallint not null,
    bettor text not null,
    kind text not null,
    outcome text not null,
    odds text,
    clause text not null,
    primary key (log, round, n, day)            -- whoever subscribes is told what goes, too
) partition by range (day);

create table floor_facts.draw (
    seq bigint not null,
    wall timestamptz,
    log integer not null,
    day date not null,
    shift integer not null,
    round integer not null,
    offer integer not null,
    multiplier integer not null,
    terms integer not null,
    box smallint,
    primary key (log, seq, day)
) partition by range (day);

-- Days that no clock that is right tells have no partition of their own.
create table floor_facts.round_other partition of floor_facts.round default;
create table floor_facts.settlement_other partition of floor_facts.settlement default;
create table floor_facts.draw_other partition of floor_facts.draw default;

create table floor_facts.shift (
    log integer not null references floor.log,
    seq bigint not null,
    wall timestamptz,
    day date not null,
    number integer not null,
    by text not null,
    primary key (log, seq)
);

create table floor_facts.hold (
    log integer not null references floor.log,
    seq bigint not null,
    n smallint not null,
    wall timestamptz,
    day date not null,
    shift integer not null,
    fault text not null,
    device text not null,
    reason text not null,
    until bigint,
    ended timestamptz,
    by text not null,
    why text not null,
    primary key (log, seq, n)
);

create table floor_facts.act (
    log integer not null references floor.log,
    seq bigint not null,
    n smallint not null,
    wall timestamptz,
    day date not null,
    shift integer not null,
    round integer not null,
    what text not null,
    by text not null,
    said text not null,
    why text not null,
    primary key (log, seq, n)
);

create table floor_facts.link (
    log integer not null references floor.log,
    seq bigint not null,
    wall timestamptz,
    day date not null,
    shift integer not null,
    device text not null,
    kind text not null,
    up boolean not null,
    serial text not null,
    firmware text not null,
    reason text not null,
    primary key (log, seq)
);

create table floor_facts.start (
    log integer not null references floor.log,
    seq bigint not null,
    wall timestamptz,
    day date not null,
    shift integer not null,
    version text not null,
    engine text not null,
    program text not null,
    libraries text not null,
    configuration text not null,
    rules text not null,
    weights text not null,
    document text not null,
    readings text not null,
    primary key (log, seq)
);

create table floor_facts.odd (
    log integer not null references floor.log,
    seq bigint not null,
    n smallint not null,
    wall timestamptz,
    day date not null,
    shift integer not null,
    words text not null,
    primary key (log, seq, n)
);

-- What was counted from one snapshot to the next, in a day and a shift.
create table floor_facts.stretch (
    log integer not null references floor.log,
    segment bigint not null,
    day date not null,
    shift integer not null,
    ran_ns bigint not null,
    cards integer not null,
    shoes integer not null,
    primary key (log, segment, day, shift)
);

create table floor_facts.held (
    log integer not null references floor.log,
    segment bigint not null,
    day date not null,
    shift integer not null,
    fault text not null,
    count integer not null,
    ns bigint not null,
    primary key (log, segment, day, shift, fault)
);

create index on floor_facts.hold (log) where until is null;
create index on floor_facts.hold (day, log);
create index on floor_facts.act (day, log);
create index on floor_facts.act (log, seq) where what = 'readiness';
create index on floor_facts.stretch (day, log);
create index on floor_facts.stretch (shift, log);
create index on floor_facts.held (day, log);
create index on floor_facts.link (day, log);
create index on floor_facts.start (day, log);
create index on floor_facts.shift (number, log);
create index on floor_facts.round using brin (ended) with (pages_per_range = 32, autosummarize = on);
