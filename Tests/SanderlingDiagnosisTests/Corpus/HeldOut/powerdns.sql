-- schema: powerdns
-- about: A server of names: zones with their records, each in one row; zones are compared without case, records aren't.
-- origin: PowerDNS Authoritative Server 4.x before catalog zones (GPL-2.0, Copyright PowerDNS.COM BV and its contributors): all tables of \
--   the schema of its gsqlite3 backend with their indexes; 01, 02, 03, 12 and 15 are its own statements, or close to them
-- superfluous: redundant-index rec_name_index
-- superfluous: redundant-index comments_domain_id_index

CREATE TABLE domains (
  id INTEGER PRIMARY KEY, name VARCHAR(253) NOT NULL COLLATE NOCASE, master VARCHAR(128) DEFAULT NULL, last_check INTEGER DEFAULT NULL, \
type VARCHAR(6) NOT NULL, notified_serial INTEGER DEFAULT NULL,
  account VARCHAR(40) DEFAULT NULL);
CREATE UNIQUE INDEX name_index ON domains(name);
CREATE TABLE records (
  id INTEGER PRIMARY KEY, domain_id INTEGER DEFAULT NULL, name VARCHAR(253) DEFAULT NULL, type VARCHAR(10) DEFAULT NULL, content \
VARCHAR(65535) DEFAULT NULL, ttl INTEGER DEFAULT NULL, prio INTEGER DEFAULT NULL,
  change_date INTEGER DEFAULT NULL, disabled BOOLEAN DEFAULT 0, ordername VARCHAR(255), auth BOOL DEFAULT 1, FOREIGN KEY(domain_id) \
REFERENCES domains(id) ON DELETE CASCADE ON UPDATE CASCADE);
CREATE INDEX rec_name_index ON records(name);
CREATE INDEX nametype_index ON records(name,type);
CREATE INDEX domain_id ON records(domain_id);
CREATE INDEX orderindex ON records(ordername);
CREATE TABLE supermasters (ip VARCHAR(64) NOT NULL, nameserver VARCHAR(255) NOT NULL COLLATE NOCASE, account VARCHAR(40) NOT NULL);
CREATE UNIQUE INDEX ip_nameserver_pk ON supermasters(ip, nameserver);
CREATE TABLE comments (
  id INTEGER PRIMARY KEY, domain_id INTEGER NOT NULL, name VARCHAR(253) NOT NULL, type VARCHAR(10) NOT NULL, modified_at INT NOT NULL, \
account VARCHAR(40) DEFAULT NULL, comment VARCHAR(65535) NOT NULL,
  FOREIGN KEY(domain_id) REFERENCES domains(id) ON DELETE CASCADE ON UPDATE CASCADE);
CREATE INDEX comments_domain_id_index ON comments (domain_id);
CREATE INDEX comments_nametype_index ON comments (name, type);
CREATE INDEX comments_order_idx ON comments (domain_id, modified_at);
CREATE TABLE domainmetadata (
  id INTEGER PRIMARY KEY, domain_id INT NOT NULL, kind VARCHAR(32) COLLATE NOCASE, content TEXT, FOREIGN KEY(domain_id) REFERENCES \
domains(id) ON DELETE CASCADE ON UPDATE CASCADE);
CREATE INDEX domainmetaidindex ON domainmetadata(domain_id);
CREATE TABLE cryptokeys (
  id INTEGER PRIMARY KEY, domain_id INT NOT NULL, flags INT NOT NULL, active BOOL, content TEXT, FOREIGN KEY(domain_id) REFERENCES \
domains(id) ON DELETE CASCADE ON UPDATE CASCADE);
CREATE INDEX domainidindex ON cryptokeys(domain_id);
CREATE TABLE tsigkeys (id INTEGER PRIMARY KEY, name VARCHAR(255) COLLATE NOCASE, algorithm VARCHAR(50) COLLATE NOCASE, secret VARCHAR(255));
CREATE UNIQUE INDEX namealgoindex ON tsigkeys(name, algorithm);

INSERT INTO domains
SELECT i, 'zone' || i || CASE i % 3 WHEN 0 THEN '.example.org' WHEN 1 THEN '.example.com' ELSE '.example.net' END, iif(chance(1, i) < \
0.25, '192.0.2.' || pick(2, i, 9), NULL),
  iif(chance(1, i) < 0.25, 1718000000 + iif(chance(3, i) < 0.03, 0, 86000 + pick(4, i, 3000)), NULL), iif(chance(1, i) < 0.25, 'SLAVE', \
iif(chance(5, i) < 0.3, 'MASTER', 'NATIVE')),
  iif(chance(5, i) < 0.3, 2024060100 + pick(6, i, 20), NULL), iif(chance(7, i) < 0.6, 'customer' || skewed(8, i, 900), NULL)
