-- schema: zcash
-- about: The wallet of a service: transactions, notes received in two pools, by whom they are spent, and views over both pools.
-- origin: zcash_client_sqlite 0.16 (MIT or Apache-2.0, Copyright Electric Coin Company): twelve tables of its wallet with their indexes, \
--   and two views for two of its pools
-- superfluous: redundant-index idx_addresses_accounts
-- superfluous: redundant-index idx_sapling_received_notes_tx
-- superfluous: redundant-index idx_orchard_received_notes_tx
-- superfluous: redundant-index idx_sapling_received_note_spends_note_id
-- superfluous: redundant-index idx_orchard_received_note_spends_note_id
-- superfluous: redundant-index idx_sent_notes_tx

CREATE TABLE accounts (
  id INTEGER PRIMARY KEY, name TEXT, uuid BLOB NOT NULL, account_kind INTEGER NOT NULL DEFAULT 0, hd_seed_fingerprint BLOB, \
hd_account_index INTEGER, ufvk TEXT, uivk TEXT NOT NULL, birthday_height INTEGER NOT NULL, recover_until_height INTEGER, has_spend_key \
INTEGER NOT NULL DEFAULT 1);
CREATE UNIQUE INDEX accounts_uuid ON accounts (uuid);
CREATE UNIQUE INDEX accounts_ufvk ON accounts (ufvk);
CREATE UNIQUE INDEX accounts_uivk ON accounts (uivk);
CREATE TABLE addresses (
  id INTEGER NOT NULL PRIMARY KEY, account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE, key_scope INTEGER NOT NULL, \
diversifier_index_be BLOB, address TEXT NOT NULL, transparent_child_index INTEGER,
  cached_transparent_receiver_address TEXT, exposed_at_height INTEGER, receiver_flags INTEGER NOT NULL, \
transparent_receiver_next_check_time INTEGER, UNIQUE (account_id, key_scope, diversifier_index_be));
CREATE INDEX idx_addresses_accounts ON addresses (account_id ASC);
CREATE UNIQUE INDEX idx_addresses_cached_transparent_receiver_address ON addresses (cached_transparent_receiver_address ASC);
CREATE INDEX idx_addresses_t_indices ON addresses (transparent_child_index ASC);
CREATE TABLE blocks (height INTEGER PRIMARY KEY, hash BLOB NOT NULL, time INTEGER NOT NULL, sapling_tree BLOB NOT NULL, \
sapling_commitment_tree_size INTEGER, orchard_commitment_tree_size INTEGER, sapling_output_count INTEGER, orchard_action_count INTEGER);
CREATE TABLE transactions (
  id_tx INTEGER PRIMARY KEY, txid BLOB NOT NULL UNIQUE, created TEXT, block INTEGER, mined_height INTEGER, tx_index INTEGER, expiry_height \
INTEGER, raw BLOB, fee INTEGER, target_height INTEGER, min_observed_height INTEGER NOT NULL,
  confirmed_unmined_at_height INTEGER, trust_status INTEGER, FOREIGN KEY (block) REFERENCES blocks (height), CHECK (block IS NULL OR \
mined_height = block));
CREATE TABLE sapling_received_notes (
  id INTEGER PRIMARY KEY, transaction_id INTEGER NOT NULL REFERENCES transactions (id_tx) ON DELETE CASCADE, output_index INTEGER NOT \
NULL, account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE, diversifier BLOB NOT NULL,
  value INTEGER NOT NULL, rcm BLOB NOT NULL, nf BLOB UNIQUE, is_change INTEGER NOT NULL, memo BLOB, commitment_tree_position INTEGER, \
recipient_key_scope INTEGER, address_id INTEGER REFERENCES addresses (id) ON DELETE CASCADE, UNIQUE (transaction_id, output_index));
CREATE INDEX idx_sapling_received_notes_account ON sapling_received_notes (account_id ASC);
CREATE INDEX idx_sapling_received_notes_address ON sapling_received_notes (address_id ASC);
CREATE INDEX idx_sapling_received_notes_tx ON sapling_received_notes (transaction_id ASC);
CREATE TABLE sapling_received_note_spends (
  sapling_received_note_id INTEGER NOT NULL REFERENCES sapling_received_notes (id) ON DELETE CASCADE, transaction_id INTEGER NOT NULL \
REFERENCES transactions (id_tx) ON DELETE CASCADE, UNIQUE (sapling_received_note_id, transaction_id));
CREATE INDEX idx_sapling_received_note_spends_note_id ON sapling_received_note_spends (sapling_received_note_id ASC);
CREATE INDEX idx_sapling_received_note_spends_transaction_id ON sapling_received_note_spends (transaction_id ASC);
CREATE TABLE orchard_received_notes (
  id INTEGER PRIMARY KEY, transaction_id INTEGER NOT NULL REFERENCES transactions (id_tx) ON DELETE CASCADE, action_index INTEGER NOT \
NULL, account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE, diversifier BLOB NOT NULL,
  value INTEGER NOT NULL, rho BLOB NOT NULL, rseed BLOB NOT NULL, nf BLOB UNIQUE, is_change INTEGER NOT NULL, memo BLOB, \
commitment_tree_position INTEGER, recipient_key_scope INTEGER, address_id INTEGER REFERENCES addresses (id) ON DELETE CASCADE, UNIQUE \
(transaction_id, action_index));
CREATE INDEX idx_orchard_received_notes_account ON orchard_received_notes (account_id ASC);
CREATE INDEX idx_orchard_received_notes_address ON orchard_received_notes (address_id ASC);
CREATE INDEX idx_orchard_received_notes_tx ON orchard_received_notes (transaction_id ASC);
CREATE TABLE orchard_received_note_spends (
  orchard_received_note_id INTEGER NOT NULL REFERENCES orchard_received_notes (id) ON DELETE CASCADE, transaction_id INTEGER NOT NULL \
REFERENCES transactions (id_tx) ON DELETE CASCADE, UNIQUE (orchard_received_note_id, transaction_id));
CREATE INDEX idx_orchard_received_note_spends_note_id ON orchard_received_note_spends (orchard_received_note_id ASC);
CREATE INDEX idx_orchard_received_note_spends_transaction_id ON orchard_received_note_spends (transaction_id ASC);
CREATE TABLE sent_notes (
  id INTEGER PRIMARY KEY, transaction_id INTEGER NOT NULL REFERENCES transactions (id_tx) ON DELETE CASCADE, output_pool INTEGER NOT NULL, \
output_index INTEGER NOT NULL, from_account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  to_address TEXT, to_account_id INTEGER REFERENCES accounts (id) ON DELETE SET NULL, value INTEGER NOT NULL, memo BLOB, UNIQUE \
(transaction_id, output_pool, output_index));
CREATE INDEX idx_sent_notes_from_account ON sent_notes (from_account_id);
CREATE INDEX idx_sent_notes_to_account ON sent_notes (to_account_id);
CREATE INDEX idx_sent_notes_tx ON sent_notes (transaction_id);
CREATE TABLE scan_queue (block_range_start INTEGER NOT NULL, block_range_end INTEGER NOT NULL, priority INTEGER NOT NULL, UNIQUE \
(block_range_start), UNIQUE (block_range_end), CHECK (block_range_start < block_range_end));
CREATE TABLE tx_locator_map (block_height INTEGER NOT NULL, tx_index INTEGER NOT NULL, txid BLOB NOT NULL UNIQUE, PRIMARY KEY \
(block_height, tx_index));
CREATE TABLE nullifier_map (
  spend_pool INTEGER NOT NULL, nf BLOB NOT NULL, block_height INTEGER NOT NULL, tx_index INTEGER NOT NULL, FOREIGN KEY (block_height, \
tx_index) REFERENCES tx_locator_map (block_height, tx_index) ON DELETE CASCADE ON UPDATE RESTRICT, UNIQUE (spend_pool, nf));
CREATE INDEX nf_map_locator_idx ON nullifier_map (block_height, tx_index);
CREATE VIEW v_received_outputs AS
  SELECT n.id AS id_within_pool_table, n.transaction_id, 2 AS pool, n.output_index, n.account_id, n.value, n.is_change, n.memo, s.id AS \
