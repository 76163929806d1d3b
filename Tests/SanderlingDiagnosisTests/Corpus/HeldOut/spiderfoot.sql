-- schema: spiderfoot
-- about: A scanner of what is public about a target: events that lead from one to another, by scan, and what it logged.
-- origin: SpiderFoot 4.0 (MIT, Copyright Steve Micallef): all its tables with their indexes, but for two foreign keys that refer to what \
--   isn't there or isn't unique
-- superfluous: redundant-index idx_scan_results_id

CREATE TABLE tbl_event_types (event VARCHAR NOT NULL PRIMARY KEY, event_descr VARCHAR NOT NULL, event_raw INT NOT NULL DEFAULT 0, \
event_type VARCHAR NOT NULL);
CREATE TABLE tbl_config (scope VARCHAR NOT NULL, opt VARCHAR NOT NULL, val VARCHAR NOT NULL, PRIMARY KEY (scope, opt));
CREATE TABLE tbl_scan_instance (
  guid VARCHAR NOT NULL PRIMARY KEY, name VARCHAR NOT NULL, seed_target VARCHAR NOT NULL, created INT DEFAULT 0, started INT DEFAULT 0, \
ended INT DEFAULT 0, status VARCHAR NOT NULL);
CREATE TABLE tbl_scan_log (scan_instance_id VARCHAR NOT NULL REFERENCES tbl_scan_instance(guid), generated INT NOT NULL, component \
VARCHAR, type VARCHAR NOT NULL, message VARCHAR);
CREATE TABLE tbl_scan_config (scan_instance_id VARCHAR NOT NULL REFERENCES tbl_scan_instance(guid), component VARCHAR NOT NULL, opt \
VARCHAR NOT NULL, val VARCHAR NOT NULL);
CREATE TABLE tbl_scan_results (
  scan_instance_id VARCHAR NOT NULL REFERENCES tbl_scan_instance(guid), hash VARCHAR NOT NULL, type VARCHAR NOT NULL REFERENCES \
tbl_event_types(event), generated INT NOT NULL, confidence INT NOT NULL DEFAULT 100,
  visibility INT NOT NULL DEFAULT 100, risk INT NOT NULL DEFAULT 0, module VARCHAR NOT NULL, data VARCHAR, false_positive INT NOT NULL \
DEFAULT 0, source_event_hash VARCHAR DEFAULT 'ROOT');
CREATE TABLE tbl_scan_correlation_results (
  id VARCHAR NOT NULL PRIMARY KEY, scan_instance_id VARCHAR NOT NULL, title VARCHAR NOT NULL, rule_risk VARCHAR NOT NULL, rule_id VARCHAR \
NOT NULL, rule_name VARCHAR NOT NULL, rule_descr VARCHAR NOT NULL, rule_logic VARCHAR NOT NULL);
CREATE TABLE tbl_scan_correlation_results_events (correlation_id VARCHAR NOT NULL REFERENCES tbl_scan_correlation_results(id), event_hash \
VARCHAR NOT NULL);
CREATE INDEX idx_scan_results_id ON tbl_scan_results (scan_instance_id);
CREATE INDEX idx_scan_results_type ON tbl_scan_results (scan_instance_id, type);
CREATE INDEX idx_scan_results_hash ON tbl_scan_results (scan_instance_id, hash);
CREATE INDEX idx_scan_results_module ON tbl_scan_results(scan_instance_id, module);
CREATE INDEX idx_scan_results_srchash ON tbl_scan_results (scan_instance_id, source_event_hash);
CREATE INDEX idx_scan_logs ON tbl_scan_log (scan_instance_id);
CREATE INDEX idx_scan_correlation ON tbl_scan_correlation_results (scan_instance_id, id);
CREATE INDEX idx_scan_correlation_events ON tbl_scan_correlation_results_events (correlation_id);

