-- schema: firefly
-- about: A personal finance manager: groups of journals of two transactions each, in accounts, categories, budgets and tags; only keys \
--   have indexes.
-- origin: Firefly III 5.7 (AGPL-3.0-or-later, Copyright James Cole): twenty of its tables as its migrations make them on SQLite, columns \
--   that it adds later in their place

CREATE TABLE "users" ("id" integer not null primary key autoincrement, "created_at" datetime, "updated_at" datetime, "email" varchar not \
null, "password" varchar not null, "remember_token" varchar, "reset" varchar, "blocked" tinyint(1) not null default 0, "blocked_code" \
varchar);
CREATE TABLE "account_types" ("id" integer not null primary key autoincrement, "created_at" datetime, "updated_at" datetime, "type" \
varchar not null, unique("type"));
CREATE TABLE "transaction_types" ("id" integer not null primary key autoincrement, "created_at" datetime, "updated_at" datetime, \
"deleted_at" datetime, "type" varchar not null, unique("type"));
CREATE TABLE "transaction_currencies" ("id" integer not null primary key autoincrement, "created_at" datetime, "updated_at" datetime, \
"deleted_at" datetime, "code" varchar not null, "name" varchar not null, "symbol" varchar not null, "decimal_places" integer not null \
default 2, "enabled" tinyint(1) not null default 0, unique("code"));
CREATE TABLE "accounts" ("id" integer not null primary key autoincrement, "created_at" datetime, "updated_at" datetime, "deleted_at" \
datetime, "user_id" integer not null, "account_type_id" integer not null, "name" varchar not null, "virtual_balance" numeric, "iban" \
varchar, "active" tinyint(1) not null default 1, "order" integer not null default 0, foreign key("user_id") references "users"("id") on \
delete cascade, foreign key("account_type_id") references "account_types"("id") on delete cascade);
CREATE TABLE "bills" ("id" integer not null primary key autoincrement, "created_at" datetime, "updated_at" datetime, "deleted_at" \
datetime, "user_id" integer not null, "name" varchar not null, "amount_min" numeric not null, "amount_max" numeric not null, "date" date \
not null, "repeat_freq" varchar not null, "active" tinyint(1) not null default 1, foreign key("user_id") references "users"("id") on \
delete cascade);
CREATE TABLE "categories" ("id" integer not null primary key autoincrement, "created_at" datetime, "updated_at" datetime, "deleted_at" \
datetime, "user_id" integer not null, "name" varchar not null, foreign key("user_id") references "users"("id") on delete cascade);
CREATE TABLE "budgets" ("id" integer not null primary key autoincrement, "created_at" datetime, "updated_at" datetime, "deleted_at" \
datetime, "user_id" integer not null, "name" varchar not null, "active" tinyint(1) not null default 1, "order" integer not null default 0, \
foreign key("user_id") references "users"("id") on delete cascade);
CREATE TABLE "budget_limits" ("id" integer not null primary key autoincrement, "created_at" datetime, "updated_at" datetime, "budget_id" \
integer not null, "start_date" date not null, "end_date" date, "amount" numeric not null, "period" varchar, foreign key("budget_id") \
references "budgets"("id") on delete cascade);
CREATE TABLE "tags" ("id" integer not null primary key autoincrement, "created_at" datetime, "updated_at" datetime, "deleted_at" datetime, \
"user_id" integer not null, "tag" varchar not null, "tagMode" varchar not null, "date" date, "description" text, foreign key("user_id") \
references "users"("id") on delete cascade);
CREATE TABLE "preferences" ("id" integer not null primary key autoincrement, "created_at" datetime, "updated_at" datetime, "user_id" \
integer not null, "name" varchar not null, "data" text not null, foreign key("user_id") references "users"("id") on delete cascade);
CREATE TABLE "transaction_groups" ("id" integer not null primary key autoincrement, "created_at" datetime, "updated_at" datetime, \
"deleted_at" datetime, "user_id" integer not null, "title" varchar, foreign key("user_id") references "users"("id") on delete cascade);
CREATE TABLE "transaction_journals" ("id" integer not null primary key autoincrement, "created_at" datetime, "updated_at" datetime, \
"deleted_at" datetime, "user_id" integer not null, "transaction_type_id" integer not null, "transaction_group_id" integer, "bill_id" \
integer, "transaction_currency_id" integer, "description" varchar not null, "date" datetime not null, "interest_date" date, "book_date" \
date, "process_date" date, "order" integer not null default 0, "tag_count" integer not null, "encrypted" tinyint(1) not null default 1, \
"completed" tinyint(1) not null default 1, foreign key("user_id") references "users"("id") on delete cascade, foreign \
key("transaction_type_id") references "transaction_types"("id") on delete cascade, foreign key("transaction_group_id") references \
"transaction_groups"("id") on delete cascade, foreign key("bill_id") references "bills"("id") on delete set null, foreign \
key("transaction_currency_id") references "transaction_currencies"("id") on delete set null);
CREATE TABLE "transactions" ("id" integer not null primary key autoincrement, "created_at" datetime, "updated_at" datetime, "deleted_at" \
datetime, "reconciled" tinyint(1) not null default 0, "account_id" integer not null, "transaction_journal_id" integer not null, \
"description" varchar, "transaction_currency_id" integer, "amount" numeric not null, "foreign_amount" numeric, "foreign_currency_id" \
integer, "identifier" integer not null default 0, foreign key("account_id") references "accounts"("id") on delete cascade, foreign \
key("transaction_journal_id") references "transaction_journals"("id") on delete cascade);
CREATE TABLE "journal_meta" ("id" integer not null primary key autoincrement, "created_at" datetime, "updated_at" datetime, "deleted_at" \
datetime, "transaction_journal_id" integer not null, "name" varchar not null, "data" text not null, "hash" varchar not null, foreign \
key("transaction_journal_id") references "transaction_journals"("id") on delete cascade);
CREATE TABLE "category_transaction_journal" ("id" integer not null primary key autoincrement, "category_id" integer not null, \
"transaction_journal_id" integer not null, foreign key("category_id") references "categories"("id") on delete cascade, foreign \
key("transaction_journal_id") references "transaction_journals"("id") on delete cascade);
CREATE TABLE "budget_transaction_journal" ("id" integer not null primary key autoincrement, "budget_id" integer not null, \
"budget_limit_id" integer, "transaction_journal_id" integer not null, foreign key("budget_id") references "budgets"("id") on delete \
cascade, foreign key("budget_limit_id") references "budget_limits"("id") on delete set null, foreign key("transaction_journal_id") \
references "transaction_journals"("id") on delete cascade);
CREATE TABLE "tag_transaction_journal" ("id" integer not null primary key autoincrement, "tag_id" integer not null, \
"transaction_journal_id" integer not null, foreign key("tag_id") references "tags"("id") on delete cascade, foreign \
key("transaction_journal_id") references "transaction_journals"("id") on delete cascade);
CREATE UNIQUE INDEX "tag_transaction_journal_tag_id_transaction_journal_id_unique" ON "tag_transaction_journal" ("tag_id", "transaction_journal_id");
CREATE TABLE "notes" ("id" integer not null primary key autoincrement, "created_at" datetime, "updated_at" datetime, "deleted_at" \
datetime, "noteable_id" integer not null, "noteable_type" varchar not null, "title" varchar, "text" text);
CREATE TABLE "audit_log_entries" ("id" integer not null primary key autoincrement, "created_at" datetime, "updated_at" datetime, \
"deleted_at" datetime, "auditable_id" integer not null, "auditable_type" varchar not null, "changer_id" integer not null, "changer_type" \
varchar not null, "action" varchar not null, "before" text, "after" text);

