-- schema: rotki
-- about: A portfolio tracker: amounts as text, kinds and places as letters, balances by time and currency.
-- origin: rotki (AGPL-3.0, Copyright Rotki Solutions; github.com/rotki/rotki, rotkehlchen/db/schema.py at 0105426): twelve of its tables

CREATE TABLE trade_type (type CHAR(1) PRIMARY KEY NOT NULL, seq INTEGER UNIQUE);
INSERT INTO trade_type VALUES ('A', 1), ('B', 2), ('C', 3), ('D', 4);
CREATE TABLE location (location CHAR(1) PRIMARY KEY NOT NULL, seq INTEGER UNIQUE);
INSERT INTO location SELECT char(64 + i), i FROM numbers WHERE i <= 16;
CREATE TABLE asset_movement_category (category CHAR(1) PRIMARY KEY NOT NULL, seq INTEGER UNIQUE);
INSERT INTO asset_movement_category VALUES ('A', 1), ('B', 2);
CREATE TABLE timed_balances (time INTEGER, currency VARCHAR[12], amount TEXT, usd_value TEXT, PRIMARY KEY (time, currency));
CREATE TABLE timed_location_data (time INTEGER, location CHAR(1) NOT NULL DEFAULT('A') REFERENCES location(location), usd_value TEXT, \
PRIMARY KEY (time, location));
CREATE TABLE aave_events (
  address VARCHAR[42] NOT NULL, event_type VARCHAR[10] NOT NULL, asset VARCHAR[12] NOT NULL, amount TEXT NOT NULL, usd_value TEXT NOT \
NULL, block_number INTEGER NOT NULL, timestamp INTEGER NOT NULL,
  tx_hash VARCHAR[66] NOT NULL, log_index INTEGER NOT NULL, PRIMARY KEY (event_type, tx_hash, log_index));
CREATE TABLE tags (name TEXT NOT NULL PRIMARY KEY COLLATE NOCASE, description TEXT, background_color TEXT, foreground_color TEXT);
CREATE TABLE blockchain_accounts (blockchain VARCHAR[24], account TEXT NOT NULL PRIMARY KEY, label TEXT);
CREATE TABLE tag_mappings (object_reference TEXT, tag_name TEXT, FOREIGN KEY(tag_name) REFERENCES tags(name) PRIMARY KEY \
(object_reference, tag_name));
CREATE TABLE trades (
  id TEXT PRIMARY KEY, time INTEGER, location CHAR(1) NOT NULL DEFAULT('A') REFERENCES location(location), pair VARCHAR[24], type CHAR(1) \
NOT NULL DEFAULT ('A') REFERENCES trade_type(type), amount TEXT, rate TEXT,
  fee TEXT, fee_currency VARCHAR[10], link TEXT, notes TEXT);
CREATE TABLE asset_movements (
  id TEXT PRIMARY KEY, location CHAR(1) NOT NULL DEFAULT('A') REFERENCES location(location), category CHAR(1) NOT NULL DEFAULT('A') \
REFERENCES asset_movement_category(category), address TEXT, transaction_id TEXT,
  time INTEGER, asset VARCHAR[10], amount TEXT, fee_asset VARCHAR[10], fee TEXT, link TEXT);
CREATE TABLE ethereum_transactions (
  tx_hash BLOB, timestamp INTEGER, block_number INTEGER, from_address TEXT, to_address TEXT, value TEXT, gas TEXT, gas_price TEXT, \
gas_used TEXT, input_data BLOB, nonce INTEGER, PRIMARY KEY (tx_hash, nonce, from_address));

