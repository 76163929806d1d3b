-- schema: trac
-- about: A bug tracker with a wiki and a cache of the repository: keys that are unique constraints, no foreign keys.
-- origin: Trac 1.6 (BSD-3-Clause, Copyright Edgewall Software): tables and indexes of a new environment
-- superfluous: redundant-index ticket_change_ticket_idx

CREATE TABLE wiki (
  name text, version integer, time integer, author text, text text, comment text, readonly integer, UNIQUE (name,version));
CREATE INDEX wiki_time_idx ON wiki (time);
CREATE TABLE revision (repos integer, rev text, time integer, author text, message text, UNIQUE (repos,rev));
CREATE INDEX revision_repos_time_idx ON revision (repos,time);
CREATE TABLE node_change (
  id integer PRIMARY KEY, repos integer, rev text, path text, node_type text, change_type text, base_path text, base_rev text);
CREATE INDEX node_change_repos_rev_path_idx ON node_change (repos,rev,path);
CREATE INDEX node_change_repos_path_rev_idx ON node_change (repos,path,rev);
CREATE TABLE ticket (
  id integer PRIMARY KEY, type text, time integer, changetime integer, component text, severity text, priority text,
  owner text, reporter text, cc text, version text, milestone text, status text, resolution text, summary text,
  description text, keywords text);
CREATE INDEX ticket_time_idx ON ticket (time);
CREATE INDEX ticket_status_idx ON ticket (status);
CREATE TABLE ticket_change (
  ticket integer, time integer, author text, field text, oldvalue text, newvalue text, UNIQUE (ticket,time,field));
CREATE INDEX ticket_change_ticket_idx ON ticket_change (ticket);
CREATE INDEX ticket_change_time_idx ON ticket_change (time);
CREATE TABLE ticket_custom (ticket integer, name text, value text, UNIQUE (ticket,name));
CREATE TABLE enum (type text, name text, value text, description text, UNIQUE (type,name));
CREATE TABLE milestone (name text PRIMARY KEY, due integer, completed integer, description text);

INSERT INTO enum SELECT 'priority', 'p' || i, i, NULL FROM numbers WHERE i <= 5;
INSERT INTO milestone SELECT 'm' || i, 1000000 * (1100000000 + i * 9000000), iif(i < 38, 1000000 * (1100000000 + i * 9000000), 0), ''
FROM numbers WHERE i <= 40;
INSERT INTO ticket
SELECT i, CASE WHEN chance(1, i) < 0.6 THEN 'defect' ELSE 'enhancement' END, 1000000 * (1100000000 + i * 18000),
  1000000 * (1100000000 + i * 18000 + pick(2, i, 20000000)), 'component' || skewed(3, i, 25), NULL, 'p' || pick(4, i, 5),
  word(skewed(5, i, 120)), word(skewed(6, i, 3000)), iif(chance(7, i) < 0.7, '', word(pick(8, i, 3000)) || '@example.com'),
  '', iif(chance(9, i) < 0.3, NULL, 'm' || (1 + i / 520)),
  CASE WHEN chance(10, i) < 0.95 THEN 'closed' WHEN chance(11, i) < 0.6 THEN 'new' WHEN chance(11, i) < 0.9 THEN 'assigned'
    ELSE 'reopened' END,
  iif(chance(10, i) < 0.95, 'fixed', NULL), title(12, i, 7), prose(13, i, 200 + pick(14, i, 900)), ''
FROM numbers WHERE i <= 20000;
INSERT OR IGNORE INTO ticket_change
SELECT pick(15, i, 20000), 1000000 * (1100000000 + i * 6000), word(skewed(16, i, 800)),
  CASE WHEN chance(17, i) < 0.6 THEN 'comment' WHEN chance(17, i) < 0.8 THEN 'status' ELSE 'owner' END, '',
  prose(18, i, pick(19, i, 250))
FROM numbers WHERE i <= 60000;
INSERT INTO ticket_custom SELECT id, 'due_date', iif(chance(20, id) < 0.9, '', '2009-' || printf('%02d', pick(21, id, 12))) FROM ticket;
INSERT INTO ticket_custom SELECT id, 'customer', word(skewed(22, id, 2000)) FROM ticket;
INSERT INTO wiki SELECT 'Page' || (i / 4), 1 + i % 4, 1000000 * (1100000000 + i * 90000), word(skewed(23, i, 100)), prose(24, i, 2500), '', 0
FROM numbers WHERE i <= 4000;
INSERT INTO revision SELECT 1, printf('%010d', i), 1000000 * (1100000000 + i * 30000), word(skewed(25, i, 60)), prose(26, i, pick(27, i, 300))
FROM numbers WHERE i <= 12000;
INSERT INTO node_change
SELECT i, 1, printf('%010d', 1 + i / 5), 'trunk/' || word(skewed(28, i, 40)) || '/' || word(pick(29, i, 300)) || '.py', 'F',
  CASE WHEN chance(30, i) < 0.8 THEN 'E' ELSE 'A' END, NULL, printf('%010d', i / 5)
