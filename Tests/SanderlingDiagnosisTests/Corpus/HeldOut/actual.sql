-- schema: actual
-- about: A budget: rows are never deleted, keys are texts, and what is asked goes through views that join what the keys were merged into.
-- origin: Actual 25.1 (MIT, Copyright James Long and the Actual contributors): eleven of its tables and five views, as its migrations and \
--   its schema make them, with their indexes
-- superfluous: redundant-index trans_category

CREATE TABLE accounts (
  id TEXT PRIMARY KEY, account_id TEXT, name TEXT, balance_current INTEGER, balance_available INTEGER, balance_limit INTEGER, mask TEXT, \
official_name TEXT, subtype TEXT, bank TEXT,
  offbudget INTEGER DEFAULT 0, closed INTEGER DEFAULT 0, tombstone INTEGER DEFAULT 0, sort_order REAL, type TEXT, account_sync_source TEXT);
CREATE TABLE categories (
  id TEXT PRIMARY KEY, name TEXT, is_income INTEGER DEFAULT 0, cat_group TEXT, sort_order REAL, tombstone INTEGER DEFAULT 0, hidden \
BOOLEAN NOT NULL DEFAULT 0, goal_def TEXT DEFAULT null);
CREATE TABLE category_groups (
  id TEXT PRIMARY KEY, name TEXT, is_income INTEGER DEFAULT 0, sort_order REAL, tombstone INTEGER DEFAULT 0, hidden BOOLEAN NOT NULL DEFAULT 0);
CREATE TABLE category_mapping (id TEXT PRIMARY KEY, transferId TEXT);
CREATE TABLE messages_crdt (id INTEGER PRIMARY KEY, timestamp TEXT NOT NULL UNIQUE, dataset TEXT NOT NULL, row TEXT NOT NULL, column TEXT \
NOT NULL, value BLOB NOT NULL);
CREATE TABLE payee_mapping (id TEXT PRIMARY KEY, targetId TEXT);
CREATE TABLE payees (
  id TEXT PRIMARY KEY, name TEXT, category TEXT, tombstone INTEGER DEFAULT 0, transfer_acct TEXT, favorite INTEGER DEFAULT 0 DEFAULT \
FALSE, learn_categories BOOLEAN DEFAULT 1);
CREATE TABLE rules (id TEXT PRIMARY KEY, stage TEXT, conditions TEXT, actions TEXT, tombstone INTEGER DEFAULT 0, conditions_op TEXT DEFAULT 'and');
CREATE TABLE schedules (
  id TEXT PRIMARY KEY, rule TEXT, active INTEGER DEFAULT 0, completed INTEGER DEFAULT 0, posts_transaction INTEGER DEFAULT 0, tombstone \
INTEGER DEFAULT 0, name TEXT DEFAULT NULL);
CREATE TABLE transactions (
  id TEXT PRIMARY KEY, isParent INTEGER DEFAULT 0, isChild INTEGER DEFAULT 0, acct TEXT, category TEXT, amount INTEGER, description TEXT, \
notes TEXT, date INTEGER, financial_id TEXT,
  type TEXT, location TEXT, error TEXT, imported_description TEXT, starting_balance_flag INTEGER DEFAULT 0, transferred_id TEXT, \
sort_order REAL, tombstone INTEGER DEFAULT 0,
  cleared INTEGER DEFAULT 1, pending INTEGER DEFAULT 0, parent_id TEXT, schedule TEXT, reconciled INTEGER DEFAULT 0);