FROM numbers WHERE i <= 5000;
INSERT INTO records (domain_id, name, type, content, ttl, prio, ordername)
SELECT id, name, 'SOA', 'ns1.hoster.example hostmaster.hoster.example ' || (2024060100 + pick(9, id, 20)) || ' 10800 3600 604800 3600', \
3600, 0, iif(id <= 1500, '', NULL) FROM domains WHERE id % 97 <> 5;
INSERT INTO records (domain_id, name, type, content, ttl, prio, ordername)
SELECT d.id, d.name, 'NS', 'ns' || n.i || '.hoster.example', 86400, 0, iif(d.id <= 1500, '', NULL) FROM domains AS d JOIN numbers AS n ON n.i <= 2;
INSERT INTO records (domain_id, name, type, content, ttl, prio, disabled, ordername, auth)
SELECT d.id, iif(chance(11, n.i) < 0.1, d.name, 'h' || (n.i / 2) || '.' || d.name), CASE pick(12, n.i, 20) WHEN 1 THEN 'TXT' WHEN 2 THEN \
'TXT' WHEN 3 THEN 'MX' WHEN 4 THEN 'CNAME' WHEN 5 THEN 'SRV' WHEN 6 THEN 'AAAA' WHEN 7 THEN 'AAAA' WHEN 8 THEN 'AAAA' ELSE 'A' END,
  CASE pick(12, n.i, 20) WHEN 1 THEN '"' || prose(13, n.i, 60) || '"' WHEN 2 THEN '"v=spf1 include:_spf.hoster.example -all"' WHEN 3 THEN \
'mail' || pick(14, n.i, 40) || '.hoster.example' WHEN 4 THEN 'web' || pick(14, n.i, 3000) || '.hoster.example' WHEN 5 THEN '5 5060 sip' || \
pick(14, n.i, 90) || '.hoster.example'
    WHEN 6 THEN printf('2001:db8::%x', pick(15, n.i, 50000)) WHEN 7 THEN printf('2001:db8::%x', pick(15, n.i, 50000)) WHEN 8 THEN \
printf('2001:db8::%x', pick(15, n.i, 50000)) ELSE '198.51.' || pick(16, n.i, 100) || '.' || pick(17, n.i, 250) END,
  3600, iif(pick(12, n.i, 20) IN (3, 5), 10, 0), chance(18, n.i) < 0.01, iif(d.id <= 1500, 'h' || (n.i / 2), NULL), 1
FROM numbers AS n JOIN domains AS d ON d.id = skewed(10, n.i, 4900) WHERE n.i <= 95000;
INSERT INTO supermasters SELECT '192.0.2.' || i, 'ns' || i || '.partner.example', 'partner' || i FROM numbers WHERE i <= 9;
INSERT INTO comments SELECT i, skewed(20, i, 2000), 'h' || i || '.zone', 'A', 1600000000 + pick(21, i, 118000000), 'customer' || \
skewed(22, i, 900), prose(23, i, 20 + pick(24, i, 80)) FROM numbers WHERE i <= 12000;
INSERT INTO domainmetadata SELECT NULL, d.id, CASE n.i WHEN 1 THEN 'ALLOW-AXFR-FROM' WHEN 2 THEN 'SOA-EDIT-API' ELSE 'NSEC3PARAM' END, \
CASE n.i WHEN 1 THEN 'AUTO-NS' WHEN 2 THEN 'DEFAULT' ELSE '1 0 1 ab' END FROM domains AS d JOIN numbers AS n ON n.i <= iif(d.id <= 1500, \
3, 2);
INSERT INTO cryptokeys SELECT NULL, id, 257, 1, 'Private-key-format: v1.2 ' || prose(25, id, 160) FROM domains WHERE id <= 1500;
INSERT INTO tsigkeys SELECT i, 'transfer' || i, 'hmac-sha256', 'c2VjcmV0' || i FROM numbers WHERE i <= 12;

-- statement: powerdns-01
-- fine
-- tolerated: index-not-covering
-- because: the answer to nearly every question, by name and type
-- run: 'A', 'h20001.zone3.example.org' | 'SOA', 'zone1.example.com' | 'MX', 'zone4000.example.com'

SELECT content,ttl,prio,type,domain_id,disabled,name,auth FROM records WHERE disabled=0 and type=? and name=?

-- statement: powerdns-02
-- is: full-scan, harmful-index, index-not-covering, sort-without-index
-- because: the name before one that doesn't exist, for its denial: all records of a large zone are read
-- run: 'h30000', 1 | 'h12345', 2

select ordername, name from records where disabled=0 and ordername <= ? and domain_id=? and ordername is not null order by 1 desc limit 1

-- best
-- index: records (domain_id, ordername)

-- or
-- index: records (domain_id, ordername, name)

