-- schema: pihole
-- about: What a resolver was asked: numbers for names, an index for each column alone, and a view that puts names back.
-- origin: Pi-hole FTL, query database version 21 (EUPL-1.2, Copyright Pi-hole, LLC): five of its tables with their indexes and its view

CREATE TABLE query_storage (
  id INTEGER PRIMARY KEY AUTOINCREMENT, timestamp INTEGER NOT NULL, type INTEGER NOT NULL, status INTEGER NOT NULL,
  domain INTEGER NOT NULL, client INTEGER NOT NULL, forward INTEGER, additional_info INTEGER, reply_type INTEGER, reply_time REAL,
  dnssec INTEGER, list_id INTEGER, ede INTEGER);
CREATE TABLE domain_by_id (id INTEGER PRIMARY KEY, domain TEXT NOT NULL);
CREATE TABLE client_by_id (id INTEGER PRIMARY KEY, ip TEXT NOT NULL, name TEXT);
CREATE TABLE forward_by_id (id INTEGER PRIMARY KEY, forward TEXT NOT NULL);
CREATE TABLE addinfo_by_id (id INTEGER PRIMARY KEY, type INTEGER NOT NULL, content NOT NULL);
CREATE VIEW queries AS
  SELECT id, timestamp, type, status,
    CASE typeof(domain) WHEN 'integer' THEN (SELECT domain FROM domain_by_id d WHERE d.id = q.domain) ELSE domain END domain,
    CASE typeof(client) WHEN 'integer' THEN (SELECT ip FROM client_by_id c WHERE c.id = q.client) ELSE client END client,
    CASE typeof(forward) WHEN 'integer' THEN (SELECT forward FROM forward_by_id f WHERE f.id = q.forward) ELSE forward END forward,
    CASE typeof(additional_info) WHEN 'integer' THEN (SELECT content FROM addinfo_by_id a WHERE a.id = q.additional_info)
      ELSE additional_info END additional_info,
    reply_type, reply_time, dnssec, list_id FROM query_storage q;
CREATE INDEX idx_query_storage_timestamp ON query_storage (timestamp);
CREATE INDEX idx_query_storage_type ON query_storage (type);
CREATE INDEX idx_query_storage_status ON query_storage (status);
CREATE INDEX idx_query_storage_domain ON query_storage (domain);
CREATE INDEX idx_query_storage_client ON query_storage (client);
CREATE INDEX idx_query_storage_forward ON query_storage (forward);
CREATE INDEX idx_query_storage_additional_info ON query_storage (additional_info);
CREATE INDEX idx_query_storage_reply_type ON query_storage (reply_type);
CREATE INDEX idx_query_storage_reply_time ON query_storage (reply_time);
CREATE INDEX idx_query_storage_dnssec ON query_storage (dnssec);
CREATE INDEX idx_query_storage_list_id ON query_storage (list_id);
CREATE UNIQUE INDEX domain_by_id_domain_idx ON domain_by_id(domain);
CREATE UNIQUE INDEX client_by_id_client_idx ON client_by_id(ip, name);
CREATE UNIQUE INDEX forward_by_id_forward_idx ON forward_by_id(forward);
CREATE UNIQUE INDEX addinfo_by_id_idx ON addinfo_by_id(type, content);

INSERT INTO domain_by_id SELECT i, iif(i % 3 = 0, 'www.', '') || word(i) || '.' || word(pick(1, i, 60)) || '.com' FROM numbers WHERE i <= 7000;
INSERT INTO client_by_id SELECT i, '192.168.1.' || i, word(i) FROM numbers WHERE i <= 60;
INSERT INTO forward_by_id VALUES (1, '1.1.1.1#53'), (2, '9.9.9.9#53'), (3, '8.8.8.8#53');
INSERT INTO addinfo_by_id SELECT i, 2, i FROM numbers WHERE i <= 40;
INSERT INTO query_storage
SELECT i, 1700000000 + i * 7, iif(chance(2, i) < 0.6, 1, 2), CASE WHEN chance(3, i) < 0.2 THEN 1 WHEN chance(3, i) < 0.6 THEN 2 WHEN \
chance(3, i) < 0.99 THEN 3 ELSE 5 END,
  skewed(4, i, 7000), iif(i > 50000, skewed(5, i, 50), skewed(5, i, 60)), iif(chance(3, i) BETWEEN 0.2 AND 0.6, pick(6, i, 3), NULL), \
