-- schema: grocy
-- about: What is in the kitchen: each purchase and each use in a journal, and a view over it.
-- origin: grocy 4, migration 250 (MIT, Copyright Bernd Bestel): eight of its tables with their indexes and two of its views, of the \
--   products' columns nine

CREATE TABLE locations (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT UNIQUE, name TEXT NOT NULL UNIQUE, description TEXT);
CREATE TABLE quantity_units (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT UNIQUE, name TEXT NOT NULL UNIQUE, name_plural TEXT);
CREATE TABLE products (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT UNIQUE, name TEXT NOT NULL UNIQUE, description TEXT, product_group_id INTEGER,
  active TINYINT NOT NULL DEFAULT 1 CHECK(active IN (0, 1)), location_id INTEGER NOT NULL, qu_id_stock INTEGER NOT NULL,
  min_stock_amount INTEGER NOT NULL DEFAULT 0, parent_product_id INT);
CREATE INDEX ix_products_performance1 ON products (parent_product_id);
CREATE INDEX ix_products_performance2 ON products (CASE WHEN parent_product_id IS NULL THEN id ELSE parent_product_id END, active);
CREATE TABLE product_barcodes (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT UNIQUE, product_id INT NOT NULL, barcode TEXT NOT NULL, qu_id INT, amount REAL,
  shopping_location_id INTEGER, last_price DECIMAL(15, 2));
CREATE UNIQUE INDEX ix_product_barcodes ON product_barcodes (barcode);
CREATE TABLE stock (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT UNIQUE, product_id INTEGER NOT NULL, amount DECIMAL(15, 2) NOT NULL, best_before_date DATE,
  purchased_date DATE, stock_id TEXT NOT NULL, price DECIMAL(15, 2), open TINYINT NOT NULL DEFAULT 0 CHECK(open IN (0, 1)),
  opened_date DATETIME, row_created_timestamp DATETIME, location_id INTEGER, shopping_location_id INTEGER);
CREATE INDEX ix_stock_performance1 ON stock (product_id, open, best_before_date, amount);
CREATE TABLE stock_log (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT UNIQUE, product_id INTEGER NOT NULL, amount DECIMAL(15, 2) NOT NULL, best_before_date DATE,
  purchased_date DATE, used_date DATE, spoiled INTEGER NOT NULL DEFAULT 0, stock_id TEXT NOT NULL, transaction_type TEXT NOT NULL,
  price DECIMAL(15, 2), undone TINYINT NOT NULL DEFAULT 0 CHECK(undone IN (0, 1)), undone_timestamp DATETIME, opened_date DATETIME,
  location_id INTEGER, recipe_id INTEGER, correlation_id TEXT, transaction_id TEXT, stock_row_id INTEGER, shopping_location_id INTEGER,
  user_id INTEGER NOT NULL, row_created_timestamp DATETIME, note TEXT);
CREATE INDEX ix_stock_log_performance1 ON stock_log (stock_id, transaction_type, amount);
CREATE INDEX ix_stock_log_performance2 ON stock_log (product_id, best_before_date, purchased_date, transaction_type, stock_id, undone);
CREATE TABLE chores (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT UNIQUE, name TEXT NOT NULL UNIQUE, description TEXT, period_type TEXT NOT NULL,
  period_interval INTEGER NOT NULL DEFAULT 1, active TINYINT NOT NULL DEFAULT 1);
CREATE INDEX ix_chores_performance1 ON chores (id, active);
CREATE TABLE chores_log (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT UNIQUE, chore_id INTEGER NOT NULL, tracked_time DATETIME, done_by_user_id INTEGER,
  row_created_timestamp DATETIME, undone TINYINT NOT NULL DEFAULT 0, undone_timestamp DATETIME);
CREATE INDEX ix_chores_log_performance1 ON chores_log (chore_id, undone, tracked_time);
CREATE VIEW products_resolved AS
  SELECT CASE WHEN p.parent_product_id IS NULL THEN p.id ELSE p.parent_product_id END AS parent_product_id, p.id AS sub_product_id
  FROM products p WHERE p.active = 1;
