-- schema: commerce
-- about: A shop: customers, orders, lines, stock and an import log with keys as text; analyzed.
-- superfluous: redundant-index order_line_order

CREATE TABLE customer (
  id INTEGER PRIMARY KEY, email TEXT NOT NULL, name TEXT NOT NULL, country TEXT NOT NULL, city TEXT NOT NULL,
  joined TEXT NOT NULL, notes TEXT);
CREATE TABLE product (
  id INTEGER PRIMARY KEY, sku TEXT NOT NULL UNIQUE, name TEXT NOT NULL, category_id INTEGER NOT NULL,
    price REAL NOT NULL,
  description TEXT NOT NULL);
CREATE TABLE orders (
  id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customer (id), status TEXT NOT NULL,
  currency TEXT NOT NULL, country TEXT NOT NULL, placed_at TEXT NOT NULL, total REAL NOT NULL, tax REAL NOT NULL,
  shipping REAL NOT NULL, address TEXT NOT NULL);
CREATE TABLE order_line (
  id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL REFERENCES orders (id), line_no INTEGER NOT NULL,
  product_id INTEGER NOT NULL REFERENCES product (id), quantity INTEGER NOT NULL, price REAL NOT NULL);
CREATE TABLE stock (
  product_id INTEGER NOT NULL, warehouse TEXT NOT NULL, quantity INTEGER NOT NULL, reorder_level INTEGER NOT NULL,
  PRIMARY KEY (product_id, warehouse)) WITHOUT ROWID;
CREATE TABLE payment (id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL, amount REAL NOT NULL,
  method TEXT NOT NULL);
CREATE TABLE ticket (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL, opened TEXT NOT NULL,
  subject TEXT NOT NULL);
CREATE TABLE import_log (id INTEGER PRIMARY KEY, order_ref TEXT NOT NULL, file TEXT NOT NULL,
  line INTEGER NOT NULL);
CREATE TABLE order_archive (id INTEGER PRIMARY KEY, customer_id INTEGER, placed_at TEXT, total REAL);
CREATE TABLE tax_rate (country TEXT PRIMARY KEY, rate REAL NOT NULL);
CREATE INDEX customer_email_nocase ON customer (email COLLATE NOCASE);
CREATE INDEX orders_customer ON orders (customer_id);
CREATE INDEX orders_status ON orders (status);
CREATE INDEX order_line_order ON order_line (order_id);
CREATE INDEX order_line_order_no ON order_line (order_id, line_no);
CREATE INDEX ticket_customer ON ticket (customer_id);
CREATE INDEX import_log_ref ON import_log (order_ref);

INSERT INTO customer
SELECT i, word(i) || '@example.com', title(1, i, 2), CASE WHEN chance(2, i) < 0.6 THEN 'DE' WHEN chance(2,
  i) < 0.8 THEN 'AT'
  ELSE upper(substr(word(skewed(3, i, 30)), 1, 2)) END, title(4, skewed(5, i, 500), 1),
    date(1500000000 + i * 15000, 'unixepoch'),
  iif(chance(6, i) < 0.3, prose(7, i, pick(8, i, 300)), NULL)
FROM numbers WHERE i <= 9000;
INSERT INTO product
SELECT i, printf('%s-%05d', upper(substr(word(i % 90), 1, 3)), i), title(9, i, 3), skewed(10, i, 60), pick(11,
  i, 50000) / 100.0,
  prose(12, i, 300 + pick(13, i, 500))
FROM numbers WHERE i <= 2500;
INSERT INTO orders
SELECT i, iif(i % 12 = 0, 5, pick(14, i, 9000)), CASE WHEN chance(15, i) < 0.93 THEN 'delivered' WHEN chance(15,
  i) < 0.985
  THEN 'returned' WHEN chance(15, i) < 0.995 THEN 'open' ELSE 'failed' END,
  iif(chance(16, i) < 0.8, 'EUR', 'CHF'), iif(chance(16, i) < 0.8, iif(chance(17, i) < 0.7, 'DE', 'AT'), 'CH'),
  datetime(1560000000 + i * 2700, 'unixepoch'), pick(18, i, 60000) / 100.0, pick(19, i, 9000) / 100.0, 4.9,
    prose(20, i, 60 + pick(21, i, 60))
FROM numbers WHERE i <= 48000;
INSERT INTO order_line
SELECT i, 1 + (i - 1) * 48000 / 120000, 1 + i % 5, skewed(22, i, 2400), min(9, skewed(23, i, 12)), pick(24, i,
  50000) / 100.0
