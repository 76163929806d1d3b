-- schema: gnucash
-- about: Books of accounts: keys of 32 letters everywhere, and an index for each of them alone.
-- origin: GnuCash 4 (GPL-2.0-or-later, Copyright The GnuCash authors): five of its tables with the indexes that its SQL backend makes

CREATE TABLE accounts (
  guid text(32) PRIMARY KEY NOT NULL, name text(2048) NOT NULL, account_type text(2048) NOT NULL, commodity_guid text(32), commodity_scu \
integer NOT NULL,
  non_std_scu integer NOT NULL, parent_guid text(32), code text(2048), description text(2048), hidden integer, placeholder integer);
CREATE TABLE transactions (
  guid text(32) PRIMARY KEY NOT NULL, currency_guid text(32) NOT NULL, num text(2048) NOT NULL, post_date text(19), enter_date text(19), \
description text(2048));
CREATE INDEX tx_post_date_index ON transactions(post_date);
CREATE TABLE splits (
  guid text(32) PRIMARY KEY NOT NULL, tx_guid text(32) NOT NULL, account_guid text(32) NOT NULL, memo text(2048) NOT NULL, action text(2048) NOT NULL,
  reconcile_state text(1) NOT NULL, reconcile_date text(19), value_num bigint NOT NULL, value_denom bigint NOT NULL, quantity_num bigint NOT NULL,
  quantity_denom bigint NOT NULL, lot_guid text(32));
CREATE INDEX splits_tx_guid_index ON splits(tx_guid);
CREATE INDEX splits_account_guid_index ON splits(account_guid);
CREATE TABLE slots (
  id integer PRIMARY KEY AUTOINCREMENT NOT NULL, obj_guid text(32) NOT NULL, name text(4096) NOT NULL, slot_type integer NOT NULL, int64_val bigint,
  string_val text(4096), double_val float8, timespec_val text(19), guid_val text(32), numeric_val_num bigint, numeric_val_denom bigint, \
gdate_val text(8));
CREATE INDEX slots_guid_index ON slots(obj_guid);
CREATE TABLE prices (
  guid text(32) PRIMARY KEY NOT NULL, commodity_guid text(32) NOT NULL, currency_guid text(32) NOT NULL, date text(19) NOT NULL, source text(2048),
  type text(2048), value_num bigint NOT NULL, value_denom bigint NOT NULL);

INSERT INTO accounts
SELECT printf('%032x', i * 7919), title(1, i, 2), CASE WHEN i <= 4 THEN 'BANK' WHEN i <= 20 THEN 'CREDIT' WHEN i <= 40 THEN 'INCOME' ELSE \
'EXPENSE' END,
  printf('%032x', 77), 100, 0, printf('%032x', (1 + i / 8) * 7919), '', prose(2, i, 40), 0, 0 FROM numbers WHERE i <= 250;
INSERT INTO transactions
SELECT printf('%032x', i * 104729), printf('%032x', 77), iif(chance(3, i) < 0.1, i, ''), datetime(1300000000 + i * 18000, 'unixepoch'),
  datetime(1300000000 + i * 18000 + 900, 'unixepoch'), title(4, skewed(5, i, 2500), 2) FROM numbers WHERE i <= 20000;
INSERT INTO splits
SELECT printf('%032x', i * 15485863), printf('%032x', ((i + 1) / 2) * 104729),
  printf('%032x', iif(i % 2 = 0, skewed(6, i, 4), 20 + skewed(7, i, 230)) * 7919), iif(chance(8, i) < 0.1, prose(9, i, 40), ''), '',
  CASE WHEN chance(10, i) < 0.03 THEN 'n' WHEN chance(10, i) < 0.06 THEN 'c' ELSE 'y' END, datetime(1300000000 + (i / 2) * 18000, 'unixepoch'),
  iif(i % 2 = 0, -1, 1) * pick(11, (i + 1) / 2, 20000) + iif(i % 1000 = 7, 1, 0), 100, iif(i % 2 = 0, -1, 1) * pick(11, (i + 1) / 2, 20000), 100, NULL
FROM numbers WHERE i <= 40000;
INSERT INTO slots
SELECT i, printf('%032x', ((i + 1) / 2) * 104729), iif(i % 2 = 0, 'date-posted', 'notes'), iif(i % 2 = 0, 10, 4), 0,
  iif(i % 2 = 0, NULL, prose(12, i, 50)), 0, '1970-01-01 00:00:00', NULL, 0, 1, NULL FROM numbers WHERE i <= 30000;
INSERT INTO prices
SELECT printf('%032x', i * 32452843), printf('%032x', 1000 + pick(13, i, 40)), printf('%032x', 77), datetime(1300000000 + i * 90000, \
'unixepoch'), 'Finance::Quote',
  'last', pick(14, i, 100000), 1000 FROM numbers WHERE i <= 4000;