INSERT INTO users (id, email, password) SELECT i, word(i) || '@' || word(i % 3) || '.example', 'x' FROM numbers WHERE i <= 4;
INSERT INTO account_types (id, type) VALUES (1, 'Default account'), (2, 'Cash account'), (3, 'Asset account'), (4, 'Expense account'), (5, \
'Revenue account'), (6, 'Initial balance account'), (7, 'Beneficiary account'), (8, 'Import account'), (9, 'Loan');
INSERT INTO transaction_types (id, type) VALUES (1, 'Withdrawal'), (2, 'Deposit'), (3, 'Transfer'), (4, 'Opening balance'), (5, 'Reconciliation');
INSERT INTO transaction_currencies (id, code, name, symbol, enabled) SELECT i, upper(substr(word(i * 37), 1, 2)) || char(64 + i), word(i), \
'$', i < 4 FROM numbers WHERE i <= 24;
INSERT INTO accounts (id, created_at, deleted_at, user_id, account_type_id, name, iban, active)
SELECT i, '2016-01-01 00:00:00', iif(chance(1, i) < 0.04, '2020-02-02 10:00:00', NULL), iif(i <= 8 OR chance(2, i) < 0.9, 1, 2), CASE WHEN \
i <= 8 THEN 3 WHEN i % 9 = 0 THEN 5 ELSE 4 END, title(3, i, 2), iif(chance(4, i) < 0.3, printf('NL%02d%s%010d', i % 90, 'INGB', i * 7919), \
NULL), chance(5, i) < 0.9 FROM numbers WHERE i <= 1800;
INSERT INTO bills (id, user_id, name, amount_min, amount_max, date, repeat_freq) SELECT i, 1, title(6, i, 2), i * 2, i * 2 + 10, \
'2016-01-05', 'monthly' FROM numbers WHERE i <= 30;
INSERT INTO categories (id, user_id, name) SELECT i, iif(i % 6 = 0, 2, 1), title(7, i, 1) FROM numbers WHERE i <= 80;
INSERT INTO budgets (id, user_id, name) SELECT i, iif(i % 6 = 0, 2, 1), title(8, i, 1) FROM numbers WHERE i <= 14;
INSERT INTO budget_limits (id, budget_id, start_date, end_date, amount, period) SELECT 96 * (b.i - 1) + m.i, b.i, date('2015-12-01', '+' \
|| m.i || ' months'), date('2016-01-01', '+' || m.i || ' months', '-1 day'), 50 * pick(9, m.i * 20 + b.i, 12), 'monthly' FROM numbers AS b \
JOIN numbers AS m ON m.i <= 96 WHERE b.i <= 14;
INSERT INTO tags (id, user_id, tag, tagMode) SELECT i, 1, word(i), 'nothing' FROM numbers WHERE i <= 240;
INSERT INTO preferences (id, user_id, name, data) SELECT i, 1 + i % 4, word(i / 4), '"' || word(i) || '"' FROM numbers WHERE i <= 110;
INSERT INTO transaction_groups (id, created_at, deleted_at, user_id, title) SELECT i, datetime('2016-01-01', '+' || (i * 123) || ' \
minutes'), iif(chance(10, i) < 0.02, '2022-01-01 10:00:00', NULL), iif(chance(11, i) < 0.88, 1, 2), iif(i % 20 = 0, title(12, i, 3), NULL) \
FROM numbers WHERE i <= 30000;
INSERT INTO transaction_journals (id, created_at, updated_at, deleted_at, user_id, transaction_type_id, transaction_group_id, bill_id, \
transaction_currency_id, description, date, "order", tag_count)
SELECT i, datetime('2016-01-01', '+' || (g.id * 123) || ' minutes'), datetime('2016-01-01', '+' || (g.id * 123 + 5) || ' minutes'), \
g.deleted_at, g.user_id, CASE WHEN chance(13, i) < 0.8 THEN 1 WHEN chance(13, i) < 0.92 THEN 2 ELSE 3 END, g.id, iif(chance(14, i) < 0.05, \
pick(15, i, 30), NULL), iif(chance(16, i) < 0.95, 1, 2), title(17, i, 2 + pick(18, i, 4)),
  datetime('2016-01-01', printf('%+d minutes', g.id * 123 - pick(19, i, 12000)), 'start of day'), i % 3, 0