CREATE VIEW uihelper_stock_journal AS
  SELECT sl.id, sl.row_created_timestamp, sl.correlation_id, sl.undone, sl.transaction_type, sl.spoiled, sl.amount, sl.location_id,
    l.name AS location_name, p.name AS product_name, qu.name AS qu_name, p.id AS product_id
  FROM stock_log sl JOIN products p ON sl.product_id = p.id JOIN locations l ON sl.location_id = l.id
  JOIN quantity_units qu ON p.qu_id_stock = qu.id;

INSERT INTO locations SELECT i, word(i), '' FROM numbers WHERE i <= 6;
INSERT INTO quantity_units SELECT i, word(i + 40), word(i + 40) || 's' FROM numbers WHERE i <= 8;
INSERT INTO products
SELECT i, title(1, i, 2) || ' ' || i, prose(2, i, 120), pick(3, i, 20), chance(4, i) < 0.95, pick(5, i, 6), pick(6, i, 8), pick(7, i, 4) - 1,
  iif(chance(8, i) < 0.2, pick(9, i, 60), NULL) FROM numbers WHERE i <= 1500;
INSERT INTO product_barcodes SELECT i, pick(10, i, 1500), printf('40%011d', i * 7919), 1, 1, NULL, NULL FROM numbers WHERE i <= 2500;
INSERT INTO stock
SELECT i, skewed(11, i, 1500), pick(12, i, 6), date(1700000000 + pick(13, i, 900) * 86400, 'unixepoch'), date(1690000000 + i * 1000, 'unixepoch'),
  printf('%08x', i * 7919), pick(14, i, 900) / 100.0, chance(15, i) < 0.1, NULL, datetime(1690000000 + i * 1000, 'unixepoch'), pick(16, i, 6), NULL
FROM numbers WHERE i <= 9000;
INSERT INTO stock_log
SELECT i, skewed(17, i, 1500), pick(18, i, 6), date(1600000000 + i * 3000 + pick(19, i, 300) * 86400, 'unixepoch'),
  iif(chance(20, i) < 0.45, date(1600000000 + i * 3000, 'unixepoch'), date(1600000000 + i * 3000 - pick(21, i, 40) * 86400, 'unixepoch')),
  iif(chance(20, i) >= 0.45, date(1600000000 + i * 3000, 'unixepoch'), NULL), chance(22, i) < 0.04, printf('%08x', pick(23, i, 20000) * 7919),
  CASE WHEN chance(20, i) < 0.45 THEN 'purchase' WHEN chance(20, i) < 0.9 THEN 'consume' WHEN chance(20, i) < 0.95 THEN \
'inventory-correction' ELSE 'product-opened' END,
  pick(24, i, 900) / 100.0, chance(25, i) < 0.02, NULL, NULL, pick(26, i, 6), NULL, printf('c%07x', i / 2), printf('t%07x', i / 3), i, \
NULL, pick(27, i, 3),
  datetime(1600000000 + i * 3000, 'unixepoch'), iif(chance(28, i) < 0.1, prose(29, i, 60), NULL)
FROM numbers WHERE i <= 40000;
INSERT INTO chores SELECT i, title(30, i, 2) || ' ' || i, '', 'weekly', 1, 1 FROM numbers WHERE i <= 120;
INSERT INTO chores_log SELECT i, pick(31, i, 120), datetime(1600000000 + i * 5000, 'unixepoch'), pick(32, i, 3), datetime(1600000000 + i * \
5000, 'unixepoch'),
  chance(33, i) < 0.02, NULL FROM numbers WHERE i <= 20000;

-- statement: grocy-01
-- is: full-scan, sort-without-index
-- because: the journal of a week, from all that was ever bought
-- run: '2024-06-25 00:00:00' | '2024-07-01 00:00:00'