-- statement: gnucash-01
-- is: index-not-covering, join-order, sort-without-index
-- because: the end of the bank account: all its splits find their transactions, and are sorted by their days
-- run: '00000000000000000000000000001eef'

SELECT t.guid, t.post_date, t.description, s.value_num, s.value_denom FROM splits s JOIN transactions t ON t.guid = s.tx_guid
WHERE s.account_guid = ? ORDER BY t.post_date DESC LIMIT 50

-- best
-- index: splits (tx_guid, account_guid)

SELECT t.guid, t.post_date, t.description, s.value_num, s.value_denom FROM transactions t CROSS JOIN splits s ON t.guid = s.tx_guid
WHERE s.account_guid = ? ORDER BY t.post_date DESC LIMIT 50

-- statement: gnucash-02
-- is: full-scan, group-without-index, index-not-covering
-- because: all balances: each split is looked up for two numbers

SELECT a.guid, a.name, sum(s.quantity_num) AS balance, max(s.quantity_denom) FROM accounts a JOIN splits s ON s.account_guid = a.guid
GROUP BY a.guid

-- best
-- index: splits (account_guid, quantity_num, quantity_denom)

-- statement: gnucash-03
-- is: full-scan, index-not-covering, partial-index
-- because: what isn't reconciled yet: three in a hundred
-- run: '00000000000000000000000000001eef' | '00000000000000000000000000003dde'

SELECT guid, tx_guid, value_num, value_denom FROM splits WHERE account_guid = ? AND reconcile_state = 'n'

-- best
-- index: splits (account_guid, reconcile_state)

-- or
-- index: splits (account_guid) WHERE reconcile_state = 'n'

-- statement: gnucash-04
-- is: distinct-without-index, full-scan, pattern-without-index, sort-without-index
-- because: what is typed is completed: all descriptions are compared
-- run: 'Zu' | 'Tha'

SELECT DISTINCT description FROM transactions WHERE description LIKE ? || '%' ORDER BY description LIMIT 10

-- best
-- index: transactions (description COLLATE NOCASE)

SELECT DISTINCT description FROM transactions
WHERE description COLLATE NOCASE >= ?1 AND description COLLATE NOCASE < ?1 || char(1114111) AND description LIKE ?1 || '%' ORDER BY \
description LIMIT 10

-- or
-- index: transactions (description)

-- statement: gnucash-05
-- is: full-scan, sort-without-index
-- because: the last price: the table has no index but its key
-- run: '000000000000000000000000000003f2', '0000000000000000000000000000004d' | '000000000000000000000000000003fc', \
--   '0000000000000000000000000000004d'

SELECT value_num, value_denom, date FROM prices WHERE commodity_guid = ? AND currency_guid = ? ORDER BY date DESC LIMIT 1

-- best
-- index: prices (commodity_guid, currency_guid, date)

-- or
-- index: prices (commodity_guid, date)

-- statement: gnucash-06
-- fine
-- tolerated: index-not-covering
-- because: what belongs to the transactions of a week, by two indexes
-- run: '2018-06-01 00:00:00', '2018-06-08 00:00:00'

SELECT s.id, s.obj_guid, s.name, s.string_val FROM slots s WHERE s.obj_guid IN (SELECT guid FROM transactions WHERE post_date >= ? AND post_date < ?)

-- statement: gnucash-07
-- fine
-- tolerated: full-scan, group-without-index, index-not-covering
-- because: transactions that don't balance: most of the time is the adding, whichever index there is

SELECT tx_guid, sum(value_num) FROM splits GROUP BY tx_guid HAVING sum(value_num) <> 0

-- statement: gnucash-08
-- is: automatic-index, full-scan, subquery-per-row
-- because: the last price of each, asked for each price

SELECT p.commodity_guid, p.date, p.value_num, p.value_denom FROM prices p
WHERE p.date = (SELECT max(q.date) FROM prices q WHERE q.commodity_guid = p.commodity_guid)

-- best
-- index: prices (commodity_guid, date)

SELECT p.commodity_guid, p.date, p.value_num, p.value_denom FROM (SELECT commodity_guid, max(date) AS date FROM prices GROUP BY commodity_guid) q
JOIN prices p ON p.commodity_guid = q.commodity_guid AND p.date = q.date

-- or
-- index: prices (commodity_guid, date)

-- statement: gnucash-09
-- fine
-- tolerated: full-scan, sort-without-index
-- because: 250 accounts
-- run: '00000000000000000000000000005ccd'

SELECT guid, name, account_type FROM accounts WHERE parent_guid = ? ORDER BY name

-- statement: gnucash-10
-- fine
-- because: one transaction
-- run: '00000000000000000000000064e8479d'

SELECT t.post_date, s.value_num, a.name FROM transactions t JOIN splits s ON s.tx_guid = t.guid JOIN accounts a ON a.guid = s.account_guid \
WHERE t.guid = ?
