-- schema: lightning
-- about: A node of the Lightning network: invoices, payments and what it forwards from one channel to another.
-- origin: Core Lightning after 26.06 (MIT-style BSD licence, Copyright Blockstream and the Core Lightning contributors): fifteen of the \
--   tables of its wallet with their indexes, some of the channels' many columns
-- superfluous: redundant-index payments_idx

CREATE TABLE peers (id INTEGER, node_id BLOB UNIQUE, address TEXT, feature_bits BLOB DEFAULT NULL, last_known_address BLOB DEFAULT NULL, \
PRIMARY KEY (id));
CREATE TABLE channels (
  id INTEGER, peer_id INTEGER REFERENCES peers(id) ON DELETE CASCADE, state INTEGER, funder INTEGER, channel_flags INTEGER, minimum_depth \
INTEGER, next_index_local INTEGER, next_index_remote INTEGER,
  next_htlc_id INTEGER, funding_tx_id BLOB, funding_tx_outnum INTEGER, funding_satoshi INTEGER, msatoshi_local INTEGER, \
in_payments_offered INTEGER DEFAULT 0, in_payments_fulfilled INTEGER DEFAULT 0,
  out_payments_offered INTEGER DEFAULT 0, out_payments_fulfilled INTEGER DEFAULT 0, scid INTEGER, alias_local INTEGER DEFAULT NULL, \
full_channel_id BLOB DEFAULT NULL, PRIMARY KEY (id));
CREATE TABLE channel_htlcs (
  id INTEGER, channel_id INTEGER REFERENCES channels(id) ON DELETE CASCADE, channel_htlc_id INTEGER, direction INTEGER, origin_htlc \
INTEGER, msatoshi INTEGER, cltv_expiry INTEGER, payment_hash BLOB,
  payment_key BLOB, routing_onion BLOB, failuremsg BLOB, malformed_onion INTEGER, hstate INTEGER, shared_secret BLOB, received_time \
INTEGER, partid INTEGER, groupid INTEGER, localfailmsg BLOB, we_filled INTEGER,
  min_commit_num INTEGER default 0, max_commit_num INTEGER default NULL, fail_immediate INTEGER DEFAULT 0, fees_msat INTEGER DEFAULT 0, \
updated_index INTEGER DEFAULT 0,
  PRIMARY KEY (id), UNIQUE (channel_id, channel_htlc_id, direction));
CREATE INDEX channel_htlcs_speedup_unresolved_idx ON channel_htlcs(channel_id, direction) WHERE hstate NOT IN (9, 19);
CREATE INDEX channel_htlcs_updated_idx ON channel_htlcs (updated_index);
CREATE TABLE htlc_sigs (channelid INTEGER REFERENCES channels(id) ON DELETE CASCADE, signature BLOB, inflight_tx_id BLOB, inflight_tx_outnum INTEGER);
CREATE INDEX channel_idx ON htlc_sigs (channelid);
CREATE TABLE channel_state_changes (
  channel_id INTEGER REFERENCES channels(id) ON DELETE CASCADE, timestamp INTEGER, old_state INTEGER, new_state INTEGER, cause INTEGER, message TEXT);
CREATE INDEX channel_state_changes_channel_id ON channel_state_changes (channel_id);
CREATE TABLE offers (offer_id BLOB, bolt12 TEXT, label TEXT, status INTEGER, force_paths INTEGER DEFAULT 0, PRIMARY KEY (offer_id));
CREATE TABLE invoicerequests (invreq_id BLOB, bolt12 TEXT, label TEXT, status INTEGER, PRIMARY KEY (invreq_id));
CREATE TABLE invoices (
  id INTEGER, state INTEGER, msatoshi INTEGER, payment_hash BLOB, payment_key BLOB, label TEXT, expiry_time INTEGER, pay_index INTEGER, \
msatoshi_received INTEGER, paid_timestamp INTEGER, bolt11 TEXT, description TEXT,
  features BLOB DEFAULT '', local_offer_id BLOB DEFAULT NULL REFERENCES offers(offer_id), updated_index INTEGER DEFAULT 0, paid_txid BLOB \
DEFAULT NULL, paid_outnum INTEGER DEFAULT NULL,
  PRIMARY KEY (id), UNIQUE (label), UNIQUE (payment_hash));