sent_note_id, n.address_id
  FROM sapling_received_notes AS n LEFT JOIN sent_notes AS s ON (s.transaction_id, s.output_pool, s.output_index) = (n.transaction_id, 2, \
n.output_index)
  UNION
  SELECT n.id, n.transaction_id, 3, n.action_index, n.account_id, n.value, n.is_change, n.memo, s.id, n.address_id
  FROM orchard_received_notes AS n LEFT JOIN sent_notes AS s ON (s.transaction_id, s.output_pool, s.output_index) = (n.transaction_id, 3, \
n.action_index);
CREATE VIEW v_received_output_spends AS
  SELECT 2 AS pool, s.sapling_received_note_id AS received_output_id, s.transaction_id, n.account_id FROM sapling_received_note_spends AS \
s JOIN sapling_received_notes AS n ON n.id = s.sapling_received_note_id
  UNION
  SELECT 3, s.orchard_received_note_id, s.transaction_id, n.account_id FROM orchard_received_note_spends AS s JOIN orchard_received_notes \
AS n ON n.id = s.orchard_received_note_id;

INSERT INTO accounts SELECT i, word(i), CAST(printf('%016x', i * 7919) AS BLOB), 0, CAST('seed' AS BLOB), i, 'uview1' || word(i), 'uivk1' \
|| word(i), 2000000, NULL, 1 FROM numbers WHERE i <= 40;
INSERT INTO addresses
SELECT i, skewed(1, i, 40), 0, CAST(printf('%08x', i) AS BLOB), 'u1' || word(i) || printf('%x', i * 104729) || prose(2, i, 80), i, \
iif(chance(3, i) < 0.7, 't1' || word(i) || printf('%x', i * 7919), NULL), iif(chance(4, i) < 0.9, 2000000 + i * 3, NULL), 7, iif(chance(5, \
i) < 0.02, 1712000000 + i, NULL)
FROM numbers WHERE i <= 15000;
INSERT INTO blocks SELECT 1999999 + i, CAST(printf('%032x', i * 104729) AS BLOB), 1680000000 + i * 750, x'00', i * 3, i * 4, pick(6, i, \
6), pick(7, i, 8) FROM numbers WHERE i <= 40000;
INSERT INTO transactions (id_tx, txid, created, block, mined_height, tx_index, expiry_height, raw, fee, min_observed_height)
SELECT i, CAST(printf('%08x', i * 2654435761 % 4294967291) || printf('%024x', i * 7919) AS BLOB), NULL, iif(chance(8, i) < 0.98, 2000000 + \
i * 39 / 40, NULL), iif(chance(8, i) < 0.98, 2000000 + i * 39 / 40, NULL), iif(chance(8, i) < 0.98, pick(9, i, 40), NULL), 2000000 + i * \
39 / 40 + 40,
  CAST(iif(chance(10, i) < 0.5, prose(11, i, 300), NULL) AS BLOB), 1000 * skewed(12, i, 60), 2000000 + i * 39 / 40 FROM numbers WHERE i <= 38000;