NULL, 4, chance(7, i), 0,
  iif(chance(3, i) < 0.2, skewed(8, i, 300), NULL), NULL
FROM numbers WHERE i <= 60000;

-- statement: pihole-01
-- is: full-scan, group-without-index, index-not-covering
-- because: what was blocked lately: each row is looked up for three small numbers
-- run: 1700390000

SELECT d.domain, count(*) AS times FROM query_storage q JOIN domain_by_id d ON d.id = q.domain
WHERE q.timestamp >= ? AND q.status IN (1, 5) GROUP BY q.domain ORDER BY times DESC LIMIT 10

-- best
-- index: query_storage (status, timestamp, domain)

-- or
-- index: query_storage (status, timestamp)

-- statement: pihole-02
-- is: expression-index, full-scan, function-on-column, subquery-per-row
-- because: the view looks up the name of every row to compare it
-- run: 'www.cledidi.lolo.com' | 'www.clefo.nona.com'

SELECT id, timestamp, client, status FROM queries WHERE domain = ? ORDER BY timestamp DESC LIMIT 20

-- best

SELECT id, timestamp, client, status FROM queries WHERE id IN (
  SELECT q.id FROM query_storage q WHERE q.domain = (SELECT d.id FROM domain_by_id d WHERE d.domain = ?1)
  UNION ALL SELECT q.id FROM query_storage q WHERE q.domain = ?1) ORDER BY timestamp DESC LIMIT 20

-- statement: pihole-03
-- fine
-- tolerated: group-without-index
-- because: a day in slots of ten minutes: rows that stand side by side, and most of the time is the counting
-- run: 1700300000, 1700386400

SELECT (timestamp / 600) * 600 AS slot, count(*) AS total, sum(status IN (1, 5)) AS blocked FROM query_storage
WHERE timestamp BETWEEN ? AND ? GROUP BY slot ORDER BY slot

-- statement: pihole-04
-- fine
-- because: all rows are counted, in an index of just that

SELECT client, count(*) FROM query_storage GROUP BY client ORDER BY 2 DESC LIMIT 10

-- statement: pihole-05
-- is: full-scan, index-not-covering, sort-without-index
-- because: what a device asked before: by its index all of it is sorted, by that of the time others are read
-- run: 3, 1700100000 | 2, 1700060000

SELECT id, timestamp, domain, status FROM query_storage WHERE client = ? AND timestamp <= ? ORDER BY timestamp DESC LIMIT 100

-- best
-- index: query_storage (client, timestamp)

-- statement: pihole-06
-- fine
-- because: 100 rows by the index of the time
-- run: 1700000700

DELETE FROM query_storage WHERE timestamp <= ?

-- statement: pihole-07
-- is: full-scan, index-not-covering
-- because: two fifths of all, looked up one by one for the time that the answer took

SELECT forward, count(*) AS n, avg(reply_time) AS mean FROM query_storage WHERE forward IS NOT NULL GROUP BY forward

-- best
-- index: query_storage (forward, reply_time)

-- statement: pihole-08
-- fine
-- because: each name is looked for in an index

SELECT id FROM domain_by_id WHERE NOT EXISTS (SELECT 1 FROM query_storage WHERE domain = domain_by_id.id)

-- statement: pihole-09
-- is: expression-index, full-scan, function-on-column
-- because: what a list blocked: no index for an expression
-- run: 250 | 77

SELECT id, timestamp, domain FROM query_storage WHERE ifnull(list_id, 0) = ?

-- best
-- index: query_storage (ifnull(list_id, 0))

-- statement: pihole-10
-- fine
-- because: seventeen keys

SELECT id, domain FROM domain_by_id WHERE id IN (5, 18, 77, 301, 302, 303, 512, 900, 1024, 1500, 2048, 3000, 3333, 4096, 5000, 6000, 6999)
