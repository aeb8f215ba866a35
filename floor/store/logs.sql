-- The logs that are mirrored, how far, and their entries. A root has 32 bytes; whatever is of one
-- log stands behind the lock of its row in floor.log.

create schema floor;

-- The format of the whole schema: a program works with its own alone.
create table floor.format (number integer not null);

create table floor.log (
    id integer primary key generated always as identity,
    origin text not null unique,
    table_name text not null,
    begins bigint not null default 0,           -- the entries before were removed by age
    next_entry bigint not null default 0,       -- entries [begins, next_entry) are stored
    frontier bytea not null default '',         -- the hashes of the complete nodes above them
    pending_size bigint not null default 0,     -- the newest checkpoint that the mirror has taken
    pending_root bytea not null default sha256(''),
    mirror_size bigint not null default 0,      -- the newest one that it has cosigned
    witness_size bigint not null default 0,     -- the newest one that the witness has cosigned
    witness_root bytea not null default sha256(''),
    facts_upto bigint not null default 0,       -- facts are derived from the entries before
    compacted bigint not null default 0,        -- the blocks before are compacted
    stored_at timestamptz,                      -- when an entry was stored last
    -- While a block that was found altered is sent again, entries are stored up to its end, then on
    -- from where the log had been before.
    hole_end bigint,
    ahead_entry bigint,
    ahead_frontier bytea
) with (fillfactor = 50);

create table floor.checkpoint (
    log integer not null references floor.log,
    role text not null check (role in ('pending', 'mirror', 'witness')),
    size bigint not null,
    root bytea not null,
    text text not null,                         -- with the log's signature, and our cosignature
    taken_at timestamptz not null default now(),
    primary key (log, role, size)
);

-- Up to 256 entries of one block [256 n, 256 n + 256) and one gaming day: their lines, each with its
-- end, by gzip. Partitions are made when a first bundle comes.
create table floor.bundle (
    log integer not null,
    day date not null,
    first bigint not null,
    entries smallint not null,
    lines bytea not null,
    primary key (log, first, day)
) partition by range (day);

alter table floor.bundle alter column lines set storage external;  -- it is compressed already

-- Whose clock was far off.
create table floor.bundle_undated partition of floor.bundle
    for values from ('9999-12-31') to (maxvalue);

-- On which days the entries of a log are, that no other partition is looked at.
create table floor.span (
    log integer not null references floor.log,
    day date not null,
    first bigint not null,
    until bigint not null,
    primary key (log, day)
);

-- The node of the tree above each complete block, by which an altered one is found.
create table floor.block (
    log integer not null references floor.log,
    number bigint not null,
    hash bytea not null,
    primary key (log, number)
);

-- What was found altered, as it was found.
create table floor.altered (
    log integer not null references floor.log,
    day date not null,
    first bigint not null,
    entries smallint not null,
    lines bytea not null,
    found_at timestamptz not null default now()
);

-- What was refused and shows that a log forked or went back.
create table floor.refusal (
    log integer not null references floor.log,
    role text not null,
    status smallint not null,
    digest bytea not null,                      -- of the text
    words text not null,
    text text not null,
    times bigint not null default 1,
    first_at timestamptz not null default now(),
    last_at timestamptz not null default now(),
    primary key (log, status, digest)
);

create view floor.watermarks as
    select table_name, origin, begins, next_entry, pending_size, mirror_size, witness_size, stored_at
    from floor.log;

create view floor.refusals as
    select table_name, origin, role, status, words, text, times, first_at, last_at
    from floor.refusal join floor.log on log.id = refusal.log;