CREATE UNIQUE INDEX invoices_pay_index ON invoices(pay_index);
CREATE INDEX invoice_update_idx ON invoices (updated_index);
CREATE TABLE payments (
  id INTEGER, timestamp INTEGER, status INTEGER, payment_hash BLOB, destination BLOB, msatoshi INTEGER, payment_preimage BLOB, \
path_secrets BLOB, route_nodes BLOB, route_channels BLOB, failonionreply BLOB,
  faildestperm INTEGER, failindex INTEGER, failcode INTEGER, failnode BLOB, failchannel TEXT, failupdate BLOB, msatoshi_sent INTEGER, \
faildetail TEXT, description TEXT, faildirection INTEGER, bolt11 TEXT,
  total_msat INTEGER, partid INTEGER, groupid INTEGER NOT NULL DEFAULT 0, local_offer_id BLOB DEFAULT NULL REFERENCES offers(offer_id), \
paydescription TEXT, completed_at INTEGER DEFAULT NULL, failscid INTEGER,
  local_invreq_id BLOB DEFAULT NULL REFERENCES invoicerequests(invreq_id), updated_index INTEGER DEFAULT 0, PRIMARY KEY (id), UNIQUE \
(payment_hash, partid, groupid));
CREATE INDEX payments_idx ON payments (payment_hash);
CREATE INDEX payments_update_idx ON payments (updated_index);
CREATE TABLE forwards (
  in_channel_scid INTEGER, in_htlc_id INTEGER, out_channel_scid INTEGER, out_htlc_id INTEGER, in_msatoshi INTEGER, out_msatoshi INTEGER, \
state INTEGER, received_time INTEGER, resolved_time INTEGER, failcode INTEGER,
  forward_style INTEGER, updated_index INTEGER DEFAULT 0, PRIMARY KEY(in_channel_scid, in_htlc_id));
CREATE INDEX forwards_updated_idx ON forwards (updated_index);
CREATE TABLE move_accounts (id INTEGER, name TEXT, PRIMARY KEY (id), UNIQUE (name));
CREATE TABLE chain_moves (
  id INTEGER, account_channel_id INTEGER references channels(id), account_nonchannel_id INTEGER references move_accounts(id), tag_bitmap \
INTEGER NOT NULL, credit_or_debit INTEGER NOT NULL, timestamp INTEGER NOT NULL,
  utxo BLOB NOT NULL, spending_txid BLOB, peer_id BLOB, payment_hash BLOB, block_height INTEGER NOT NULL, output_sat INTEGER NOT NULL, \
originating_channel_id INTEGER references channels(id),
  originating_nonchannel_id INTEGER references move_accounts(id), output_count INTEGER, PRIMARY KEY (id));
CREATE INDEX chain_moves_utxo_idx ON chain_moves (utxo);
CREATE TABLE channel_moves (
  id INTEGER, account_channel_id INTEGER references channels(id), account_nonchannel_id INTEGER references move_accounts(id), tag_bitmap \
INTEGER NOT NULL, credit_or_debit INTEGER NOT NULL, timestamp INTEGER NOT NULL,
  payment_hash BLOB, payment_part_id INTEGER, payment_group_id INTEGER, fees INTEGER NOT NULL, PRIMARY KEY (id));
CREATE TABLE network_events (
  id INTEGER, peer_id BLOB NOT NULL, type INTEGER NOT NULL, timestamp INTEGER, reason TEXT, duration_nsec INTEGER, connect_attempted \
INTEGER NOT NULL, PRIMARY KEY (id));