FROM numbers JOIN transaction_groups AS g ON g.id = i - i / 16 WHERE i <= 32000;
INSERT INTO transactions (created_at, updated_at, deleted_at, reconciled, account_id, transaction_journal_id, transaction_currency_id, amount)
SELECT j.created_at, j.updated_at, j.deleted_at, chance(20, j.id) < 0.3, CASE WHEN (n.i = 1) = (j.transaction_type_id <> 2) THEN \
skewed(21, j.id, 8) WHEN j.transaction_type_id = 3 THEN 9 - skewed(21, j.id, 8) ELSE 8 + skewed(22, j.id, 1790) END, j.id, 1, (2 * n.i - \
3) * skewed(23, j.id, 9000) / 4.0
FROM transaction_journals AS j JOIN numbers AS n ON n.i <= 2;
UPDATE transactions SET amount = amount + 0.5 WHERE id % 9001 = 0;
INSERT INTO journal_meta (transaction_journal_id, name, data, hash) SELECT id, 'import_hash_v2', '"' || printf('%08x%056x', pick(24, id, \
4294967295), id) || '"', printf('%064x', id * 7919) FROM transaction_journals;
INSERT INTO journal_meta (transaction_journal_id, name, data, hash) SELECT id, 'external_id', '"' || printf('%d-%05d', pick(25, id, \
99999), id) || '"', printf('%064x', id * 104729) FROM transaction_journals WHERE chance(26, id) < 0.6;
INSERT INTO journal_meta (transaction_journal_id, name, data, hash) SELECT id, 'original_source', '"ff3-v5.7.' || (id / 6000) || '"', \
printf('%064x', id / 6000) FROM transaction_journals WHERE chance(27, id) < 0.5;
INSERT INTO category_transaction_journal (category_id, transaction_journal_id) SELECT skewed(28, id, 80), id FROM transaction_journals \
WHERE chance(29, id) < 0.8;
INSERT INTO budget_transaction_journal (budget_id, transaction_journal_id) SELECT skewed(30, id, 14), id FROM transaction_journals WHERE \
transaction_type_id = 1 AND chance(31, id) < 0.7;
INSERT OR IGNORE INTO tag_transaction_journal (tag_id, transaction_journal_id) SELECT skewed(32, j.id * 4 + n.i, 240), j.id FROM \
transaction_journals AS j JOIN numbers AS n ON n.i <= 3 WHERE chance(33, j.id * 4 + n.i) < 0.25;
INSERT INTO notes (noteable_id, noteable_type, text) SELECT i * 7, iif(i % 5 = 0, 'FireflyIII\Models\Account', \
'FireflyIII\Models\TransactionJournal'), prose(34, i, 40 + pick(35, i, 400)) FROM numbers WHERE i <= 4500;
INSERT INTO audit_log_entries (created_at, auditable_id, auditable_type, changer_id, changer_type, action, before, after)
SELECT datetime('2022-01-01', '+' || (i * 30) || ' minutes'), 14000 + i, 'FireflyIII\Models\TransactionJournal', skewed(36, i, 30), \
'FireflyIII\Models\Rule', CASE i % 4 WHEN 0 THEN 'update_category' WHEN 1 THEN 'add_tag' WHEN 2 THEN 'update_amount' ELSE \
'update_description' END,
  iif(chance(37, i) < 0.5, NULL, json_object('name', title(38, i, 2))), json_object('name', title(39, i, 2), 'tag', word(skewed(40, i, \
240)), 'rule', json_object('id', skewed(36, i, 30), 'strict', i % 2)) FROM numbers WHERE i <= 16000;