CREATE TABLE zero_budgets (
  id TEXT PRIMARY KEY, month INTEGER, category TEXT, amount INTEGER DEFAULT 0, carryover INTEGER DEFAULT 0, goal INTEGER DEFAULT null, \
long_goal INTEGER DEFAULT null);
CREATE INDEX messages_crdt_search ON messages_crdt(dataset, row, column, timestamp);
CREATE INDEX trans_category ON transactions(category);
CREATE INDEX trans_category_date ON transactions(category, date);
CREATE INDEX trans_date ON transactions(date);
CREATE INDEX trans_parent_id ON transactions(parent_id);
CREATE INDEX trans_sorted ON transactions(date desc, starting_balance_flag, sort_order desc, id);
CREATE VIEW v_categories AS SELECT _.id, _.name, _.is_income, _.hidden, _.cat_group AS "group", _.goal_def, _.sort_order, _.tombstone FROM \
categories _;
CREATE VIEW v_payees AS SELECT _.id, COALESCE(__accounts.name, _.name) AS name, _.transfer_acct, _.tombstone, _.favorite, \
_.learn_categories FROM payees _
  LEFT JOIN accounts __accounts ON (_.transfer_acct = __accounts.id AND __accounts.tombstone = 0)
  WHERE _.transfer_acct IS NULL OR __accounts.id IS NOT NULL;
CREATE VIEW v_transactions_internal AS
  SELECT _.id, _.isParent AS is_parent, _.isChild AS is_child, CASE WHEN _.isChild = 0 THEN NULL ELSE _.parent_id END AS parent_id, _.acct AS account,
    CASE WHEN _.isParent = 1 THEN NULL ELSE cm.transferId END AS category, IFNULL(_.amount, 0) AS amount, pm.targetId AS payee, _.notes, \
_.date, _.financial_id AS imported_id, _.error,
    _.imported_description AS imported_payee, _.starting_balance_flag, _.transferred_id AS transfer_id, _.sort_order, _.cleared, \
_.reconciled, _.tombstone, _.schedule
  FROM transactions _
  LEFT JOIN category_mapping cm ON cm.id = _.category
  LEFT JOIN payee_mapping pm ON pm.id = _.description
  WHERE _.date IS NOT NULL AND _.acct IS NOT NULL AND (_.isChild = 0 OR _.parent_id IS NOT NULL);
CREATE VIEW v_transactions_internal_alive AS
  SELECT _.* FROM v_transactions_internal _
  LEFT JOIN transactions t2 ON (_.is_child = 1 AND t2.id = _.parent_id)
  WHERE IFNULL(_.tombstone, 0) = 0 AND (_.is_child = 0 OR t2.tombstone = 0);
CREATE VIEW v_transactions AS
  SELECT _.id, _.is_parent, _.is_child, _.parent_id, a.id AS account, c.id AS category, _.amount, p.id AS payee, _.notes, _.date, \
_.imported_id, _.error, _.imported_payee,
    _.starting_balance_flag, _.transfer_id, _.sort_order, _.cleared, _.reconciled, _.tombstone, _.schedule
  FROM v_transactions_internal_alive _
  LEFT JOIN payees p ON (p.id = _.payee AND p.tombstone = 0)
  LEFT JOIN categories c ON (c.id = _.category AND c.tombstone = 0)
  LEFT JOIN accounts a ON (a.id = _.account AND a.tombstone = 0)
  ORDER BY _.date desc, _.starting_balance_flag, _.sort_order desc, _.id;

