-- schema: ejabberd
-- about: A chat server: the archive of all messages, rosters, rooms and nodes that publish items, found by names of text.
-- origin: ejabberd after 26.07 (GPL-2.0-or-later, Copyright ProcessOne): sixteen of the tables of its SQLite schema with their indexes

CREATE TABLE users (
  username text, type smallint, password text NOT NULL, serverkey text NOT NULL DEFAULT '', salt text NOT NULL DEFAULT '', iterationcount \
integer NOT NULL DEFAULT 0,
  created_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP, primary key (username, type));
CREATE TABLE last (username text PRIMARY KEY, seconds text NOT NULL, state text NOT NULL);
CREATE TABLE rosterusers (
  username text NOT NULL, jid text NOT NULL, nick text NOT NULL, subscription character(1) NOT NULL, approved boolean NOT NULL, ask \
character(1) NOT NULL, askmessage text NOT NULL,
  server character(1) NOT NULL, subscribe text NOT NULL, type text, created_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP);
CREATE UNIQUE INDEX i_rosteru_user_jid ON rosterusers (username, jid);
CREATE INDEX i_rosteru_jid ON rosterusers (jid);
CREATE TABLE rostergroups (username text NOT NULL, jid text NOT NULL, grp text NOT NULL);
CREATE INDEX pk_rosterg_user_jid ON rostergroups (username, jid);
CREATE TABLE spool (username text NOT NULL, xml text NOT NULL, seq INTEGER PRIMARY KEY AUTOINCREMENT, created_at TIMESTAMP NOT NULL \
DEFAULT CURRENT_TIMESTAMP);
CREATE INDEX i_despool ON spool (username);
CREATE TABLE archive (
  username text NOT NULL, timestamp BIGINT UNSIGNED NOT NULL, peer text NOT NULL, bare_peer text NOT NULL, xml text NOT NULL, txt text, id \
INTEGER PRIMARY KEY AUTOINCREMENT, kind text, nick text, origin_id text,
  created_at timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP);
CREATE INDEX i_username_timestamp ON archive(username, timestamp);
CREATE INDEX i_archive_username_peer ON archive (username, peer);
CREATE INDEX i_archive_username_bare_peer ON archive (username, bare_peer);
CREATE INDEX i_timestamp ON archive(timestamp);
CREATE INDEX i_archive_username_origin_id ON archive (username, origin_id);
CREATE TABLE vcard_search (
  username text NOT NULL, lusername text PRIMARY KEY, fn text NOT NULL, lfn text NOT NULL, family text NOT NULL, lfamily text NOT NULL, \
given text NOT NULL, lgiven text NOT NULL, middle text NOT NULL,
  lmiddle text NOT NULL, nickname text NOT NULL, lnickname text NOT NULL, bday text NOT NULL, lbday text NOT NULL, ctry text NOT NULL, \
lctry text NOT NULL, locality text NOT NULL, llocality text NOT NULL,
  email text NOT NULL, lemail text NOT NULL, orgname text NOT NULL, lorgname text NOT NULL, orgunit text NOT NULL, lorgunit text NOT NULL);
