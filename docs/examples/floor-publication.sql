-- At the floor's database, as its owner: everything that is derived, as it comes. wal_level must be
-- 'logical' there. Days come as partitions, and are published as what they are parts of.
create publication floor_facts for tables in schema floor_facts, table floor.log
    with (publish_via_partition_root = true);