-- statement: firefly-01
-- is: full-scan
-- because: the balance of an account on a day: all transactions are read
-- run: 700, '2023-01-01 23:59:59' | 8, '2021-06-30 23:59:59'

SELECT sum(t.amount) AS balance FROM transactions AS t LEFT JOIN transaction_journals AS j ON j.id = t.transaction_journal_id WHERE \
t.account_id = ? AND t.deleted_at IS NULL AND j.deleted_at IS NULL AND j.date <= ?

-- best
-- index: transactions (account_id, deleted_at, transaction_journal_id, amount)

-- or
-- index: transactions (account_id)

-- statement: firefly-02
-- is: automatic-index, full-scan, sort-without-index
-- because: the journals of a month with both of their transactions: SQLite makes indexes for each run
-- run: 1, '2021-03-01 00:00:00', '2021-03-31 23:59:59'

SELECT j.id, j.description, j.date, s.account_id AS source, d.account_id AS destination, d.amount, c.name AS category FROM transaction_journals AS j
JOIN transactions AS s ON s.transaction_journal_id = j.id AND s.amount < 0 JOIN transactions AS d ON d.transaction_journal_id = j.id AND d.amount > 0
LEFT JOIN category_transaction_journal AS cj ON cj.transaction_journal_id = j.id LEFT JOIN categories AS c ON c.id = cj.category_id
WHERE j.user_id = ? AND j.deleted_at IS NULL AND j.date >= ? AND j.date <= ? ORDER BY j.date DESC, j."order", j.id DESC LIMIT 50