INSERT INTO accounts (id, name, offbudget, closed, tombstone, sort_order)
SELECT 'acct-' || word(i * 104729), title(1, i, 2), i > 10, i IN (7, 9, 13), i = 14, i * 16384 FROM numbers WHERE i <= 14;
INSERT INTO category_groups (id, name, is_income, sort_order) SELECT 'grp-' || i, title(2, i, 1), i = 1, i * 16384 FROM numbers WHERE i <= 9;
INSERT INTO categories (id, name, is_income, cat_group, sort_order, tombstone) SELECT 'cat-' || word(i * 7919), title(3, i, 1), i <= 3, \
'grp-' || (1 + i % 9), i * 16384, i > 70 FROM numbers WHERE i <= 80;
INSERT INTO category_mapping SELECT 'cat-' || word(i * 7919), 'cat-' || word(iif(i > 70, i - 40, i) * 7919) FROM numbers WHERE i <= 80;
INSERT INTO payees (id, name, tombstone, transfer_acct) SELECT 'pay-' || word(i * 15485863), title(4, i, 2), chance(5, i) < 0.1, NULL FROM \
numbers WHERE i <= 800;
INSERT INTO payees (id, name, tombstone, transfer_acct) SELECT 'pay-acct-' || i, '', i = 14, 'acct-' || word(i * 104729) FROM numbers WHERE i <= 14;
INSERT INTO payee_mapping SELECT 'pay-' || word(i * 15485863), 'pay-' || word(iif(chance(5, i) < 0.1, 1 + i / 2, i) * 15485863) FROM \
numbers WHERE i <= 800;
INSERT INTO payee_mapping SELECT 'pay-acct-' || i, 'pay-acct-' || i FROM numbers WHERE i <= 14;
INSERT INTO rules (id, stage, conditions, actions)
SELECT 'rule-' || i, NULL, '[{"op":"is","field":"description","value":"pay-' || word(i * 15485863) || \
'"},{"op":"isapprox","field":"amount","value":' || -pick(6, i, 90000) || '},{"op":"is","field":"acct","value":"acct-' || word((1 + i % 9) \
* 104729) || '"}]',
  '[{"op":"' || iif(i % 20 = 0, 'link-schedule', 'set') || '","field":"category","value":"cat-' || word((4 + i % 60) * 7919) || '"}]' FROM \
numbers WHERE i <= 160;
INSERT INTO schedules (id, rule, active, completed, tombstone, name) SELECT 'sch-' || i, 'rule-' || (i * 20), 0, chance(7, i) < 0.4, 0, \
title(8, i, 2) FROM numbers WHERE i <= 8;
INSERT INTO transactions (id, isParent, isChild, acct, category, amount, description, notes, date, financial_id, imported_description, \
starting_balance_flag, transferred_id, sort_order, tombstone, cleared, parent_id, schedule, reconciled)
SELECT word(i * 15485863) || '-' || i, i % 25 = 0, i % 25 IN (1, 2), 'acct-' || word(skewed(9, i / 3, 14) * 104729), iif(chance(10, i) < \
0.08 OR i % 25 = 0, NULL, 'cat-' || word(skewed(11, i, 80) * 7919)),
  iif(chance(12, i) < 0.1, pick(13, i, 400000), -skewed(14, i, 60000)), iif(chance(10, i) < 0.07, 'pay-acct-' || (1 + i % 14), 'pay-' || \
word(skewed(15, i, 800) * 15485863)), iif(chance(16, i) < 0.3, prose(17, i, 40), NULL),
  CAST(strftime('%Y%m%d', 1420000000 + (i - iif(i % 25 IN (1, 2), i % 25, 0)) * 18000, 'unixepoch') AS INTEGER), iif(chance(18, i) < 0.6, \
'FIT' || word(i * 31) || i, NULL), upper(title(19, skewed(15, i, 800), 3)),
  i <= 14, NULL, 1420000000000.0 + i, chance(20, i) < 0.05, i < 17800 OR chance(21, i) < 0.5, iif(i % 25 IN (1, 2), word((i - i % 25) * \
15485863) || '-' || (i - i % 25), NULL),
  iif(chance(22, i) < 0.03, 'sch-' || pick(23, i, 35), NULL), i < 17000 AND chance(24, i) < 0.9
FROM numbers WHERE i <= 18000;
INSERT INTO zero_budgets (id, month, category, amount) SELECT ((2015 + i / 960) * 100 + 1 + i / 80 % 12) || '-cat-' || word((1 + i % 80) * \
7919), (2015 + i / 960) * 100 + 1 + i / 80 % 12, 'cat-' || word((1 + i % 80) * 7919), pick(25, i, 50000)
FROM numbers WHERE i <= 9000;
INSERT INTO messages_crdt (timestamp, dataset, row, column, value)
SELECT strftime('%Y-%m-%dT%H:%M:%S', 1420000000 + i * 8000, 'unixepoch') || '.' || (100 + i % 900) || 'Z-0000-' || printf('%016x', 7 + i % \
3), iif(chance(26, i) < 0.9, 'transactions', 'payees'),
  word(skewed(27, i, 18000) * 15485863), CASE i % 4 WHEN 0 THEN 'amount' WHEN 1 THEN 'category' WHEN 2 THEN 'notes' ELSE 'cleared' END, \