CREATE INDEX i_vcard_search_lfn ON vcard_search(lfn);
CREATE INDEX i_vcard_search_lfamily ON vcard_search(lfamily);
CREATE INDEX i_vcard_search_lgiven ON vcard_search(lgiven);
CREATE INDEX i_vcard_search_lmiddle ON vcard_search(lmiddle);
CREATE INDEX i_vcard_search_lnickname ON vcard_search(lnickname);
CREATE INDEX i_vcard_search_lbday ON vcard_search(lbday);
CREATE INDEX i_vcard_search_lctry ON vcard_search(lctry);
CREATE INDEX i_vcard_search_llocality ON vcard_search(llocality);
CREATE INDEX i_vcard_search_lemail ON vcard_search(lemail);
CREATE INDEX i_vcard_search_lorgname ON vcard_search(lorgname);
CREATE INDEX i_vcard_search_lorgunit ON vcard_search(lorgunit);
CREATE TABLE privacy_list (username text NOT NULL, name text NOT NULL, id INTEGER PRIMARY KEY AUTOINCREMENT, created_at TIMESTAMP NOT NULL \
DEFAULT CURRENT_TIMESTAMP);
CREATE UNIQUE INDEX i_privacy_list_username_name ON privacy_list (username, name);
CREATE TABLE privacy_list_data (
  id bigint REFERENCES privacy_list(id) ON DELETE CASCADE, t character(1) NOT NULL, value text NOT NULL, action character(1) NOT NULL, ord \
NUMERIC NOT NULL, match_all boolean NOT NULL, match_iq boolean NOT NULL,
  match_message boolean NOT NULL, match_presence_in boolean NOT NULL, match_presence_out boolean NOT NULL);
CREATE TABLE pubsub_node (host text NOT NULL, node text NOT NULL, parent text NOT NULL DEFAULT '', plugin text NOT NULL, nodeid INTEGER \
PRIMARY KEY AUTOINCREMENT);
CREATE INDEX i_pubsub_node_parent ON pubsub_node (parent);
CREATE UNIQUE INDEX i_pubsub_node_tuple ON pubsub_node (host, node);
CREATE TABLE pubsub_node_option (nodeid bigint REFERENCES pubsub_node(nodeid) ON DELETE CASCADE, name text NOT NULL, val text NOT NULL);
CREATE INDEX i_pubsub_node_option_nodeid ON pubsub_node_option (nodeid);
CREATE TABLE pubsub_state (
  nodeid bigint REFERENCES pubsub_node(nodeid) ON DELETE CASCADE, jid text NOT NULL, affiliation character(1), subscriptions text NOT NULL \
DEFAULT '', stateid INTEGER PRIMARY KEY AUTOINCREMENT);
CREATE INDEX i_pubsub_state_jid ON pubsub_state (jid);
CREATE UNIQUE INDEX i_pubsub_state_tuple ON pubsub_state (nodeid, jid);
CREATE TABLE pubsub_item (
  nodeid bigint REFERENCES pubsub_node(nodeid) ON DELETE CASCADE, itemid text NOT NULL, publisher text NOT NULL, creation varchar(32) NOT \
NULL, modification varchar(32) NOT NULL, payload text NOT NULL DEFAULT '');
CREATE INDEX i_pubsub_item_itemid ON pubsub_item (itemid);
CREATE UNIQUE INDEX i_pubsub_item_tuple ON pubsub_item (nodeid, itemid);
CREATE TABLE muc_room (name text NOT NULL, host text NOT NULL, opts text NOT NULL, created_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP);
CREATE UNIQUE INDEX i_muc_room_name_host ON muc_room (name, host);
CREATE INDEX i_muc_room_host_created_at ON muc_room (host, created_at);
CREATE TABLE muc_room_subscribers (room text NOT NULL, host text NOT NULL, jid text NOT NULL, nick text NOT NULL, nodes text NOT NULL, \
created_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP);
CREATE INDEX i_muc_room_subscribers_host_jid ON muc_room_subscribers(host, jid);
CREATE INDEX i_muc_room_subscribers_jid ON muc_room_subscribers(jid);
CREATE UNIQUE INDEX i_muc_room_subscribers_host_room_jid ON muc_room_subscribers(host, room, jid);

