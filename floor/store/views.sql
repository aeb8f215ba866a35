-- What may be asked of the facts, and by whom. The columns of the views keep their meaning
-- (floor_facts.release).

create view floor_facts.release as select 1 as number;

-- Each log, and which of its entries are told of another one.
create view floor_facts.logs as
    select log.id, table_name, origin, next_entry, facts_upto,
        coalesce(shared.upto, 0) as told_elsewhere, coalesce(shared.segment, 0) as from_segment,
        younger.segment as left_to_younger
    from floor.log left join floor_facts.shared on shared.log = log.id
        left join floor_facts.shared as younger on younger.elder = log.id;

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

create view floor_facts.tables as
    select table_name, origin, next_entry, facts_upto, halted, seq, wall, day, shift, round, state,
        reason
    from floor_facts.logs left join floor_facts.progress on progress.log = logs.id;

create view floor_facts.live as
    select table_name, origin, seq, wall, shown
    from floor_facts.progress join floor.log on log.id = progress.log;

create view floor_facts.rounds as
    select table_name, origin, number, day, shift, opened, ended, nullif(outcome, '') as outcome,
        document, rules, weights, engine, staked, squares, first, last
    from floor_facts.round
        join floor_facts.logs on logs.id = round.log and last > told_elsewhere
        join floor_facts.terms on terms.id = round.terms;

create view floor_facts.settlements as
    select table_name, origin, settlement.round, settlement.day, shift, document, rules, n, box,
        bettor, hand, kind, stake, net, settlement.outcome, odds, clause
    from floor_facts.settlement
        join floor_facts.round on (round.log, round.number, round.day)
            = (settlement.log, settlement.round, settlement.day)
        join floor_facts.logs on logs.id = settlement.log and last > told_elsewhere
        join floor_facts.terms on terms.id = round.terms;

-- As the table's counters have it: the Super Bonus and its share are sums that are paid on another
-- wager, and a wager that was given back is in no other figure.
create view floor_facts.money as
    select table_name, origin, day, shift, document, rules, kind,
        count(*) filter (where settles) as wagers,
        count(*) filter (where settles and untold or not wagers and net is null) as untold,
        coalesce(sum(stake) filter (where settles and not untold), 0)::bigint as wagered,
        coalesce(sum(stake + net) filter (where settles and not untold), 0)::bigint
            + coalesce(sum(net) filter (where not wagers), 0)::bigint as paid,
        count(*) filter (where wagers and outcome = 'returned') as returned,
        coalesce(sum(stake) filter (where wagers and outcome = 'returned'), 0)::bigint
            as given_back
    from (select *, wagers and outcome <> 'returned' as settles,
            stake is null or net is null as untold
        from (select *, kind not in ('super_bonus', 'super_bonus_share') as wagers
            from floor_facts.settlements) as kinds) as told
    group by table_name, origin, day, shift, document, rules, kind;

create view floor_facts.draws as
    select table_name, origin, seq, wall, day, shift, round, box, offer, multiplier, document,
        rules, weights
    from floor_facts.draw join floor_facts.logs on logs.id = draw.log and seq > told_elsewhere
        join floor_facts.terms on terms.id = draw.terms;

-- By the names, that whoever asks for one table's does not sort those of all.
create view floor_facts.shifts as
    select table_name, origin, number, seq, wall as since, by,
        lead(wall) over (partition by table_name, origin order by seq) as until
    from floor_facts.shift join floor_facts.logs on logs.id = shift.log and seq > told_elsewhere;

create view floor_facts.holds as
    select table_name, origin, seq, wall as since, day, shift, fault, device, reason, until, ended,
        by, why
    from floor_facts.hold join floor_facts.logs on logs.id = hold.log and seq > told_elsewhere;

create view floor_facts.acts as
    select table_name, origin, seq, wall, day, shift, round, what, by, said, why
    from floor_facts.act join floor_facts.logs on logs.id = act.log and seq > told_elsewhere;