'N:' || pick(28, i, 9000) FROM numbers WHERE i <= 30000;

-- statement: actual-01
-- is: full-scan, index-not-covering
-- because: what is on an account: all rows of all accounts are read
-- run: 'acct-cledivarilo' | 'acct-stariquiyoha'

SELECT SUM(amount) AS amount FROM v_transactions_internal_alive WHERE account = ?

-- best
-- index: transactions (acct)

-- statement: actual-02
-- is: full-scan, harmful-index, index-not-covering, join-order, sort-without-index
-- because: the newest of an account that has few: all are read in their order until there are enough
-- run: 'acct-cledivarilo'

SELECT id, date, amount, payee, category, notes, cleared FROM v_transactions_internal_alive
WHERE account = ? ORDER BY date DESC, starting_balance_flag, sort_order DESC, id LIMIT 100

-- best
-- index: transactions (acct, date DESC, starting_balance_flag, sort_order DESC, id)

-- or
-- index: transactions (acct, date)

-- statement: actual-03
-- fine
-- tolerated: index-not-covering
-- because: the newest of all, by the index of their order

SELECT id, date, amount, payee, category, notes FROM v_transactions_internal_alive
ORDER BY date DESC, starting_balance_flag, sort_order DESC, id LIMIT 100

-- statement: actual-04
-- fine
-- tolerated: index-not-covering
-- because: what a category cost in a month: the month is found by its days
-- run: 'cat-tudritulo'

SELECT SUM(amount) AS amount FROM v_transactions_internal_alive t LEFT JOIN accounts a ON a.id = t.account
WHERE t.date >= 20180301 AND t.date <= 20180331 AND category = ? AND a.offbudget = 0

-- statement: actual-05
-- is: full-scan, index-not-covering, partial-index
-- because: what isn't cleared of an account: one row in a hundred
-- run: 'acct-wethapedri' | 'acct-tustafofodi'

SELECT SUM(amount) AS amount FROM v_transactions_internal_alive WHERE account = ? AND cleared = 0

-- best
-- index: transactions (acct, cleared)

-- or
-- index: transactions (acct) WHERE cleared = 0

-- or
-- index: transactions (cleared, acct)

-- statement: actual-06
-- is: full-scan, index-not-covering, sort-without-index
-- because: the balance after each of an account's rows: all rows are read
-- run: 'acct-cledivarilo'

SELECT id, date, SUM(amount) OVER (ORDER BY date, starting_balance_flag DESC, sort_order, id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND \
CURRENT ROW) AS balance
FROM v_transactions_internal_alive WHERE account = ?

-- best
-- index: transactions (acct)

-- statement: actual-07
-- is: full-scan, harmful-index, join-order, sort-without-index
-- because: whether a row of a bank is known: all rows are read in their order
-- run: 'FITbrakigucece5003', 'acct-wethapedri' | 'FITnope77', 'acct-tustafofodi'

SELECT id, date, amount, payee, category, notes, cleared FROM v_transactions WHERE imported_id = ? AND account = ?

-- best
-- index: transactions (financial_id)

-- or
-- index: transactions (financial_id, acct)

-- statement: actual-08
-- is: expression-index, full-scan, index-not-covering, sort-without-index
-- because: what may be the same row, within some days: all of these days are looked up, where few have the amount
-- run: 20200101, 20200115, -1200, 'acct-wethapedri'

SELECT id, date, amount FROM v_transactions WHERE date >= ? AND date <= ? AND amount = ? AND account = ?

-- best
-- index: transactions (IFNULL(amount, 0), date)

-- statement: actual-09
-- is: full-scan, harmful-index, index-not-covering, partial-index, sort-without-index
-- because: what a schedule made: all since are read
-- run: 'sch-7', 20160101