INSERT INTO users SELECT word(i), 3, printf('%040x', i * 7919), printf('%028x', i * 31), printf('%024x', i * 17), 4096, \
datetime(1560000000 + i * 8000, 'unixepoch') FROM numbers WHERE i <= 20000;
INSERT INTO last
SELECT word(i), CAST(iif(chance(1, i) < 0.02, 1640000000, 1716000000) + pick(2, i, 4000000) AS TEXT), iif(chance(3, i) < 0.7, '', title(4, \
i, 2)) FROM numbers WHERE i <= 18500;
INSERT OR IGNORE INTO rosterusers
SELECT word(skewed(5, i, 19000)), word(skewed(6, i, 15000)) || iif(chance(7, i) < 0.85, '@example.org', '@' || word(90 + skewed(8, i, 40)) \
|| '.example'), iif(chance(9, i) < 0.4, title(10, i, 1), ''), iif(chance(11, i) < 0.85,
  'B', 'N'), 0,
  iif(chance(12, i) < 0.92, 'N', 'I'), '', 'N', '', 'item', datetime(1560000000 + i * 3000, 'unixepoch')
FROM numbers WHERE i <= 48000;
INSERT INTO rostergroups SELECT username, jid, iif(chance(13, rowid) < 0.6, 'Friends', title(14, rowid, 1)) FROM rosterusers WHERE \
chance(15, rowid) < 0.4;
INSERT INTO spool
SELECT word(skewed(16, i, 9000)), '<message type="chat" id="' || i || '"><body>' || prose(17, i, 80 + pick(18, i, 300)) || \
'</body></message>', i, datetime(1719900000 - (15000 - i) * 300, 'unixepoch') FROM numbers WHERE i <=
  15000;
INSERT INTO archive
SELECT CASE WHEN g THEN word(40 + room) || '@conference.example.org' ELSE word(owner) END, 1690000000000000 + i * 400000000 + pick(20, i, \
300000000), peer || iif(g, '/' || word(who), '/phone'), peer,
  '<message id="' || i || '" type="' || iif(g, 'groupchat', 'chat') || '"><body>' || prose(21, i, 30 + pick(22, i, 260)) || \
'</body></message>', prose(21, i, 30 + pick(22, i, 200)), i, iif(g, 'groupchat', 'chat'), iif(g,
    word(who), ''), printf('%08x-%04x', i * 7919, i), datetime(1690000000 + i * 400, 'unixepoch')
FROM (
  SELECT i, chance(23, i) < 0.25 AS g, skewed(24, i, 300) AS room, skewed(25, i, 3000) AS owner, skewed(26, i, 3000) AS who,
    CASE WHEN chance(23, i) < 0.25 THEN word(skewed(26, i, 3000)) || '@example.org' ELSE word(1 + (skewed(25, i, 3000) * 7 + skewed(27, i, \
60) * 131) % 19000) || '@example.org' END AS peer
  FROM (SELECT (a.i - 1) * 40000 + b.i AS i FROM numbers AS a JOIN numbers AS b WHERE a.i <= 2 AND b.i <= 40000));
INSERT INTO vcard_search
SELECT word(i), word(i), g || ' ' || f, lower(g || ' ' || f), f, lower(f), g, lower(g), '', '', '', '', '', '', c, lower(c), l, lower(l), \
word(i) || '@example.org', word(i) || '@example.org', '', '', '', ''
FROM (SELECT i, title(30, i, 1) AS g, title(31, i, 1) || substr(word(i * 3), 1, 4) AS f, title(32, i % 60, 1) AS c, title(33, i % 900, 2) \
AS l FROM numbers WHERE i <= 14000);
INSERT INTO privacy_list SELECT word(i), iif(i % 7 = 0, 'invisible', 'block'), i, datetime(1600000000 + i * 9000, 'unixepoch') FROM \
numbers WHERE i <= 5000;
INSERT INTO privacy_list_data
SELECT skewed(35, i, 2) * 2000 + pick(36, i, 1000), 'j', word(pick(37, i, 19000)) || '@example.org', 'd', i, 1, 0, 0, 0, 0 FROM numbers \
WHERE i <= 26000;
INSERT INTO pubsub_node
SELECT word(i / 4 + 1) || '@example.org', CASE i % 4 WHEN 0 THEN 'urn:xmpp:avatar:data' WHEN 1 THEN 'urn:xmpp:avatar:metadata' WHEN 2 THEN \
'eu.siacs.conversations.axolotl.devicelist' ELSE 'urn:xmpp:bookmarks:1' END, '', 'pep', i
FROM numbers WHERE i <= 16000;
INSERT INTO pubsub_node_option SELECT i / 3 + 1, CASE i % 3 WHEN 0 THEN 'access_model' WHEN 1 THEN 'max_items' ELSE 'send_last_published_item' END,
  CASE i % 3 WHEN 0 THEN iif(chance(38, i) < 0.7, 'presence', 'open') WHEN 1 THEN '1' ELSE iif(chance(39, i) < 0.95, \
'on_sub_and_presence', 'never') END FROM numbers WHERE i < 48000;
INSERT INTO pubsub_state SELECT i, word(i / 4 + 1) || '@example.org', 'o', '', i FROM numbers WHERE i <= 16000;
INSERT OR IGNORE INTO pubsub_state SELECT pick(40, i, 16000), word(skewed(41, i, 12000)) || '@example.org' || iif(chance(42, i) < 0.5, '/' \
|| word(pick(43, i, 20)), ''), 'n', 'subscribed:' || printf('%08X', i * 7919), 16000 + i
  FROM numbers WHERE i <= 9000;
