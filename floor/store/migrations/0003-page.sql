-- What the page reads: each table as it is now, and, in a role that reads only, the entries.

alter table floor_facts.progress add column shown jsonb;

create view floor_facts.live as
    select table_name, origin, seq, wall, shown
    from floor_facts.progress join floor.log on log.id = progress.log;

comment on view floor_facts.live is 'what is shown of each table as entry seq has left it (JSON:
    rules, state, held with fault, reason and next_step, conditions, links)';

grant select on floor_facts.live to floor_reader;

grant usage on schema floor, floor_facts to floor_page;
grant select on all tables in schema floor, floor_facts to floor_page;
alter default privileges in schema floor, floor_facts grant select on tables to floor_page;