INSERT OR IGNORE INTO timed_balances
SELECT 1500000000 + i / 60 * 86400 + iif(i % 7 = 0, 3600, 0), 'CUR' || iif(chance(1, i) < 0.2, skewed(2, i, 300), 1 + i % 45), \
printf('%.6f', chance(3, i) * 1000), printf('%.2f', chance(4, i) * 40000) FROM numbers WHERE i <= 120000;
INSERT OR IGNORE INTO timed_location_data SELECT 1500000000 + i / 8 * 86400, iif(i % 8 = 0, 'H', char(64 + skewed(5, i, 16))), \
printf('%.2f', chance(6, i) * 90000) FROM numbers WHERE i <= 20000;
INSERT INTO tags SELECT iif(i % 4 = 0, upper(word(i)), word(i)), prose(7, i, 40), '000000', 'ffffff' FROM numbers WHERE i <= 800;
INSERT INTO blockchain_accounts SELECT iif(chance(8, i) < 0.6, 'ETH', 'BTC'), '0x' || printf('%040x', i * 104729), title(9, i, 2) FROM \
numbers WHERE i <= 9000;
INSERT OR IGNORE INTO tag_mappings SELECT '0x' || printf('%040x', pick(10, i, 9000) * 104729), (SELECT name FROM tags WHERE rowid = \
skewed(11, i, 600)) FROM numbers WHERE i <= 20000;
INSERT INTO trades
SELECT printf('%032x', i * 15485863), 1500000000 + (i * 7919 % 40000) * 5000, char(65 + skewed(12, i, 12)), iif(chance(13, i) < 0.5, \
'BTC', 'CUR' || skewed(14, i, 120)) || '_' || iif(chance(15, i) < 0.6, 'EUR', 'CUR' || skewed(16, i, 60)), iif(chance(17, i) < 0.6, 'A', \
'B'),
  printf('%.6f', chance(18, i) * 100), printf('%.4f', chance(19, i) * 9000), printf('%.4f', chance(20, i) * 5), iif(chance(21, i) < 0.7, \
'EUR', 'BTC'), 'T' || i, iif(chance(22, i) < 0.05, prose(23, i, 100), '')
FROM numbers WHERE i <= 40000;
INSERT INTO asset_movements
SELECT printf('%032x', i * 32452843), char(65 + skewed(24, i, 12)), iif(chance(25, i) < 0.6, 'A', 'B'), '0x' || printf('%040x', pick(26, \
i, 9000) * 104729), iif(chance(27, i) < 0.7, '0x' || printf('%064x', i * 2654435761), NULL), 1500000000 + (i * 104729 % 20000) * 10000,
  'CUR' || skewed(28, i, 100), printf('%.6f', chance(29, i) * 100), 'EUR', '0.1', 'M' || i
FROM numbers WHERE i <= 16000;
INSERT INTO ethereum_transactions
SELECT CAST(printf('%032x', i * 2654435761) AS BLOB), 1500000000 + i * 4000, 4000000 + i * 250, '0x' || printf('%040x', skewed(30, i, \
9000) * 104729), '0x' || printf('%040x', iif(chance(31, i) < 0.5, pick(32, i, 9000) * 104729, skewed(33, i, 400))), i || '000000000', \
'21000', '5000000000', '21000',
  CAST(prose(34, i, pick(35, i, 200)) AS BLOB), i
FROM numbers WHERE i <= 36000;
INSERT INTO aave_events
SELECT '0x' || printf('%040x', skewed(36, i, 900) * 104729), CASE skewed(37, i, 5) WHEN 1 THEN 'deposit' WHEN 2 THEN 'interest' WHEN 3 \
THEN 'withdrawal' WHEN 4 THEN 'borrow' ELSE 'repay' END, 'CUR' || skewed(38, i, 20), '1.5', '3000', 9000000 + i * 7, 1580000000 + i * 900,
  '0x' || printf('%064x', i * 48271), i % 9
FROM numbers WHERE i <= 14000;

-- statement: rotki-01
-- is: index-not-covering
-- because: how a balance developed: the key begins with the time, and the currencies of all days are read
-- run: 1500000000, 1700000000, 'CUR7' | 1600000000, 1660000000, 'CUR200'

SELECT time, amount, usd_value FROM timed_balances WHERE time BETWEEN ? AND ? AND currency = ? ORDER BY time ASC

-- best
-- index: timed_balances (currency, time, amount, usd_value)

-- statement: rotki-02
-- fine
-- because: the last balances, by the key

SELECT currency, amount, usd_value FROM timed_balances WHERE time = (SELECT max(time) FROM timed_balances)

-- statement: rotki-03
-- is: distinct-without-index, full-scan
-- because: the few currencies that ever were: all balances are read for them

SELECT DISTINCT currency FROM timed_balances ORDER BY currency

-- best
-- index: timed_balances (currency)

WITH RECURSIVE c (currency) AS (
  SELECT min(currency) FROM timed_balances UNION ALL SELECT (SELECT min(t.currency) FROM timed_balances AS t WHERE t.currency > \
c.currency) FROM c WHERE c.currency IS NOT NULL)
SELECT currency FROM c WHERE currency IS NOT NULL ORDER BY currency

-- statement: rotki-04
-- is: full-scan, sort-without-index
-- because: the trades of some weeks on an exchange
-- run: 1690000000, 1694000000, 'C'

SELECT id, time, location, pair, type, amount, rate FROM trades WHERE time >= ? AND time <= ? AND location = ? ORDER BY time

-- best
-- index: trades (location, time)

-- statement: rotki-05
-- is: full-scan, or-without-index, sort-without-index
-- because: what an address sent or got
-- run: '0x0000000000000000000000000000000004f33e71', 1500000000 | '0x0000000000000000000000000000000000019919', 1643000000

