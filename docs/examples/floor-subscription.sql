-- At the other database, which has the same tables and views: 'table-floor init' makes them. What is
-- there already is copied first, then what comes is told within the second.
create subscription floor_facts
    connection 'host=floor.example dbname=floor user=subscriber'
    publication floor_facts;