INSERT INTO peers SELECT i, CAST('02' || printf('%031x', i * 7919) AS BLOB), '198.51.100.' || (i % 250) || ':9735', NULL, NULL FROM \
numbers WHERE i <= 260;
INSERT INTO channels
SELECT i, iif(i <= 260, i, skewed(1, i, 260)), iif(chance(2, i) < 0.35, 7, 2), i % 2, 1, 3, pick(3, i, 40000), pick(3, i, 40000), pick(4, \
i, 20000), CAST(printf('%032x', i * 104729) AS BLOB), i % 3, pick(5, i, 90) * 100000,
  pick(6, i, 4000000) * 1000, 0, 0, 0, 0, (700000 + i * 137 << 40) + (i * 31 << 16) + i % 3, (16000000 + i * 1009 << 40) + i, \
CAST(printf('%032x', i * 104729 + 1) AS BLOB)
FROM numbers WHERE i <= 420;
UPDATE channels SET state = 7 WHERE id > 400;
INSERT INTO channel_htlcs (id, channel_id, channel_htlc_id, direction, msatoshi, cltv_expiry, payment_hash, malformed_onion, hstate, \
received_time, min_commit_num, max_commit_num, updated_index)
SELECT i, c, i, i % 2, pick(8, i, 900000) * 1000, 700000 + i / 30, CAST(printf('%032x', i * 6271) AS BLOB), 0, iif(i > 59850 OR chance(9, \
i) < 0.0005, 5, iif(i % 2, 9, 19)), 1690000000 + i * 500, i / 40, iif(i > 59850 OR chance(9,
  i) < 0.0005, NULL, i / 40 + pick(10, i, 3)), (i * 7919) % 60013
FROM (SELECT i, CASE WHEN chance(7, i) < 0.2 THEN 3 ELSE skewed(11, i, 380) END AS c FROM numbers WHERE i <= 40000 UNION ALL SELECT 40000 \
+ i, CASE WHEN chance(7, i + 40000) < 0.2 THEN 3 ELSE skewed(11, i + 40000, 380) END FROM
  numbers WHERE i <= 20000);
INSERT INTO htlc_sigs SELECT skewed(12, i, 380), CAST(printf('%064x', i) AS BLOB), NULL, NULL FROM numbers WHERE i <= 2000;
INSERT INTO channel_state_changes SELECT 1 + i % 400, 1600000000 + i * 30000, i % 5, i % 5 + 1, 1, 'Lockin complete' FROM numbers WHERE i <= 2400;
INSERT INTO offers SELECT CAST(printf('%032x', i * 31) AS BLOB), 'lno1' || printf('%080x', i), title(13, i, 2), 1, 0 FROM numbers WHERE i <= 20;
INSERT INTO invoicerequests SELECT CAST(printf('%032x', i * 37) AS BLOB), 'lnr1' || printf('%080x', i), title(14, i, 2), 1 FROM numbers \
WHERE i <= 200;
INSERT INTO invoices
SELECT i, s, pick(15, i, 90000) * 1000, CAST(printf('%032x', i * 7919) AS BLOB), CAST(printf('%032x', i * 7907) AS BLOB), iif(chance(16, \
i) < 0.6, 'order-' || strftime('%Y-%m-', 1600000000 + i * 5000, 'unixepoch') ||
  printf('%06d', i), word(pick(17, i, 300)) || '/' || i),
  iif(s = 0 AND chance(18, i) < 0.6, 1766000000 + pick(19, i, 9000000), 1600000000 + i * 5000 + 604800), iif(s = 1, i, NULL), iif(s = 1, \
pick(15, i, 90000) * 1000, NULL), iif(s = 1, 1600000000 + i * 5000 + pick(20, i, 500000),
    NULL),
  'lnbc' || prose(21, i, 260), prose(22, i, 20 + pick(23, i, 60)), '', iif(chance(24, i) < 0.1, CAST(printf('%032x', pick(25, i, 20) * 31) \
AS BLOB), NULL), iif(chance(26, i) < 0.7, i, 0), NULL, NULL
FROM (SELECT i, CASE WHEN chance(27, i) < 0.012 THEN 0 WHEN chance(27, i) < 0.55 THEN 1 ELSE 2 END AS s FROM numbers WHERE i <= 30000);
INSERT INTO payments (id, timestamp, status, payment_hash, destination, msatoshi, payment_preimage, failcode, msatoshi_sent, bolt11, \
total_msat, partid, groupid, completed_at, local_invreq_id, updated_index)
SELECT i, 1600000000 + i * 4000, iif(i > 24990 OR chance(28, i) < 0.0008, 0, iif(chance(29, i) < 0.6, 1, 2)), CAST(printf('%032x', i / 3 * \
6271) AS BLOB), CAST('02' || printf('%031x', skewed(30, i, 900) * 7919) AS BLOB), pick(31,
  i, 50000) * 1000,
  CAST(printf('%032x', i * 13) AS BLOB), NULL, pick(31, i, 50000) * 1003, 'lnbc' || prose(32, i, 220), pick(31, i, 50000) * 3000, i % 3, \