INSERT INTO tbl_event_types
SELECT value, upper(substr(value, 1, 1)) || lower(replace(substr(value, 2), '_', ' ')), value LIKE '%RAW%' OR value LIKE '%CONTENT', \
iif(value LIKE 'BLACKLISTED%' OR value LIKE 'MALICIOUS%', 'DESCRIPTOR', 'ENTITY')
FROM json_each('["LINKED_URL_INTERNAL","LINKED_URL_EXTERNAL","TARGET_WEB_CONTENT","HTTP_CODE","TARGET_WEB_CONTENT_TYPE",\
"WEBSERVER_HTTPHEADERS","CO_HOSTED_SITE","AFFILIATE_INTERNET_NAME","RAW_RIR_DATA","INTERNET_NAME","DOMAIN_NAME","IP_ADDRESS",\
"AFFILIATE_IPADDR","EMAILADDR","HUMAN_NAME","TCP_PORT_OPEN","TCP_PORT_OPEN_BANNER","DNS_TEXT","RAW_DNS_RECORDS","NETBLOCK_MEMBER",\
"BGP_AS_MEMBER","WEBSERVER_BANNER","URL_FORM","URL_STATIC","SSL_CERTIFICATE_RAW","SSL_CERTIFICATE_ISSUED","SIMILARDOMAIN","PHONE_NUMBER",\
"PUBLIC_CODE_REPO","BLACKLISTED_IPADDR","BLACKLISTED_INTERNET_NAME","BLACKLISTED_AFFILIATE_IPADDR","MALICIOUS_IPADDR","MALICIOUS_COHOST",\
"PASSWORD_COMPROMISED","BITCOIN_ADDRESS","GEOINFO","SOFTWARE_USED","INTERESTING_FILE","ROOT"]');
INSERT INTO tbl_config SELECT 'GLOBAL', 'sfp_' || word(i) || ':key', word(i * 3) FROM numbers WHERE i <= 500;
INSERT INTO tbl_scan_instance
SELECT printf('%08X', i * 104729), title(1, i, 2), word(i * 7) || '.example', 1690000000000 + i * 400000000, 1690000000000 + i * 400000000 \
+ 3000, iif(i = 57, 0, 1690000000000 + i * 400000000 + skewed(2, i, 90000000)), CASE WHEN i = 57 THEN 'RUNNING' WHEN chance(3, i) < 0.8 \
THEN 'FINISHED' ELSE 'ABORTED' END
FROM numbers WHERE i <= 60;
INSERT INTO tbl_scan_config SELECT printf('%08X', (1 + i % 60) * 104729), 'sfp_' || word(i % 90), word(i), word(skewed(4, i, 100)) FROM \
numbers WHERE i <= 9000;
INSERT INTO tbl_scan_results
SELECT printf('%08X', (1 + skewed(5, i / 400, 55)) * 104729), printf('%08x%056x', i * 2654435761 % 4294967296, i), t.event, 1690000000000 \
+ (1 + skewed(5, i / 400, 55)) * 400000000 + i % 400 * 1000 + i, iif(chance(6, i) < 0.9, 100, pick(7, i, 100)), 100,
  iif(chance(8, i) < 0.95, 0, pick(9, i, 100)), 'sfp_' || word(iif(t.rowid <= 6, iif(chance(11, i) < 0.997, 1, skewed(12, i, 90)), \
skewed(12, i, 90))),
  CASE WHEN t.event_raw = 1 THEN prose(13, i, 100 + skewed(14, i, 1500)) WHEN t.event IN ('IP_ADDRESS', 'AFFILIATE_IPADDR') THEN '198.51.' \
|| skewed(15, i, 90) || '.' || pick(16, i, 250) ELSE word(skewed(17, i, 20000)) || '.' || word(skewed(18, i, 30)) || '.example' END,
  chance(19, i) < 0.01, iif(i % 400 = 0, 'ROOT', printf('%08x%056x', (i - skewed(20, i, i % 400)) * 2654435761 % 4294967296, i - \
skewed(20, i, i % 400)))
FROM numbers JOIN tbl_event_types AS t ON t.rowid = iif(i % 400 = 0, 40, skewed(10, i, 39)) WHERE i BETWEEN 1 AND 80000;
INSERT INTO tbl_scan_log
SELECT printf('%08X', (1 + skewed(5, i / 400, 55)) * 104729), 1690000000000 + (1 + skewed(5, i / 400, 55)) * 400000000 + i % 400 * 900 + \
i, 'sfp_' || word(skewed(21, i, 90)), CASE WHEN chance(22, i) < 0.8 THEN 'INFO' WHEN chance(22, i) < 0.99 THEN 'DEBUG' WHEN chance(22, i) \
< 0.997 THEN 'ERROR' ELSE 'STATUS' END,
  prose(23, i, 20 + pick(24, i, 130)) FROM numbers WHERE i <= 50000;