INSERT INTO pubsub_item
SELECT iif(chance(44, i) < 0.3, 100 + pick(45, i, 4), 1 + i % 16000), iif(chance(46, i) < 0.2, 'current', printf('%08x', i * 7919)) || '-' \
|| i, word(pick(47, i, 5000)) || '@example.org', strftime('%Y-%m-%dT%H:%M:%f', 1690000000 +
  i * 900, 'unixepoch'),
  strftime('%Y-%m-%dT%H:%M:%f', 1690000000 + ((i * 7919) % 20011) * 1300 + i, 'unixepoch'), '<data>' || prose(48, i, 200 + pick(49, i, \
500)) || '</data>' FROM numbers WHERE i <= 20000;
INSERT INTO muc_room SELECT word(40 + i), 'conference.example.org', '[{title,<<"' || title(50, i, 3) || \
'">>},{persistent,true},{public,true}]', datetime(1600000000 + i * 90000, 'unixepoch') FROM numbers WHERE i <= 1300;
INSERT OR IGNORE INTO muc_room_subscribers
SELECT word(40 + skewed(51, i, 300)), 'conference.example.org', word(skewed(52, i, 9000)) || '@example.org', word(i), \
'[<<"urn:xmpp:mucsub:nodes:messages">>]', datetime(1600000000 + i * 5000, 'unixepoch') FROM numbers WHERE i <=
  16000;

-- statement: ejabberd-01
-- is: full-scan, index-not-covering, missing-statistics, sort-without-index
-- because: the last page of a talk with somebody: all that was said with them is sorted, though an index with the time could begin at the \
--   end
-- run: 'loce', 'tuqui@example.org' | 'loce', 'grugrudi@example.org' | 'vace', 'yothafoce@example.org'

SELECT timestamp, xml, peer, kind, nick FROM (SELECT timestamp, xml, peer, kind, nick FROM archive WHERE username = ? AND bare_peer = ?
ORDER BY timestamp DESC LIMIT 51) AS t ORDER BY timestamp ASC

-- best
-- index: archive (username, bare_peer, timestamp)

-- statement: ejabberd-02
-- is: full-scan, index-not-covering, partial-index
-- because: how much of a kind is too old: the kind of each old line is looked up in its row
-- run: 1712000000000000, 'groupchat'

SELECT count(*) FROM archive WHERE timestamp < ? AND kind = ?

-- best
-- index: archive (kind, timestamp)

-- or
-- index: archive (timestamp, kind)

-- statement: ejabberd-03
-- is: full-scan
-- because: what nobody fetched in a month: only the user has an index
-- run: '2024-06-08 12:00:00' | '2024-06-09 00:00:00'