-- best
-- index: transactions (transaction_journal_id)
-- index: category_transaction_journal (transaction_journal_id)
-- index: transaction_journals (user_id, date)

-- statement: firefly-03
-- is: foreign-key-without-index
-- because: a journal goes for good: five tables are read for what refers to it
-- run: 31003

DELETE FROM transaction_journals WHERE id = ?

-- best
-- index: transactions (transaction_journal_id)
-- index: journal_meta (transaction_journal_id)
-- index: category_transaction_journal (transaction_journal_id)
-- index: budget_transaction_journal (transaction_journal_id)
-- index: tag_transaction_journal (transaction_journal_id)

-- statement: firefly-04
-- is: automatic-index, full-scan, join-fan-out, multiplied-aggregate
-- because: what was spent with any of some tags: what has two of them is counted twice
-- run: 1

SELECT c.name, sum(-t.amount) AS spent, count(*) AS n FROM categories AS c JOIN category_transaction_journal AS cj ON cj.category_id = \
c.id JOIN transactions AS t ON t.transaction_journal_id = cj.transaction_journal_id AND t.amount < 0
JOIN tag_transaction_journal AS tj ON tj.transaction_journal_id = t.transaction_journal_id WHERE c.user_id = ? AND tj.tag_id IN (1, 2, 3, \
4, 5, 6, 7, 8) GROUP BY c.id ORDER BY c.name

-- best
-- index: transactions (transaction_journal_id)
-- index: category_transaction_journal (transaction_journal_id)
-- changes results

SELECT c.name, sum(-t.amount) AS spent, count(*) AS n FROM categories AS c JOIN category_transaction_journal AS cj ON cj.category_id = \
c.id JOIN transactions AS t ON t.transaction_journal_id = cj.transaction_journal_id AND t.amount < 0
WHERE c.user_id = ? AND cj.transaction_journal_id IN (SELECT transaction_journal_id FROM tag_transaction_journal WHERE tag_id IN (1, 2, 3, \
4, 5, 6, 7, 8)) GROUP BY c.id ORDER BY c.name

-- statement: firefly-05
-- is: expression-index, full-scan, function-on-column
-- because: the months of a year: the year is taken from each date
-- run: 1, '2019'

SELECT strftime('%m', j.date) AS month, count(*) AS n FROM transaction_journals AS j WHERE j.user_id = ? AND strftime('%Y', j.date) = ? \
AND j.deleted_at IS NULL GROUP BY month ORDER BY month

-- best
-- index: transaction_journals (user_id, date, deleted_at)

SELECT strftime('%m', j.date) AS month, count(*) AS n FROM transaction_journals AS j WHERE j.user_id = ?1 AND j.date >= ?2 || '-01-01' AND \
j.date < (?2 + 1) || '-01-01' AND j.deleted_at IS NULL GROUP BY month ORDER BY month

-- or
-- index: transaction_journals (user_id, strftime('%Y', date))

-- statement: firefly-06
-- fine
-- tolerated: full-scan
-- because: a preference: a table of some hundred rows
-- run: 2, 'cece'

SELECT * FROM preferences WHERE user_id = ? AND name = ? LIMIT 1

-- statement: firefly-07
-- is: full-scan
-- because: whether something was imported already: all of the metadata is read
-- run: '"9f76751c00000000000000000000000000000000000000000000000000004e2b"' | '"none"'

SELECT transaction_journal_id FROM journal_meta WHERE name = 'import_hash_v2' AND data = ? AND deleted_at IS NULL

-- best
-- index: journal_meta (data)

-- or
-- index: journal_meta (name, data)

-- statement: firefly-08
-- is: full-scan, group-without-index, partial-index
-- because: journals whose transactions do not add up to nothing: all have to be grouped, for which they are sorted