SELECT * FROM uihelper_stock_journal WHERE row_created_timestamp > ? ORDER BY row_created_timestamp DESC

-- best
-- index: stock_log (row_created_timestamp)

-- statement: grocy-02
-- is: full-scan, index-not-covering, partial-index
-- because: what went bad of one product: one in fifty of its rows
-- run: 1 | 3

SELECT sum(amount) FROM stock_log WHERE product_id = ? AND transaction_type = 'consume' AND undone = 0 AND spoiled = 1

-- best
-- index: stock_log (product_id, spoiled)

-- or
-- index: stock_log (product_id, transaction_type, undone, spoiled, amount)

-- statement: grocy-03
-- is: index-not-covering, sort-without-index, subquery-per-row
-- because: the last price of each product: all its purchases are sorted each time

SELECT p.id, p.name, (SELECT sl.price FROM stock_log sl WHERE sl.product_id = p.id AND sl.transaction_type = 'purchase' AND sl.undone = 0
  ORDER BY sl.purchased_date DESC, sl.id DESC LIMIT 1) AS last_price FROM products p WHERE p.active = 1

-- best
-- index: stock_log (product_id, transaction_type, undone, purchased_date)

-- or
-- index: stock_log (product_id, transaction_type, purchased_date)

-- or
-- index: stock_log (product_id, purchased_date)

-- statement: grocy-04
-- is: full-scan
-- because: to undo a purchase
-- run: 't00007d0' | 't0001000'

SELECT * FROM stock_log WHERE transaction_id = ?

-- best
-- index: stock_log (transaction_id)

-- statement: grocy-05
-- fine
-- tolerated: full-scan, group-without-index
-- because: an index of just these columns, in the order of the groups

SELECT product_id, sum(amount) AS amount, min(best_before_date) AS best_before_date FROM stock WHERE open = 0 GROUP BY product_id

-- statement: grocy-06
-- is: full-scan, sort-without-index
-- because: what is due soon
-- run: '2023-11-30' | '2023-11-20'

SELECT s.id, s.product_id, s.amount, s.best_before_date, p.name FROM stock s JOIN products p ON p.id = s.product_id WHERE \
s.best_before_date <= ? ORDER BY s.best_before_date

-- best
-- index: stock (best_before_date)

-- statement: grocy-07
-- is: full-scan, group-without-index, index-not-covering, join-fan-out, join-order
-- because: the index has the last time at its end, and all of them are read

SELECT h.id, h.name, max(l.tracked_time) AS last_tracked_time FROM chores h LEFT JOIN chores_log l ON l.chore_id = h.id AND l.undone = 0
WHERE h.active = 1 GROUP BY h.id

-- best

SELECT h.id, h.name, (SELECT max(l.tracked_time) FROM chores_log l WHERE l.chore_id = h.id AND l.undone = 0) AS last_tracked_time
FROM chores h WHERE h.active = 1

-- statement: grocy-08
-- fine
-- because: what was scanned
-- run: '4000000007919'

SELECT b.product_id, p.name FROM product_barcodes b JOIN products p ON p.id = b.product_id WHERE b.barcode = ?

-- statement: grocy-09
-- is: full-scan
-- because: a quarter of four years
-- run: '2024-04-01'

SELECT strftime('%Y-%m', used_date) AS month, round(sum(amount * price), 2) FROM stock_log
WHERE transaction_type = 'consume' AND undone = 0 AND used_date >= ? GROUP BY month ORDER BY month

-- best
-- index: stock_log (transaction_type, used_date, undone, amount, price)

-- or
-- index: stock_log (transaction_type, used_date)

-- or
-- index: stock_log (used_date)

-- statement: grocy-10
-- fine
-- tolerated: full-scan, group-without-index
-- because: an index on that very expression

SELECT pr.parent_product_id, count(*) FROM products_resolved pr GROUP BY pr.parent_product_id HAVING count(*) > 1