-- statement: powerdns-03
-- is: harmful-index, index-not-covering, missing-statistics
-- because: the records of a name: without statistics those of its whole zone are read
-- run: 1, 1, 'h20001.zone1.example.com' | 0, 2, 'h777.zone2.example.net'

update records set ordername=NULL,auth=? where domain_id=? and name=? and disabled=0

-- best
-- change: ANALYZE

-- or
-- index: records (domain_id, name)

-- or

update records set ordername=NULL,auth=? where +domain_id=? and name=? and disabled=0

-- statement: powerdns-04
-- is: full-scan
-- because: which names lead to an address
-- run: '198.51.7.77' | 'web1234.hoster.example'

SELECT name, type FROM records WHERE content = ? AND disabled = 0

-- best
-- index: records (content)

-- statement: powerdns-05
-- is: case-insensitive-without-index, expression-index, full-scan, function-on-column
-- because: a name as somebody typed it: all that is stored is in lower case already
-- run: 'H20001.Zone3.Example.ORG' | 'ZONE4000.example.com'

SELECT id, type, content FROM records WHERE lower(name) = lower(?)

-- best

SELECT id, type, content FROM records WHERE name = lower(?)

-- or
-- index: records (lower(name))

-- statement: powerdns-06
-- is: automatic-index, case-insensitive-without-index, full-scan, join-order
-- because: the serials of a customer's zones: the zone's name compares without case, and the index of records has case
-- run: 'customer5' | 'customer12'

SELECT d.name, d.type, r.content FROM domains AS d JOIN records AS r ON d.name = r.name AND r.type = 'SOA' WHERE d.account = ? ORDER BY d.name

-- best

SELECT d.name, d.type, r.content FROM domains AS d JOIN records AS r ON r.name = d.name AND r.type = 'SOA' WHERE d.account = ? ORDER BY d.name

-- or
-- index: records (type, name COLLATE NOCASE)

-- or
-- index: records (name COLLATE NOCASE, type)

-- statement: powerdns-07
-- is: full-scan, pattern-without-index
-- because: aliases of a group of web servers

SELECT name, type, content FROM records WHERE content LIKE 'web12%' ORDER BY name LIMIT 100

-- best
-- index: records (content COLLATE NOCASE)

-- statement: powerdns-08
-- is: group-without-index, index-not-covering
-- because: records that are there twice: all are sorted for it

SELECT name, type, content, count(*) AS n FROM records GROUP BY name, type, content HAVING count(*) > 1

-- best
-- index: records (name, type, content)

-- statement: powerdns-09
-- is: full-scan
-- because: zones without a start of authority

SELECT id, name FROM domains WHERE id NOT IN (SELECT domain_id FROM records WHERE type = 'SOA')

-- best
-- index: records (type, domain_id)

-- statement: powerdns-10
-- is: expression-index, full-scan, function-on-column
-- because: zones to be looked after: few are due
-- run: 1718086000

SELECT id, name, master FROM domains WHERE type = 'SLAVE' AND last_check + 3600 < ?

-- best
-- index: domains (type, last_check)

SELECT id, name, master FROM domains WHERE type = 'SLAVE' AND last_check < ? - 3600

-- or
-- index: domains (type, last_check + 3600)

-- statement: powerdns-11
-- is: sort-without-index
-- because: the newest comments of all zones

SELECT name, type, modified_at, account, comment FROM comments ORDER BY modified_at DESC LIMIT 25

-- best
-- index: comments (modified_at)

-- statement: powerdns-12
-- fine
-- tolerated: index-not-covering
-- because: a setting of a zone: three rows by its index
-- run: 'ZONE7.example.com', 'ALLOW-AXFR-FROM'

select content from domains, domainmetadata where domainmetadata.domain_id=domains.id and domains.name=? and domainmetadata.kind=?

-- statement: powerdns-13
-- fine
-- because: a zone goes with all that is its: each table that refers to it has an index
-- run: 4990 | 4995

DELETE FROM domains WHERE id = ?

-- statement: powerdns-14
-- fine
-- tolerated: index-not-covering
-- because: the newest comments of a zone by the index with the time
-- run: 1 | 40

SELECT name, type, modified_at, account, comment FROM comments WHERE domain_id=? ORDER BY modified_at DESC LIMIT 20

-- statement: powerdns-15
-- fine
-- tolerated: index-not-covering, sort-without-index
-- because: a transfer of a small zone: its few records are sorted
-- run: 0, 3000 | 1, 1200

SELECT content,ttl,prio,type,domain_id,disabled,name,auth,ordername FROM records WHERE (disabled=0 OR ?) and domain_id=? order by name, type

-- statement: powerdns-16
-- fine
-- because: a handful of keys

select name, algorithm, secret from tsigkeys order by name