SELECT transaction_journal_id, sum(amount) AS total FROM transactions WHERE deleted_at IS NULL GROUP BY transaction_journal_id HAVING \
abs(sum(amount)) > 0.001

-- best
-- index: transactions (transaction_journal_id, amount) WHERE deleted_at IS NULL

-- statement: firefly-09
-- fine
-- tolerated: full-scan
-- because: groups without a journal: both tables are read once

SELECT g.id FROM transaction_groups AS g WHERE g.id NOT IN (SELECT transaction_group_id FROM transaction_journals WHERE \
transaction_group_id IS NOT NULL) AND g.deleted_at IS NULL

-- statement: firefly-10
-- is: expression-index, full-scan, function-on-column
-- because: when rules set a tag: a member of a document
-- run: 'tuxi' | 'hafoce'

SELECT auditable_id, created_at FROM audit_log_entries WHERE action = 'add_tag' AND json_extract(after, '$.tag') = ? ORDER BY created_at DESC

-- best
-- index: audit_log_entries (action, json_extract(after, '$.tag'), created_at)

-- or
-- index: audit_log_entries (json_extract(after, '$.tag'))

-- statement: firefly-11
-- is: full-scan
-- because: some journals are reconciled: all transactions are read for theirs
-- run: 401, 402, 28000, 31000

UPDATE transactions SET reconciled = 1 WHERE transaction_journal_id IN (?, ?, ?, ?) AND deleted_at IS NULL

-- best
-- index: transactions (transaction_journal_id)

-- statement: firefly-12
-- is: automatic-index, full-scan, subquery-per-row
-- because: what is left of each budget in a month: for each, all transactions are read
-- run: 1, '2020-05-01'

SELECT b.name, l.start_date, l.amount, (SELECT sum(t.amount) FROM budget_transaction_journal AS bj JOIN transaction_journals AS j ON j.id \
= bj.transaction_journal_id JOIN transactions AS t ON t.transaction_journal_id = j.id AND t.amount < 0 WHERE bj.budget_id = b.id AND \
j.date >= l.start_date AND j.date <= l.end_date || ' 23:59:59') AS spent
FROM budgets AS b JOIN budget_limits AS l ON l.budget_id = b.id WHERE b.user_id = ? AND l.start_date = ? ORDER BY b.name

-- best
-- index: budget_transaction_journal (budget_id, transaction_journal_id)
-- index: transactions (transaction_journal_id)
-- index: transaction_journals (date)

-- or
-- index: transactions (transaction_journal_id)
-- index: transaction_journals (date)
-- index: budget_transaction_journal (transaction_journal_id)

-- statement: firefly-13
-- fine
-- tolerated: full-scan
-- because: all transactions for an export, in the order in which they are

SELECT t.id, j.date, j.description, a.name, ty.type, t.amount, cu.code FROM transactions AS t JOIN transaction_journals AS j ON j.id = \
t.transaction_journal_id JOIN accounts AS a ON a.id = t.account_id JOIN transaction_types AS ty ON ty.id = j.transaction_type_id
LEFT JOIN transaction_currencies AS cu ON cu.id = t.transaction_currency_id WHERE t.deleted_at IS NULL ORDER BY t.id

-- statement: firefly-14
-- fine
-- tolerated: full-scan, sort-without-index
-- because: the most frequent tags, counted in the unique index

SELECT ta.tag, count(*) AS n FROM tags AS ta JOIN tag_transaction_journal AS tj ON tj.tag_id = ta.id WHERE ta.deleted_at IS NULL GROUP BY \
ta.id ORDER BY n DESC, ta.tag LIMIT 20

-- statement: firefly-15
-- fine
-- because: some journals by key
-- run: 12, 13000, 29000

SELECT j.description, g.title, b.name FROM transaction_journals AS j JOIN transaction_groups AS g ON g.id = j.transaction_group_id LEFT \
JOIN bills AS b ON b.id = j.bill_id WHERE j.id IN (?, ?, ?)

-- statement: firefly-16
-- fine
-- tolerated: full-scan
-- because: a tag is put on a journal; there are few tags
-- run: 17, 'mupli'

INSERT INTO tag_transaction_journal (tag_id, transaction_journal_id) SELECT id, ? FROM tags WHERE user_id = 1 AND tag = ?