SELECT tx_hash, timestamp, value FROM ethereum_transactions WHERE (from_address = ?1 OR to_address = ?1) AND timestamp >= ?2 ORDER BY timestamp

-- best
-- index: ethereum_transactions (from_address, timestamp)
-- index: ethereum_transactions (to_address, timestamp)

-- statement: rotki-06
-- is: expression-index, full-scan, function-on-column, sort-without-index
-- because: the trades of an asset, which is the first part of a pair
-- run: 'CUR40' | 'CUR110'

SELECT id, time, pair, amount FROM trades WHERE substr(pair, 1, instr(pair, '_') - 1) = ? ORDER BY time DESC LIMIT 50

-- best
-- index: trades (substr(pair, 1, instr(pair, '_') - 1), time)

-- statement: rotki-07
-- is: foreign-key-without-index
-- because: a tag goes: all mappings are read for it, as its name has no case
-- run: 'Hatregu' | 'trevaha'

DELETE FROM tags WHERE name = ?

-- best
-- index: tag_mappings (tag_name COLLATE NOCASE)

-- statement: rotki-08
-- fine
-- because: a transaction by the beginning of the key
-- run: '0000000000000000000000009e3779b1'

SELECT timestamp, value, gas_price FROM ethereum_transactions WHERE tx_hash = CAST(? AS BLOB)

-- statement: rotki-09
-- is: full-scan, index-not-covering
-- because: the total over time: an eighth of what is read
-- run: 1600000000

SELECT time, usd_value FROM timed_location_data WHERE location = 'H' AND time >= ? ORDER BY time ASC

-- best
-- index: timed_location_data (location, time, usd_value)

-- or
-- index: timed_location_data (time, usd_value) WHERE location = 'H'

-- statement: rotki-10
-- is: automatic-index, full-scan, subquery-per-row
-- because: when each exchange was last used: all trades are read for each

SELECT l.location, (SELECT max(t.time) FROM trades AS t WHERE t.location = l.location) AS newest FROM location AS l ORDER BY newest DESC

-- best
-- index: trades (location, time)

-- statement: rotki-11
-- fine
-- because: a trade, if it isn't there, by its id
-- run: '0000000000000000000000000new', 1700000000, 'B', 'BTC_EUR', 'A', '1.5', '30000', '1', 'EUR', '', ''

INSERT OR IGNORE INTO trades (id, time, location, pair, type, amount, rate, fee, fee_currency, link, notes) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

-- statement: rotki-12
-- is: full-scan
-- because: what came after a block is fetched again
-- run: 12990000

DELETE FROM ethereum_transactions WHERE block_number > ?

-- best
-- index: ethereum_transactions (block_number)

-- statement: rotki-13
-- fine
-- tolerated: full-scan, sort-without-index, subquery-per-row
-- because: exchanges without a balance at a time: few, and each is looked up by the key
-- run: 1600051200

SELECT l.location FROM location AS l WHERE NOT EXISTS (SELECT 1 FROM timed_location_data AS d WHERE d.time = ? AND d.location = \
l.location) ORDER BY l.seq

-- statement: rotki-14
-- is: full-scan, sort-without-index
-- because: the last of two histories: both are read and sorted

SELECT time, 'trade' AS kind, id, amount FROM trades UNION ALL SELECT time, 'movement', id, amount FROM asset_movements ORDER BY time DESC LIMIT 50

-- best
-- index: trades (time)
-- index: asset_movements (time)

-- statement: rotki-15
-- fine
-- because: some accounts with their tags, by keys
-- run: '0x0000000000000000000000000000000000019919', '0x0000000000000000000000000000000000033232', \
--   '0x000000000000000000000000000000000004cb4b'

SELECT a.account, a.label, m.tag_name FROM blockchain_accounts AS a LEFT JOIN tag_mappings AS m ON m.object_reference = a.account WHERE \
a.account IN (?, ?, ?)

-- statement: rotki-16
-- fine
-- tolerated: group-without-index, index-not-covering
-- because: the newest of two kinds of events, by the beginning of the key
-- run: '0x0000000000000000000000000000000000000000000000000000000028300000'

SELECT event_type, asset, count(*) AS n, sum(CAST(amount AS REAL)) FROM aave_events WHERE event_type IN ('borrow', 'repay') AND tx_hash > \
? GROUP BY event_type, asset

-- statement: rotki-17
-- is: full-scan, group-without-index
-- because: the volume of a pair by month
-- run: 'CUR5_EUR' | 'CUR30_EUR'

SELECT strftime('%Y-%m', time, 'unixepoch') AS month, type, sum(CAST(amount AS REAL) * CAST(rate AS REAL)) AS volume FROM trades WHERE \
pair = ? GROUP BY month, type

-- best
-- index: trades (pair, time, type, amount, rate)