1, 1600000000 + i * 4000 + pick(33, i, 90), iif(chance(34, i) < 0.06, CAST(printf('%032x',
    pick(35, i, 200) * 37) AS BLOB), NULL), i
FROM numbers WHERE i <= 25000;
INSERT OR IGNORE INTO forwards
SELECT (SELECT scid FROM channels WHERE id = skewed(36, i, 380)), i, (SELECT scid FROM channels WHERE id = skewed(37, i, 390)), i * 3, m + \
m / 2000 + 1000, m, s, (1690000000 + i * 400) * 1000000000 + i, iif(s = 0, NULL,
  (1690000000 + i * 400 + pick(38, i, 60)) * 1000000000 + i), iif(s = 1, NULL, 4103), 1, i
FROM (SELECT i, pick(39, i, 500000) * 1000 AS m, CASE WHEN chance(40, i) < 0.22 THEN 1 WHEN chance(40, i) < 0.5 THEN 2 WHEN chance(40, i) \
< 0.9995 THEN 3 ELSE 0 END AS s FROM (SELECT (a.i - 1) * 45000 + b.i AS i FROM numbers AS a
  JOIN numbers AS b WHERE a.i <= 2 AND b.i <= 45000));
INSERT INTO move_accounts SELECT i, CASE i WHEN 1 THEN 'wallet' WHEN 2 THEN 'external' ELSE printf('%064x', i * 7919) END FROM numbers WHERE i <= 40;
INSERT INTO chain_moves (id, account_channel_id, account_nonchannel_id, tag_bitmap, credit_or_debit, timestamp, utxo, block_height, output_sat)
SELECT i, iif(i % 3 = 0, pick(41, i, 390), NULL), iif(i % 3 = 0, NULL, skewed(42, i, 40)), 1 << (i % 12), pick(43, i, 9000000) * 1000, \
1600000000 + i * 20000, CAST(printf('%032x:%d', i / 2, i % 2) AS BLOB), 700000 + i * 30,
  pick(43, i, 9000000) FROM numbers WHERE i <= 8000;
INSERT INTO channel_moves
SELECT i, iif(chance(44, i) < 0.9, skewed(45, i, 390), NULL), iif(chance(44, i) < 0.9, NULL, 2 + pick(46, i, 38)), 1 << (i % 6), pick(47, \
i, 900000) * 1000, 1690000000 + i * 700, CAST(printf('%032x', i * 6271) AS BLOB), 0, 0,
  pick(48, i, 900) FROM numbers WHERE i <= 45000;
INSERT INTO network_events
SELECT i, CAST('02' || printf('%031x', iif(chance(49, i) < 0.5, pick(50, i, 6), skewed(51, i, 255)) * 7919) AS BLOB), 1 + i % 3, \
1690000000 + i * 600, iif(chance(52, i) < 0.4, prose(53, i, 30), NULL), pick(54, i, 900000000), i % 2
  FROM numbers WHERE i <= 45000;

