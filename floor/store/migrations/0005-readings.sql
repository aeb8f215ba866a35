-- The digest of the readings of a rule document, which a house signs; empty before they were told.

alter table floor_facts.start add column readings text not null default '';

create or replace view floor_facts.versions as
    select table_name, origin, seq, wall, day, shift, version, engine, program, libraries,
        configuration, rules, weights, document, readings
    from floor_facts.start join floor_facts.logs on logs.id = start.log and seq > told_elsewhere;