INSERT OR IGNORE INTO sapling_received_notes
SELECT i, pick(13, i, 38000), pick(14, i, 3), skewed(15, i, 40), CAST('d' || i AS BLOB), skewed(16, i, 900000000), CAST(printf('%016x', i) \
AS BLOB), iif(chance(17, i) < 0.03, NULL, CAST(printf('%032x', i * 6007) AS BLOB)), chance(18, i) < 0.4, iif(chance(19, i) < 0.3, \
CAST(prose(20, i, 100) AS BLOB), x'F6'), iif(chance(21, i) < 0.97, i, NULL), 0, iif(chance(22, i) < 0.6, pick(23, i, 15000), NULL)
FROM numbers WHERE i <= 22000;
INSERT OR IGNORE INTO orchard_received_notes
SELECT i, pick(24, i, 38000), pick(25, i, 3), skewed(26, i, 40), CAST('d' || i AS BLOB), skewed(27, i, 900000000), x'01', x'02', \
iif(chance(28, i) < 0.03, NULL, CAST(printf('%032x', i * 4001) AS BLOB)), chance(29, i) < 0.4, iif(chance(30, i) < 0.3, CAST(prose(31, i, \
100) AS BLOB), x'F6'), iif(chance(32, i) < 0.97, i, NULL), 0, iif(chance(33, i) < 0.6, pick(34, i, 15000), NULL)
FROM numbers WHERE i <= 26000;
INSERT INTO sapling_received_note_spends SELECT id, min(38000, transaction_id + pick(35, id, 300)) FROM sapling_received_notes WHERE \
chance(36, id) < 0.9;
INSERT INTO orchard_received_note_spends SELECT id, min(38000, transaction_id + pick(37, id, 300)) FROM orchard_received_notes WHERE \
chance(38, id) < 0.85;
INSERT OR IGNORE INTO sent_notes
SELECT i, pick(39, i, 38000), 2 + i % 2, pick(40, i, 3), skewed(41, i, 40), iif(chance(42, i) < 0.8, 'u1' || word(skewed(43, i, 3000)) || \
printf('%016x', skewed(43, i, 3000) * 7919), NULL), iif(chance(42, i) < 0.8, NULL, skewed(44, i, 40)), skewed(45, i, 900000000), x'F6' \
FROM numbers WHERE i <= 24000;
INSERT INTO scan_queue SELECT 1900000 + i * 2500, 1902500 + i * 2500, 10 * skewed(46, i, 6) FROM numbers WHERE i <= 48;
INSERT INTO tx_locator_map SELECT 2030000 + i / 3, i % 3, CAST(printf('%032x', i * 7727) AS BLOB) FROM numbers WHERE i <= 24000;
INSERT INTO nullifier_map SELECT 2 + i % 2, CAST(printf('%032x', i * 104729) AS BLOB), 2030000 + (1 + i / 2) / 3, (1 + i / 2) % 3 FROM \
numbers WHERE i <= 47000;