SELECT id, date, amount FROM v_transactions WHERE schedule = ? AND date >= ?

-- best
-- index: transactions (schedule)

-- or
-- index: transactions (schedule, date)

-- statement: actual-10
-- is: automatic-index, full-scan, join-order, subquery-per-row
-- because: payees that nothing names: each is looked for in the JSON of all rules

SELECT p.id FROM payees p
LEFT JOIN payee_mapping pm ON pm.id = p.id
LEFT JOIN v_transactions_internal_alive t ON t.payee = pm.targetId
WHERE p.tombstone = 0 AND p.transfer_acct IS NULL AND t.id IS NULL AND NOT EXISTS (
  SELECT 1 FROM rules r, json_each(r.conditions) AS cond
  WHERE r.tombstone = 0 AND json_extract(cond.value, '$.field') = 'description' AND json_extract(cond.value, '$.value') = pm.targetId)

-- best

SELECT p.id FROM payees p
LEFT JOIN payee_mapping pm ON pm.id = p.id
WHERE p.tombstone = 0 AND p.transfer_acct IS NULL
AND (pm.targetId IS NULL OR pm.targetId NOT IN (SELECT t.payee FROM v_transactions_internal_alive t WHERE t.payee IS NOT NULL))
AND (pm.targetId IS NULL OR pm.targetId NOT IN (
  SELECT json_extract(cond.value, '$.value') FROM rules r, json_each(r.conditions) AS cond
  WHERE r.tombstone = 0 AND json_extract(cond.value, '$.field') = 'description' AND json_extract(cond.value, '$.value') IS NOT NULL))

-- statement: actual-11
-- fine
-- tolerated: group-without-index, index-not-covering, sort-without-index
-- because: who was paid most often since the new year, by the days
-- run: 20250101

SELECT p.id, p.name, p.favorite, count(*) AS c, max(t.date) AS latest
FROM payees p LEFT JOIN v_transactions_internal_alive t ON t.payee = p.id
WHERE LENGTH(p.name) > 0 AND p.tombstone = 0 AND t.date > ?
GROUP BY p.id ORDER BY c DESC, p.transfer_acct IS NULL DESC, p.name COLLATE NOCASE LIMIT 10

-- statement: actual-12
-- is: full-scan
-- because: the budgets of a month
-- run: 201903 | 202011

SELECT category, amount, carryover, goal FROM zero_budgets WHERE month = ?

-- best
-- index: zero_budgets (month)

-- or
-- index: zero_budgets (month, category)

-- statement: actual-13
-- is: full-scan, group-without-index
-- because: the budgets of half a year
-- run: 201901, 201907

SELECT category, sum(amount) AS amount FROM zero_budgets WHERE month >= ? AND month < ? GROUP BY category

-- best
-- index: zero_budgets (month, category, amount)

-- or
-- index: zero_budgets (month)

-- statement: actual-14
-- fine
-- because: whether something newer is known, by an index that has all of it
-- run: 'transactions', 'mucejetubastagruva', 'amount', '2016-01-01'

SELECT timestamp FROM messages_crdt WHERE dataset = ? AND row = ? AND column = ? AND timestamp >= ?

-- statement: actual-15
-- fine
-- because: what changed since, by its unique index
-- run: '2022-06-01'

SELECT timestamp, dataset, row, column, value FROM messages_crdt WHERE timestamp > ? ORDER BY timestamp LIMIT 1000

-- statement: actual-16
-- fine
-- tolerated: expression-index, group-without-index, index-not-covering
-- because: a year by category and month, by its days
-- run: 20230101, 20231231

SELECT t.category AS category, t.date / 100 AS month, SUM(t.amount) AS amount FROM v_transactions_internal_alive t LEFT JOIN accounts a ON \
a.id = t.account
WHERE t.date >= ? AND t.date <= ? AND t.category IS NOT NULL AND a.offbudget = 0 GROUP BY t.category, t.date / 100