FROM numbers WHERE i <= 59990;

-- statement: trac-01
-- is: full-scan, partial-index
-- because: 5 % are open, and no index serves <>; the report of every installation, its literal is the tracker's own

SELECT p.value AS color, t.id, t.summary, t.component, t.version, t.milestone, t.type, t.owner, t.status FROM ticket t
LEFT JOIN enum p ON p.name = t.priority AND p.type = 'priority'
WHERE t.status <> 'closed' ORDER BY CAST(p.value AS integer), t.milestone, t.type, t.time

-- best
-- index: ticket (milestone) WHERE status <> 'closed'

-- or

SELECT p.value AS color, t.id, t.summary, t.component, t.version, t.milestone, t.type, t.owner, t.status FROM ticket t
LEFT JOIN enum p ON p.name = t.priority AND p.type = 'priority'
WHERE (t.status < 'closed' OR t.status > 'closed') ORDER BY CAST(p.value AS integer), t.milestone, t.type, t.time

-- statement: trac-02
-- is: full-scan, index-not-covering, sort-without-index
-- because: the index of states leads to the open tickets of everybody
-- run: 'bagru' | 'bana'

SELECT id, summary, status, changetime FROM ticket WHERE owner = ? AND status IN ('new', 'assigned', 'reopened')
ORDER BY changetime DESC LIMIT 50

-- best
-- index: ticket (owner, status)

-- or
-- index: ticket (owner)

-- statement: trac-03
-- fine
-- because: the unique index has this order
-- run: 777

SELECT time, author, field, oldvalue, newvalue FROM ticket_change WHERE ticket = ? ORDER BY time

-- statement: trac-04
-- fine
-- because: a week of the timeline by the index of time
-- run: 1300000000000000, 1300600000000000

SELECT t.id, tc.time, tc.author, t.type, t.summary, tc.field, tc.newvalue FROM ticket_change tc
JOIN ticket t ON t.id = tc.ticket WHERE tc.time >= ? AND tc.time <= ? ORDER BY tc.time

-- statement: trac-05
-- is: automatic-index, full-scan, index-not-covering
-- because: a custom query: from the value to the ticket
-- run: '2009-07'

SELECT t.id, t.summary, c.value FROM ticket t
LEFT OUTER JOIN ticket_custom c ON c.ticket = t.id AND c.name = 'due_date' WHERE c.value = ? ORDER BY t.id

-- best
-- index: ticket_custom (name, value)

-- or
-- index: ticket_custom (value, name)

-- or
-- index: ticket_custom (value)

-- statement: trac-06
-- is: full-scan, index-not-covering, pattern-without-index
-- because: after an equality an index serves the prefix; the paths differ in case nowhere, which only the app can promise
-- run: 1

SELECT n.rev, n.path, r.time FROM node_change n JOIN revision r ON r.repos = n.repos AND r.rev = n.rev
WHERE n.repos = ? AND n.path LIKE 'trunk/drilo/%' ORDER BY n.path

-- best

SELECT n.rev, n.path, r.time FROM node_change n JOIN revision r ON r.repos = n.repos AND r.rev = n.rev
WHERE n.repos = ? AND n.path GLOB 'trunk/drilo/*' ORDER BY n.path

-- statement: trac-07
-- is: full-scan, group-without-index, index-not-covering
-- because: the roadmap's bars: two short columns of rows with descriptions

SELECT milestone, status, count(id) FROM ticket GROUP BY milestone, status

-- best
-- index: ticket (milestone, status)

-- statement: trac-08
-- is: full-scan, group-without-index, index-not-covering
-- because: counted in order, without reading messages
-- run: 1

SELECT author, count(*) FROM revision WHERE repos = ? GROUP BY author ORDER BY 2 DESC LIMIT 10

-- best
-- index: revision (repos, author)

-- statement: trac-09
-- fine
-- because: the last entry of the unique index
-- run: 'Page77'

SELECT name, version, time, author FROM wiki WHERE name = ? ORDER BY version DESC LIMIT 1