FROM numbers WHERE i <= 120000;
INSERT INTO stock
SELECT 1 + (i - 1) / 4, 'W' || (1 + i % 4), pick(25, i, 1000), pick(26, i, 40) FROM numbers WHERE i <= 10000;
INSERT INTO payment
SELECT i, i, pick(27, i, 60000) / 100.0, iif(i % 3 = 0, 'card', 'transfer') FROM numbers WHERE i <= 48000
  AND chance(28, i) < 0.985;
INSERT INTO ticket
SELECT i, iif(i <= 40, 5, pick(29, i, 9000)), datetime(1600000000 + i * 9000, 'unixepoch'), title(30, i, 4)
FROM numbers WHERE i <= 6000;
INSERT INTO import_log
SELECT i, CAST(pick(31, i, 48000) AS TEXT), 'orders-' || (i / 500) || '.csv', i % 500 FROM numbers WHERE i <= 20000;
INSERT INTO tax_rate SELECT upper(word(i)), 0.05 + i / 200.0 FROM numbers WHERE i <= 30;
ANALYZE;

-- statement: commerce-21
-- fine
-- because: 93 % match
-- run: 40.0

SELECT * FROM orders WHERE total > ?

-- statement: commerce-01
-- is: sort-without-index
-- because: one customer has 4,000 orders, all sorted for the last ten
-- run: 5 | 800

SELECT id, placed_at, total FROM orders WHERE customer_id = ? ORDER BY placed_at DESC LIMIT 10

-- best
-- index: orders (customer_id, placed_at)

-- statement: commerce-02
-- fine
-- because: the index finds the 0.5 %
-- run: 'failed'

SELECT * FROM orders WHERE status = ?

-- statement: commerce-03
-- fine
-- because: a report over all rows and most columns

SELECT COUNT(*), SUM(total), SUM(tax), SUM(shipping), AVG(total), MIN(placed_at),
  MAX(placed_at), MAX(address)
FROM orders WHERE total >= 0

-- statement: commerce-04
-- is: full-scan, group-without-index, index-not-covering
-- because: a month of four years
-- run: '2021-03-01', '2021-04-01'

SELECT date(placed_at) AS day, SUM(total) FROM orders WHERE placed_at >= ? AND placed_at < ? GROUP BY day

-- best
-- index: orders (placed_at, total)

-- or
-- index: orders (placed_at)

-- statement: commerce-05
-- is: automatic-index, full-scan, type-mismatch
-- because: text compared with an integer is compared as numbers, which the index on the text can't serve

SELECT o.id, l.file FROM orders o JOIN import_log l ON l.order_ref = o.id WHERE o.status = 'failed'

-- best

SELECT o.id, l.file FROM orders o JOIN import_log l ON l.order_ref = CAST(o.id AS TEXT) WHERE o.status = 'failed'

-- statement: commerce-06
-- is: automatic-index, full-scan, index-not-covering
-- because: 120,000 lines are put into a temporary set; an index is that set

SELECT id, name FROM product WHERE id NOT IN (SELECT product_id FROM order_line)

-- best
-- index: order_line (product_id)

-- statement: commerce-07
-- is: multiplied-aggregate
-- because: each order is summed once for each of 41 tickets
-- run: 5

SELECT c.id, c.name, SUM(o.total) AS revenue, COUNT(t.id) AS tickets FROM customer c
LEFT JOIN orders o ON o.customer_id = c.id LEFT JOIN ticket t ON t.customer_id = c.id
WHERE c.id = ? GROUP BY c.id

-- best
-- changes results

SELECT c.id, c.name, (SELECT SUM(total) FROM orders WHERE customer_id = c.id) AS revenue,
(SELECT COUNT(*) FROM ticket WHERE customer_id = c.id) AS tickets FROM customer c WHERE c.id = ?

-- statement: commerce-08
-- is: case-insensitive-without-index, expression-index, full-scan, function-on-column
-- because: an index on the expression
-- run: 'stazulo hano'

SELECT id, name FROM customer WHERE lower(name) = ?

-- best
-- index: customer (lower(name))

-- statement: commerce-09
-- is: case-insensitive-without-index, full-scan
-- because: the only index on the address is NOCASE, the comparison is BINARY
-- sampled
-- run: 'sotufo@example.com'

SELECT id, name FROM customer WHERE email = ?