create view floor_facts.links as
    select table_name, origin, seq, wall, day, shift, device, kind, up, serial, firmware, reason
    from floor_facts.link join floor_facts.logs on logs.id = link.log and seq > told_elsewhere;

create view floor_facts.versions as
    select table_name, origin, seq, wall, day, shift, version, engine, program, libraries,
        configuration, rules, weights, document, readings
    from floor_facts.start join floor_facts.logs on logs.id = start.log and seq > told_elsewhere;

create view floor_facts.differences as
    select table_name, origin, seq, wall, day, shift, words
    from floor_facts.odd join floor_facts.logs on logs.id = odd.log and seq > told_elsewhere;

create view floor_facts.spans as
    select table_name, origin, day, shift, sum(ran_ns)::bigint as ran_ns,
        sum(cards)::bigint as cards, sum(shoes)::bigint as shoes
    from floor_facts.stretch join floor_facts.logs on logs.id = stretch.log
        and segment >= from_segment and segment is distinct from left_to_younger
    group by table_name, origin, day, shift;

create view floor_facts.held_times as
    select table_name, origin, day, shift, fault, sum(count)::bigint as count,
        sum(ns)::bigint as ns
    from floor_facts.held join floor_facts.logs on logs.id = held.log
        and segment >= from_segment and segment is distinct from left_to_younger
    group by table_name, origin, day, shift, fault;

comment on view floor_facts.release is 'the release of these views: it counts up when a column is
    given another meaning or taken away';
comment on view floor_facts.logs is 'each log (a key of a table), and up to which entry it tells what
    an older key of the same table does: the other views leave that out';
comment on view floor_facts.journals is 'of each log the journal that it is of, by the origin of the
    first of its logs: a table counts its rounds and shifts in a journal';
comment on view floor_facts.tables is 'each log, how far its facts are (facts_upto of next_entry
    entries; halted: why no further), and its table as entry seq has left it';
comment on view floor_facts.live is 'what is shown of each table as entry seq has left it (JSON:
    rules, state, held with fault, reason and next_step, conditions, links)';
comment on view floor_facts.rounds is 'rounds whose bets were closed; outcome is null while a round
    goes on; staked: main wagers before the deal that were played for; first opened it, last ended
    it';
comment on view floor_facts.settlements is 'the settlements of these rounds as they stand: what a
    correction or a void has changed is not here twice';
comment on view floor_facts.money is 'wagers as the counters of the table have them: wagered, paid
    (own stakes included), returned ones, and those without an amount (untold)';
comment on view floor_facts.draws is 'multipliers that were drawn; weights as 100=4 25=96';
comment on view floor_facts.shifts is 'shifts that supervisors have begun';
comment on view floor_facts.holds is 'holds of play; until is null while one stands';
comment on view floor_facts.acts is 'what people did, by name: void, void after draw, correction,
    second person, order, readiness, device tested, person';
comment on view floor_facts.links is 'devices whose links came or went';
comment on view floor_facts.versions is 'what each start of a controller runs: SHA-256 in hex';
comment on view floor_facts.differences is 'entries that play otherwise than the journal says';
comment on view floor_facts.spans is 'how long a controller ran (ns), cards and shoes';
comment on view floor_facts.held_times is 'how often a fault began to hold play, and how long (ns)
    while the controller ran';

-- Who reads the views reads nothing else of them; the page reads the entries, too.

grant usage on schema floor, floor_facts to floor_reader, floor_page;
grant select on floor.watermarks, floor.refusals to floor_reader;
grant select on floor_facts.release, floor_facts.logs, floor_facts.journals, floor_facts.tables,
    floor_facts.live, floor_facts.rounds, floor_facts.settlements, floor_facts.money,
    floor_facts.draws, floor_facts.shifts, floor_facts.holds, floor_facts.acts, floor_facts.links,
    floor_facts.versions, floor_facts.differences, floor_facts.spans, floor_facts.held_times
    to floor_reader;
grant select on all tables in schema floor, floor_facts to floor_page;
alter default privileges in schema floor, floor_facts grant select on tables to floor_page;