-- statement: lightning-01
-- is: full-scan, or-without-index
-- because: what was forwarded to a channel: conditions that a parameter switches off keep each index from being used, and there is none \
--   for it
-- run: 1, 0, 1, 0, 0, 814848067954278400 | 1, 0, 1, 0, 0, 807316413202432001

SELECT state, in_msatoshi, out_msatoshi, in_channel_scid, out_channel_scid, in_htlc_id, out_htlc_id, received_time, resolved_time, failcode,
forward_style, rowid, updated_index FROM forwards WHERE (1 = ?1 OR state = ?2) AND (1 = ?3 OR in_channel_scid = ?4) AND (1 = ?5
OR out_channel_scid = ?6)

-- best
-- index: forwards (out_channel_scid)

SELECT state, in_msatoshi, out_msatoshi, in_channel_scid, out_channel_scid, in_htlc_id, out_htlc_id, received_time, resolved_time, failcode,
forward_style, rowid, updated_index FROM forwards WHERE (1 = ?1 OR state = ?2) AND (1 = ?3 OR in_channel_scid = ?4) AND out_channel_scid = ?6
AND ?5 <> 1

-- statement: lightning-02
-- is: expression-index, full-scan, index-not-covering, partial-index
-- because: all fees that were earned: a fifth of what was tried, but all is read
-- run: 1

SELECT CAST(COALESCE(SUM(in_msatoshi - out_msatoshi), 0) AS INTEGER) FROM forwards WHERE state = ?

-- best
-- index: forwards (state, in_msatoshi, out_msatoshi)

-- or
-- index: forwards (state, in_msatoshi - out_msatoshi)

-- statement: lightning-03
-- is: full-scan, partial-index
-- because: what nobody paid in time: nearly all invoices are paid or have long expired, and all are read
-- run: 0, 1725000000

SELECT id FROM invoices WHERE state = ? AND expiry_time <= ?

-- best
-- index: invoices (state, expiry_time)

-- or
-- index: invoices (state)

-- statement: lightning-04
-- is: full-scan, harmful-index, index-not-covering, partial-index, sort-without-index
-- because: pending payments in the order of their changes: there are few, so that nearly all others are passed over
-- run: 0, 1, 200

SELECT id, updated_index, status, destination, msatoshi, payment_hash, timestamp, payment_preimage, msatoshi_sent, bolt11, total_msat, partid,
groupid, completed_at FROM payments WHERE status = ? AND updated_index >= ? ORDER BY updated_index LIMIT ?

-- best
-- index: payments (status, updated_index)

-- or
-- index: payments (status)

-- statement: lightning-05
-- is: foreign-key-without-index, full-scan, partial-index
-- because: payments for a request of one's own: few have one
-- run: '00000000000000000000000000000103' | '00000000000000000000000000000d02'

SELECT id, updated_index, status, destination, msatoshi, payment_hash, timestamp, total_msat, partid, groupid, completed_at FROM payments
WHERE local_invreq_id = CAST(? AS BLOB)

-- best
-- index: payments (local_invreq_id)

-- or
-- index: payments (local_invreq_id) WHERE local_invreq_id IS NOT NULL

-- statement: lightning-06
-- is: full-scan, harmful-index, index-not-covering, missing-statistics, sort-without-index
-- because: a page of what changed in a channel: either all of the channel is sorted, or all of others is passed over
-- run: 3, 30000, 100 | 200, 1000, 100

SELECT h.channel_htlc_id, h.cltv_expiry, h.direction, h.msatoshi, h.payment_hash, h.hstate, h.id, h.updated_index FROM channel_htlcs AS h
WHERE channel_id = ? AND updated_index >= ? ORDER BY h.updated_index ASC LIMIT ?

-- best
-- index: channel_htlcs (channel_id, updated_index)

-- statement: lightning-07
-- is: full-scan, index-not-covering, or-without-index
-- because: what is in a commitment of a channel: all that the channel ever had is read
-- run: 3, 1490, 1490 | 1, 700, 700

