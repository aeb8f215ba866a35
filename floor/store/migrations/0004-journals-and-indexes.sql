-- Which logs are one journal: a table's numbers of rounds and shifts are those of its journal. A log
-- of another key goes on with an older one's journal where it has all of the older one's entries.

create view floor_facts.journals as
    with recursive goes_on as (
        select shared.log, elder from floor_facts.shared join floor.log on log.id = elder
        where upto >= next_entry
    ), found as (
        select id, origin as journal from floor.log where id not in (select log from goes_on)
        union all
        select goes_on.log, journal from found join goes_on on goes_on.elder = found.id
    )
    select table_name, origin, journal from found join floor.log using (id);

comment on view floor_facts.journals is 'of each log the journal that it is of, by the origin of the
    first of its logs: a table counts its rounds and shifts in a journal';

grant select on floor_facts.journals to floor_reader, floor_page;

-- What the page asks, over years.

create index on floor_facts.act (log, seq) where what = 'readiness';
create index on floor_facts.hold (day, log);
create index on floor_facts.link (day, log);
create index on floor_facts.start (day, log);
create index on floor_facts.shift (number, log);
create index on floor_facts.stretch (shift, log);
create index on floor_facts.round using brin (ended) with (pages_per_range = 32, autosummarize = on);

-- By the names, that whoever asks for one table's does not sort those of all.
create or replace view floor_facts.shifts as
    select table_name, origin, number, seq, wall as since, by,
        lead(wall) over (partition by table_name, origin order by seq) as until
    from floor_facts.shift join floor_facts.logs on logs.id = shift.log and seq > told_elsewhere;