-- best
-- index: customer (email)

-- statement: commerce-10
-- is: full-scan, partial-index
-- because: two columns compared: only a partial index with this condition knows the 2 %

SELECT product_id, warehouse FROM stock WHERE quantity < reorder_level

-- best
-- index: stock (product_id, warehouse) WHERE quantity < reorder_level

-- or
-- index: stock (warehouse) WHERE quantity < reorder_level

-- statement: commerce-11
-- is: expression-index, full-scan, function-on-column
-- because: the beginning of an indexed text hidden in a function
-- run: 'BAX'

SELECT sku, name FROM product WHERE substr(sku, 1, 3) = ?

-- best
-- index: product (substr(sku, 1, 3))

-- or

SELECT sku, name FROM product WHERE sku >= ?1 AND sku < ?1 || char(1114111) AND substr(sku, 1, 3) = ?1

-- statement: commerce-12
-- fine
-- because: an order's lines, in order of an index
-- run: 20000

SELECT line_no, product_id, quantity FROM order_line WHERE order_id = ? ORDER BY line_no

-- statement: commerce-13
-- is: automatic-index, full-scan
-- because: the payments are indexed anew at each execution
-- run: 40000

SELECT o.id FROM orders o LEFT JOIN payment p ON p.order_id = o.id WHERE p.id IS NULL AND o.status = 'delivered'
AND o.id > ?

-- best
-- index: payment (order_id)

-- statement: commerce-14
-- is: full-scan, index-not-covering
-- because: the index on the status finds 93 % and would be preferred to one on the date alone
-- run: '2019-06-10'

INSERT INTO order_archive (id, customer_id, placed_at, total)
SELECT id, customer_id, placed_at, total FROM orders WHERE placed_at < ? AND status = 'delivered'

-- best
-- index: orders (status, placed_at)

-- statement: commerce-15
-- fine
-- because: primary key
-- run: 1, 77, 'W2'

UPDATE stock SET quantity = quantity - ? WHERE product_id = ? AND warehouse = ?

-- statement: commerce-16
-- fine
-- because: 30 rows
-- run: 0.1

SELECT rate FROM tax_rate WHERE rate > ?

-- statement: commerce-17
-- is: full-scan
-- because: currency and country go together: one of them and the total are enough
-- run: 595.0

SELECT id, total, placed_at FROM orders WHERE currency = 'CHF' AND country = 'CH' AND total > ?

-- best
-- index: orders (country, total)

-- or
-- index: orders (currency, total)

-- or
-- index: orders (currency, country, total)

-- statement: commerce-18
-- is: group-without-index, index-not-covering
-- because: all lines count: grouped by walking a covering index

SELECT product_id, SUM(quantity * price) AS revenue FROM order_line GROUP BY product_id
  ORDER BY revenue DESC LIMIT 10

-- best
-- index: order_line (product_id, quantity, price)

-- statement: commerce-19
-- is: index-not-covering, wide-rows-for-count
-- because: both conditions are answered within the index
-- run: '2022-01-01'

SELECT COUNT(*) FROM orders WHERE status IN ('open', 'failed') AND placed_at >= ?

-- best
-- index: orders (status, placed_at)

-- statement: commerce-20
-- fine
-- because: primary keys on both sides
-- run: 20000, 20020

SELECT o.id, c.name FROM orders o INNER JOIN customer c ON c.id = o.customer_id WHERE o.id BETWEEN ?1 AND ?2

-- statement: commerce-22
-- is: expression-index, full-scan, function-on-column, type-mismatch
-- because: converting the value leaves the column to its index
-- run: 31007

SELECT id, file, line FROM import_log WHERE CAST(order_ref AS INTEGER) = :order

-- best

SELECT id, file, line FROM import_log WHERE order_ref = CAST(:order AS TEXT)

-- or
-- index: import_log (CAST(order_ref AS INTEGER))

-- statement: commerce-23
-- is: full-scan, subquery-per-row, type-mismatch
-- because: an integer on the other side keeps the index on the text from being used, for each order

SELECT o.id FROM orders o WHERE o.status = 'failed'
AND NOT EXISTS (SELECT 1 FROM import_log l WHERE l.order_ref = o.id)

-- best

SELECT o.id FROM orders o WHERE o.status = 'failed'
AND NOT EXISTS (SELECT 1 FROM import_log l WHERE l.order_ref = CAST(o.id AS TEXT))