SELECT channel_id, direction, cltv_expiry, channel_htlc_id, payment_hash FROM channel_htlcs WHERE channel_id = ? AND min_commit_num <= ?
AND ((max_commit_num IS NULL) OR max_commit_num >= ?)

-- best
-- index: channel_htlcs (channel_id, max_commit_num)

SELECT channel_id, direction, cltv_expiry, channel_htlc_id, payment_hash FROM channel_htlcs WHERE channel_id = ?1 AND min_commit_num <= ?2
AND max_commit_num IS NULL UNION ALL SELECT channel_id, direction, cltv_expiry, channel_htlc_id, payment_hash FROM channel_htlcs
WHERE channel_id = ?1 AND min_commit_num <= ?2 AND max_commit_num >= ?3

-- or
-- index: channel_htlcs (channel_id, max_commit_num)

-- statement: lightning-08
-- is: foreign-key-without-index, full-scan
-- because: a channel goes: all moves are read to see whether one is of it
-- run: 405 | 410

DELETE FROM channels WHERE id = ?

-- best
-- index: channel_moves (account_channel_id)
-- index: chain_moves (account_channel_id)
-- index: chain_moves (originating_channel_id)

-- or
-- index: channel_moves (account_channel_id)

-- statement: lightning-09
-- is: foreign-key-without-index, full-scan
-- because: the moves of a channel that is forgotten go to an account of its name: all moves are read
-- run: NULL, 21, 330 | NULL, 22, 351

UPDATE channel_moves SET account_channel_id = ?, account_nonchannel_id = ? WHERE account_channel_id = ?

-- best
-- index: channel_moves (account_channel_id)

-- statement: lightning-10
-- is: automatic-index, foreign-key-without-index, full-scan, join-fan-out, multiplied-aggregate
-- because: channels and events of each peer: both counts are multiplied by each other

SELECT p.id, count(c.id) AS channels, count(e.id) AS events FROM peers AS p LEFT JOIN channels AS c ON c.peer_id = p.id LEFT
JOIN network_events AS e ON e.peer_id = p.node_id GROUP BY p.id

-- best
-- index: channels (peer_id)
-- index: network_events (peer_id)
-- changes results

SELECT p.id, (SELECT count(*) FROM channels AS c WHERE c.peer_id = p.id) AS channels, (SELECT count(*) FROM network_events AS e
WHERE e.peer_id = p.node_id) AS events FROM peers AS p

-- or
-- index: network_events (peer_id)
-- changes results

SELECT p.id, coalesce(c.n, 0) AS channels, coalesce(e.n, 0) AS events FROM peers AS p LEFT JOIN (SELECT peer_id, count(*) AS n FROM channels
GROUP BY peer_id) AS c ON c.peer_id = p.id LEFT JOIN (SELECT peer_id, count(*) AS n FROM network_events
GROUP BY peer_id) AS e ON e.peer_id = p.node_id ORDER BY p.id

-- statement: lightning-11
-- fine
-- because: a page by its key, and a channel for each row
-- run: 7, 30000, 100

SELECT channels.scid, channels.alias_local, h.channel_htlc_id, h.cltv_expiry, h.direction, h.msatoshi, h.payment_hash, h.hstate, h.id,
h.updated_index FROM channel_htlcs AS h JOIN channels ON channels.id = h.channel_id WHERE channels.state != ? AND h.id >= ? ORDER BY h.id ASC
LIMIT ?

-- statement: lightning-12
-- fine
-- because: the next paid invoice by its index
-- run: 12000

SELECT id FROM invoices WHERE pay_index IS NOT NULL AND pay_index > ? ORDER BY pay_index ASC LIMIT 1

-- statement: lightning-13
-- fine
-- because: what is under way in a channel, by the partial index
-- run: 0, 3 | 1, 1

SELECT id, channel_htlc_id, msatoshi, cltv_expiry, hstate, payment_hash FROM channel_htlcs WHERE direction = ? AND channel_id = ?
AND hstate NOT IN (9, 19)