-- statement: zcash-01
-- is: distinct-without-index, full-scan
-- because: the outputs of a transaction by a view: its UNION makes and sorts all outputs of all transactions first
-- run: 700 | 30001

SELECT pool, output_index, account_id, value, is_change, memo FROM v_received_outputs WHERE transaction_id = ?

-- best

SELECT 2 AS pool, output_index, account_id, value, is_change, memo FROM sapling_received_notes WHERE transaction_id = ?1
UNION ALL SELECT 3, action_index, account_id, value, is_change, memo FROM orchard_received_notes WHERE transaction_id = ?1

-- or
-- change: DROP VIEW v_received_outputs
-- change: CREATE VIEW v_received_outputs AS
--   SELECT n.id AS id_within_pool_table, n.transaction_id, 2 AS pool, n.output_index, n.account_id, n.value, n.is_change, n.memo, s.id AS \
--   sent_note_id, n.address_id
--   FROM sapling_received_notes AS n LEFT JOIN sent_notes AS s ON (s.transaction_id, s.output_pool, s.output_index) = (n.transaction_id, \
--   2, n.output_index)
--   UNION ALL
--   SELECT n.id, n.transaction_id, 3, n.action_index, n.account_id, n.value, n.is_change, n.memo, s.id, n.address_id
--   FROM orchard_received_notes AS n LEFT JOIN sent_notes AS s ON (s.transaction_id, s.output_pool, s.output_index) = (n.transaction_id, \
--   3, n.action_index)

-- statement: zcash-02
-- is: automatic-index, distinct-without-index, full-scan, group-without-index
-- because: what accounts have: two views over all notes, with memos and what they were sent by, are made and sorted for it