INSERT INTO tbl_scan_correlation_results
SELECT printf('c%07x', i), printf('%08X', (1 + skewed(25, i, 55)) * 104729), title(26, i, 5), CASE WHEN chance(27, i) < 0.5 THEN 'INFO' \
WHEN chance(27, i) < 0.8 THEN 'LOW' WHEN chance(27, i) < 0.95 THEN 'MEDIUM' ELSE 'HIGH' END, word(skewed(28, i, 40)), word(skewed(28, i, \
40)), prose(29, i, 200), prose(30, i, 300)
FROM numbers WHERE i <= 900;
INSERT INTO tbl_scan_correlation_results_events SELECT printf('c%07x', skewed(31, i, 900)), printf('%08x%056x', pick(32, i, 80000) * \
2654435761 % 4294967296, pick(32, i, 80000)) FROM numbers WHERE i <= 9000;

-- statement: spiderfoot-01
-- is: distinct-without-index, full-scan, group-without-index, index-not-covering, join-fan-out, join-order, subquery-per-row
-- because: the list of scans with what each found: all results are joined one by one, and read again for the empty ones

SELECT i.guid, i.name, i.seed_target, ROUND(i.created/1000), ROUND(i.started) AS started, ROUND(i.ended), i.status, COUNT(r.type) FROM \
tbl_scan_instance i, tbl_scan_results r
WHERE i.guid = r.scan_instance_id AND r.type <> 'ROOT' GROUP BY i.guid
UNION ALL SELECT i.guid, i.name, i.seed_target, ROUND(i.created/1000), ROUND(i.started) AS started, ROUND(i.ended), i.status, '0' FROM \
tbl_scan_instance i
WHERE i.guid NOT IN ( SELECT distinct r.scan_instance_id FROM tbl_scan_results r WHERE r.type <> 'ROOT') ORDER BY started DESC

-- best

SELECT i.guid, i.name, i.seed_target, ROUND(i.created/1000), ROUND(i.started) AS started, ROUND(i.ended), i.status, n.n FROM
(SELECT r.scan_instance_id AS guid, COUNT(*) AS n FROM tbl_scan_results r WHERE r.type <> 'ROOT' GROUP BY r.scan_instance_id) AS n CROSS \
JOIN tbl_scan_instance i ON i.guid = n.guid
UNION ALL SELECT i.guid, i.name, i.seed_target, ROUND(i.created/1000), ROUND(i.started) AS started, ROUND(i.ended), i.status, '0' FROM \
tbl_scan_instance i
WHERE NOT EXISTS (SELECT 1 FROM tbl_scan_results r WHERE r.scan_instance_id = i.guid AND r.type <> 'ROOT') ORDER BY started DESC

-- or
-- change: CREATE TABLE corpus_count (scan_instance_id VARCHAR NOT NULL PRIMARY KEY, n INT NOT NULL)
-- change: INSERT INTO corpus_count SELECT scan_instance_id, count(*) FROM tbl_scan_results WHERE type <> 'ROOT' GROUP BY scan_instance_id
-- change: CREATE TRIGGER corpus_added AFTER INSERT ON tbl_scan_results WHEN new.type <> 'ROOT' BEGIN INSERT INTO corpus_count VALUES \
--   (new.scan_instance_id, 1) ON CONFLICT (scan_instance_id) DO UPDATE SET n = n + 1; END
-- change: CREATE TRIGGER corpus_removed AFTER DELETE ON tbl_scan_results WHEN old.type <> 'ROOT' BEGIN UPDATE corpus_count SET n = n - 1 \
--   WHERE scan_instance_id = old.scan_instance_id; END

SELECT i.guid, i.name, i.seed_target, ROUND(i.created/1000), ROUND(i.started) AS started, ROUND(i.ended), i.status, coalesce(nullif(c.n, \
0), '0') FROM tbl_scan_instance i
LEFT JOIN corpus_count AS c ON c.scan_instance_id = i.guid ORDER BY started DESC

-- statement: spiderfoot-02
-- is: index-not-covering, partial-index, sort-without-index
-- because: the errors of a scan, which are a few among much that it logged
-- run: '00033232' | '0004CB4B'

SELECT generated AS generated, component, message FROM tbl_scan_log WHERE scan_instance_id = ? AND type = 'ERROR' ORDER BY generated DESC LIMIT 20

-- best
-- index: tbl_scan_log (scan_instance_id, type, generated)

-- or
-- index: tbl_scan_log (scan_instance_id, generated) WHERE type = 'ERROR'

-- or
-- index: tbl_scan_log (scan_instance_id, type)