DELETE FROM spool WHERE created_at < datetime(?, '-30 days')

-- best
-- index: spool (created_at)

-- statement: ejabberd-04
-- is: expression-index, full-scan, function-on-column, sort-without-index, type-mismatch
-- because: who hasn't been here for long: seconds are kept as text
-- run: 1645000000

SELECT username, state FROM last WHERE CAST(seconds AS INTEGER) < ? ORDER BY CAST(seconds AS INTEGER) LIMIT 100

-- best
-- index: last (CAST(seconds AS INTEGER))

-- statement: ejabberd-05
-- is: case-insensitive-without-index, full-scan, pattern-without-index
-- because: a search in the directory: the lower-case columns have indexes, but of a collation that LIKE can't use
-- run: 'bafo%', 'loce' | 'bacegu%', '%'

SELECT username, fn, family, given, ctry, locality, email FROM vcard_search WHERE lfamily LIKE ? AND lctry LIKE ?

-- best
-- index: vcard_search (lfamily COLLATE NOCASE)

-- or
-- index: vcard_search (lfamily COLLATE NOCASE, lctry COLLATE NOCASE)

-- statement: ejabberd-06
-- is: foreign-key-without-index, full-scan, sort-without-index
-- because: the rules of a list of privacy, in their order: all rules of all users are read
-- sampled
-- run: 'soritu', 'invisible' | 'guguxi', 'block'

SELECT t, value, action, ord, match_all, match_iq, match_message, match_presence_in, match_presence_out FROM privacy_list_data WHERE id = (SELECT id
FROM privacy_list WHERE username = ? AND name = ?) ORDER BY ord

-- best
-- index: privacy_list_data (id, ord)

-- or
-- index: privacy_list_data (id)

-- statement: ejabberd-07
-- is: case-insensitive-without-index, full-scan, join-fan-out, join-order, missing-statistics, or-without-index, pattern-without-index, \
--   subquery-per-row
-- because: what somebody has subscribed who comes online: of the two conditions on the address only one has an index
-- run: 'zuki@example.org', 'zuki@example.org/%', '%@example.org' | 'shuhaje@example.org', 'shuhaje@example.org/%', '%@example.org'

SELECT n.host, n.node, n.plugin, i.nodeid, i.jid, i.subscriptions FROM pubsub_state AS i, pubsub_node AS n, pubsub_node_option AS o
WHERE i.nodeid = n.nodeid AND n.nodeid = o.nodeid AND o.name = 'send_last_published_item' AND o.val = 'on_sub_and_presence' AND (i.jid = ?
OR i.jid LIKE ? ESCAPE '^') AND n.host LIKE ? ESCAPE '^'

-- best
-- index: pubsub_state (jid COLLATE NOCASE)

-- statement: ejabberd-08
-- is: index-not-covering, sort-without-index
-- because: the last items of a node with many: all are read and sorted
-- run: 101 | 103

SELECT itemid, publisher, creation, modification, payload FROM pubsub_item WHERE nodeid = ? ORDER BY modification DESC LIMIT 20

-- best
-- index: pubsub_item (nodeid, modification)

-- statement: ejabberd-09
-- fine
-- because: the lines of a time are counted in the index of users and times
-- run: 'loce', 1700000000000000, 1720000000000000

SELECT count(*) FROM archive WHERE username = ? AND timestamp >= ? AND timestamp <= ?

-- statement: ejabberd-10
-- fine
-- tolerated: sort-without-index
-- because: who is in most rosters: the whole index is counted, in its order

SELECT jid, count(*) AS n FROM rosterusers GROUP BY jid ORDER BY n DESC, jid LIMIT 10

-- statement: ejabberd-11
-- fine
-- tolerated: index-not-covering
-- because: old rooms by the index of hosts and times
-- run: 'conference.example.org', '2020-10-01 00:00:00'

SELECT name FROM muc_room WHERE host = ? AND created_at < ? AND created_at > '1970-01-02 00:00:00'