SELECT ro.account_id, sum(ro.value) FROM v_received_outputs AS ro LEFT JOIN v_received_output_spends AS ros ON ros.pool = ro.pool AND \
ros.received_output_id = ro.id_within_pool_table
WHERE ros.transaction_id IS NULL GROUP BY ro.account_id ORDER BY ro.account_id

-- best

SELECT account_id, sum(value) FROM (
  SELECT n.account_id, n.value FROM sapling_received_notes AS n LEFT JOIN sapling_received_note_spends AS s ON s.sapling_received_note_id \
= n.id WHERE s.transaction_id IS NULL
  UNION ALL
  SELECT n.account_id, n.value FROM orchard_received_notes AS n LEFT JOIN orchard_received_note_spends AS s ON s.orchard_received_note_id \
= n.id WHERE s.transaction_id IS NULL)
GROUP BY account_id ORDER BY account_id

-- statement: zcash-03
-- is: full-scan, index-not-covering, subquery-per-row
-- because: what an account can spend: all that all accounts ever spent is gathered for its few notes
-- run: 20, 2035000 | 31, 2036000

SELECT n.id, t.txid, n.output_index, n.value FROM sapling_received_notes AS n JOIN transactions AS t ON t.id_tx = n.transaction_id
WHERE n.account_id = ?1 AND n.value > 5000 AND n.nf IS NOT NULL AND n.commitment_tree_position IS NOT NULL AND t.mined_height <= ?2
AND n.id NOT IN (SELECT s.sapling_received_note_id FROM sapling_received_note_spends AS s JOIN transactions AS x ON x.id_tx = \
s.transaction_id WHERE x.mined_height IS NOT NULL OR x.expiry_height = 0 OR x.expiry_height > ?2)
ORDER BY n.id

-- best

SELECT n.id, t.txid, n.output_index, n.value FROM sapling_received_notes AS n JOIN transactions AS t ON t.id_tx = n.transaction_id
WHERE n.account_id = ?1 AND n.value > 5000 AND n.nf IS NOT NULL AND n.commitment_tree_position IS NOT NULL AND t.mined_height <= ?2
AND NOT EXISTS (SELECT 1 FROM sapling_received_note_spends AS s JOIN transactions AS x ON x.id_tx = s.transaction_id WHERE \
s.sapling_received_note_id = n.id AND (x.mined_height IS NOT NULL OR x.expiry_height = 0 OR x.expiry_height > ?2))
ORDER BY n.id

-- statement: zcash-04
-- is: full-scan, sort-without-index
-- because: the transactions of some blocks
-- run: 2010000, 2010100 | 2030000, 2030300

SELECT txid, mined_height, tx_index, fee FROM transactions WHERE mined_height BETWEEN ? AND ? ORDER BY mined_height, tx_index

-- best
-- index: transactions (mined_height, tx_index)

-- or
-- index: transactions (mined_height)

-- statement: zcash-05
-- is: full-scan, or-without-index, partial-index
-- because: what waits to be mined, a few of all
-- run: 2036900

SELECT id_tx, txid, expiry_height FROM transactions WHERE mined_height IS NULL AND (expiry_height = 0 OR expiry_height > ?)

-- best
-- index: transactions (expiry_height) WHERE mined_height IS NULL

-- or
-- index: transactions (mined_height, expiry_height)

-- or
-- index: transactions (mined_height)

-- statement: zcash-06
-- is: foreign-key-without-index
-- because: blocks that a fork took back: for each, all transactions are read for a reference
-- run: 2039990

DELETE FROM blocks WHERE height > ?

-- best
-- index: transactions (block)

-- statement: zcash-07
-- fine
-- tolerated: expression-index, full-scan, function-on-column, pattern-without-index
-- because: some words in memos: no index finds them
-- run: '%nope shuce%'

SELECT transaction_id, value, CAST(memo AS TEXT) FROM orchard_received_notes WHERE CAST(memo AS TEXT) LIKE ? ORDER BY id DESC