-- statement: spiderfoot-03
-- is: full-scan
-- because: where a name or an address was ever seen, in any scan
-- run: 'lolo.jeha.example' | '198.51.1.71'

SELECT scan_instance_id, type, generated, module FROM tbl_scan_results WHERE data = ? AND false_positive = 0

-- best
-- index: tbl_scan_results (data)

-- or
-- index: tbl_scan_results (data, false_positive)

-- statement: spiderfoot-04
-- is: full-scan, index-not-covering, join-order, sort-without-index
-- because: the latest rare finds of all scans: the indexes begin with the scan

SELECT r.data, r.module, r.generated, i.name FROM tbl_scan_results AS r JOIN tbl_scan_instance AS i ON i.guid = r.scan_instance_id WHERE \
r.type IN ('PASSWORD_COMPROMISED', 'BITCOIN_ADDRESS') ORDER BY r.generated DESC LIMIT 40

-- best
-- index: tbl_scan_results (type, generated)

-- or
-- index: tbl_scan_results (type)

-- or
-- index: tbl_scan_results (generated)

-- statement: spiderfoot-05
-- is: automatic-index, full-scan, subquery-per-row
-- because: what only this scan found: for each, the results of all others are read
-- run: '0007FD7D' | '00132D2C'

SELECT c.data, c.generated FROM tbl_scan_results AS c WHERE c.scan_instance_id = ? AND c.type = 'MALICIOUS_IPADDR'
AND NOT EXISTS (SELECT 1 FROM tbl_scan_results AS p WHERE p.data = c.data AND p.type = c.type AND p.scan_instance_id <> \
c.scan_instance_id) ORDER BY c.data, c.generated

-- best
-- index: tbl_scan_results (data, type, scan_instance_id)

-- or
-- index: tbl_scan_results (data)

-- or
-- index: tbl_scan_results (type, data)

-- statement: spiderfoot-06
-- is: full-scan, partial-index
-- because: old lines of the log go: all lines are read for a few
-- run: 1690800040000

DELETE FROM tbl_scan_log WHERE generated < ? AND type = 'DEBUG'

-- best
-- index: tbl_scan_log (type, generated)

-- or
-- index: tbl_scan_log (generated) WHERE type = 'DEBUG'

-- statement: spiderfoot-07
-- is: index-not-covering
-- because: what each module did in a large scan: each result is looked up for its time only
-- run: '00033232'

SELECT module, count(*) AS n, min(generated) AS first, max(generated) AS last FROM tbl_scan_results WHERE scan_instance_id = ? GROUP BY \
module ORDER BY n DESC

-- best
-- index: tbl_scan_results (scan_instance_id, module, generated)

-- statement: spiderfoot-08
-- is: case-insensitive-without-index, index-not-covering, pattern-without-index
-- because: a group of types by their prefix, of which LIKE makes no range
-- run: '00033232' | '0004CB4B'

SELECT hash, type, data, generated FROM tbl_scan_results WHERE scan_instance_id = ? AND type LIKE 'BLACKLISTED!_%' ESCAPE '!' ORDER BY type, generated

-- best

SELECT hash, type, data, generated FROM tbl_scan_results WHERE scan_instance_id = ? AND type GLOB 'BLACKLISTED_*' ORDER BY type, generated

-- or

SELECT hash, type, data, generated FROM tbl_scan_results WHERE scan_instance_id = ? AND type >= 'BLACKLISTED_' AND type < 'BLACKLISTED`' \
ORDER BY type, generated

-- statement: spiderfoot-09
-- is: subquery-per-row
-- because: what led to most: the children of each event are counted by themselves, though the index holds them together
-- run: '00033232'

SELECT r.hash, r.type, (SELECT count(*) FROM tbl_scan_results AS k WHERE k.scan_instance_id = r.scan_instance_id AND k.source_event_hash = \
r.hash) AS children
FROM tbl_scan_results AS r WHERE r.scan_instance_id = ? ORDER BY children DESC, r.hash LIMIT 10

-- best

SELECT r.hash, r.type, k.children FROM (SELECT source_event_hash AS hash, count(*) AS children FROM tbl_scan_results WHERE \
scan_instance_id = ?1 AND source_event_hash <> 'ROOT' GROUP BY source_event_hash
  ORDER BY children DESC, source_event_hash LIMIT 10) AS k CROSS JOIN tbl_scan_results AS r ON r.scan_instance_id = ?1 AND r.hash = k.hash \
ORDER BY k.children DESC, r.hash