-- statement: zcash-08
-- fine
-- because: what isn't needed for nullifiers any more, by a key, and its rows by an index
-- run: 2030400

DELETE FROM tx_locator_map WHERE block_height < ?

-- statement: zcash-09
-- fine
-- tolerated: index-not-covering, sort-without-index
-- because: gaps between the addresses of an account that has few
-- run: 38

WITH used AS (SELECT transparent_child_index AS child, lead(transparent_child_index) OVER (ORDER BY transparent_child_index) AS next FROM \
addresses WHERE account_id = ? AND key_scope = 0 AND exposed_at_height IS NOT NULL)
SELECT child, next - child AS gap FROM used WHERE next - child > 20 ORDER BY child LIMIT 5

-- statement: zcash-10
-- is: full-scan
-- because: whose address it is: only the transparent ones have an index
-- run: 'u1nope' | 'u1yodib73ec'

SELECT id, account_id FROM addresses WHERE address = ?

-- best
-- index: addresses (address)

-- statement: zcash-11
-- is: group-without-index, index-not-covering
-- because: to whom an account sends most: its notes are looked up and sorted
-- run: 1 | 2

SELECT to_address, count(*) AS n, sum(value) AS total FROM sent_notes WHERE from_account_id = ? AND to_address IS NOT NULL GROUP BY \
to_address HAVING count(*) >= 5 ORDER BY total DESC LIMIT 20

-- best
-- index: sent_notes (from_account_id, to_address, value)

-- statement: zcash-12
-- is: join-fan-out, multiplied-aggregate
-- because: what accounts received in each pool: each note of one is joined with each of the other, so that both sums are too large
-- run: 25

SELECT a.name, sum(s.value) AS sapling, sum(o.value) AS orchard FROM accounts AS a LEFT JOIN sapling_received_notes AS s ON s.account_id = \
a.id LEFT JOIN orchard_received_notes AS o ON o.account_id = a.id
WHERE a.hd_account_index > ? GROUP BY a.id ORDER BY a.id

-- best
-- changes results

SELECT a.name, (SELECT sum(s.value) FROM sapling_received_notes AS s WHERE s.account_id = a.id) AS sapling, (SELECT sum(o.value) FROM \
orchard_received_notes AS o WHERE o.account_id = a.id) AS orchard
FROM accounts AS a WHERE a.hd_account_index > ? ORDER BY a.id

-- statement: zcash-13
-- is: expression-index, full-scan, function-on-column
-- because: a transaction by its identifier as it is shown: there is an index of what is stored

SELECT id_tx, mined_height, fee FROM transactions WHERE hex(txid) = '6331633865323765303030303030303030303030303030303030346233643532'

-- best

SELECT id_tx, mined_height, fee FROM transactions WHERE txid = x'6331633865323765303030303030303030303030303030303030346233643532'

-- or
-- index: transactions (hex(txid))

-- statement: zcash-14
-- fine
-- tolerated: function-on-column, group-without-index, sort-without-index
-- because: fees by month: all transactions are needed, each with its block by a key

SELECT strftime('%Y-%m', b.time, 'unixepoch') AS month, count(*) AS n, sum(t.fee) AS fees FROM transactions AS t JOIN blocks AS b ON \
b.height = t.mined_height GROUP BY month ORDER BY month

-- statement: zcash-15
-- fine
-- tolerated: full-scan, sort-without-index
-- because: the few ranges that have to be scanned
-- run: 20

SELECT block_range_start, block_range_end, priority FROM scan_queue WHERE priority >= ? ORDER BY priority DESC, block_range_end DESC

-- statement: zcash-16
-- fine
-- because: whether one of the notes is spent by a nullifier, by keys
-- run: '00000000000000000000000000007a19', '00000000000000000000000000007a19'

SELECT n.id, n.account_id, n.value FROM orchard_received_notes AS n WHERE n.nf = CAST(? AS BLOB) UNION ALL SELECT n.id, n.account_id, \
n.value FROM sapling_received_notes AS n WHERE n.nf = CAST(? AS BLOB)