-- statement: spiderfoot-10
-- is: harmful-index, index-not-covering, missing-statistics
-- because: what one module found of a type: the index of only one of both is used
-- run: '00033232', 'SIMILARDOMAIN', 'sfp_loce' | '0004CB4B', 'GEOINFO', 'sfp_loce'

SELECT hash, data, confidence FROM tbl_scan_results WHERE scan_instance_id = ? AND type = ? AND module = ? ORDER BY generated

-- best
-- index: tbl_scan_results (scan_instance_id, type, module, generated)

-- or
-- index: tbl_scan_results (scan_instance_id, module, type)

-- or

SELECT hash, data, confidence FROM tbl_scan_results WHERE scan_instance_id = ? AND type = ? AND +module = ? ORDER BY generated

-- statement: spiderfoot-11
-- is: automatic-index, full-scan, join-order
-- because: events by their hash alone: an index of all results is made for each run

SELECT i.name, c.title, c.rule_risk, count(*) AS events, max(r.generated) AS latest FROM tbl_scan_correlation_results AS c JOIN \
tbl_scan_instance AS i ON i.guid = c.scan_instance_id
JOIN tbl_scan_correlation_results_events AS e ON e.correlation_id = c.id JOIN tbl_scan_results AS r ON r.hash = e.event_hash WHERE \
c.rule_risk = 'HIGH' GROUP BY c.id ORDER BY latest DESC, c.id

-- best
-- index: tbl_scan_results (hash, generated)

-- or
-- index: tbl_scan_results (hash)

-- statement: spiderfoot-12
-- fine
-- tolerated: index-not-covering, sort-without-index
-- because: the results of a type with what they came from: each side by its index
-- run: '00033232', 'GEOINFO'

SELECT ROUND(c.generated) AS generated, c.data, s.data AS source_data, c.module, c.type, c.confidence, c.visibility, c.risk, c.hash, \
c.source_event_hash, t.event_descr, t.event_type, s.scan_instance_id, c.false_positive
FROM tbl_scan_results c, tbl_scan_results s, tbl_event_types t WHERE c.scan_instance_id = ? AND c.source_event_hash = s.hash AND \
s.scan_instance_id = c.scan_instance_id AND t.event = c.type AND c.type IN (?) ORDER BY c.data

-- statement: spiderfoot-13
-- fine
-- because: one result is marked, by index
-- run: 1, '00218F0D', '2b80c90800000000000000000000000000000000000000000000000000001388'

UPDATE tbl_scan_results SET false_positive = ? WHERE scan_instance_id = ? AND hash = ?

-- statement: spiderfoot-14
-- fine
-- tolerated: sort-without-index
-- because: how a result was reached, by index from one to the next
-- run: '00332320', '456ae37e00000000000000000000000000000000000000000000000000001cde'

WITH RECURSIVE up (source, type, data, level) AS (
  SELECT source_event_hash, type, data, 0 FROM tbl_scan_results WHERE scan_instance_id = ?1 AND hash = ?2
  UNION ALL SELECT r.source_event_hash, r.type, r.data, up.level + 1 FROM up JOIN tbl_scan_results AS r ON r.scan_instance_id = ?1 AND \
r.hash = up.source WHERE up.level < 50)
SELECT type, data FROM up ORDER BY level

-- statement: spiderfoot-15
-- fine
-- tolerated: index-not-covering, sort-without-index
-- because: the lines since the last look, by the index with its row numbers
-- run: '00033232', 49000

SELECT generated AS generated, component, type, message, rowid FROM tbl_scan_log WHERE scan_instance_id = ? AND rowid > ? ORDER BY generated DESC

-- statement: spiderfoot-16
-- fine
-- tolerated: full-scan, pattern-without-index
-- because: a phrase anywhere in the data of all scans: all has to be read
-- run: '%quigru ceshu%'

SELECT hash, type, data FROM tbl_scan_results WHERE data LIKE ? ORDER BY rowid LIMIT 200

-- statement: spiderfoot-17
-- fine
-- tolerated: sort-without-index, subquery-per-row
-- because: the correlations of a scan, some twenty, each counted by index
-- run: '00099696'

SELECT id, title, rule_id, rule_risk, rule_name, rule_descr, rule_logic, (SELECT count(*) FROM tbl_scan_correlation_results_events AS e \
WHERE e.correlation_id = c.id) AS event_count
FROM tbl_scan_correlation_results AS c WHERE scan_instance_id = ? ORDER BY title
