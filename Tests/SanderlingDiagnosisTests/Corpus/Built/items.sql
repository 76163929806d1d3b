-- schema: items
-- about: Items with tags and dates, analyzed; one expression index and one partial index that statements miss by a hair.
-- superfluous: duplicate-index item_category item_category_copy

CREATE TABLE category (id INTEGER PRIMARY KEY, name TEXT NOT NULL, position INTEGER NOT NULL);
CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE item (
  id INTEGER PRIMARY KEY, title TEXT NOT NULL, status TEXT NOT NULL, categoryID INTEGER NOT NULL,
    isDone INTEGER NOT NULL,
  price REAL NOT NULL, quantity INTEGER NOT NULL, createdAt REAL NOT NULL, dueAt REAL, details TEXT NOT NULL);
CREATE TABLE itemTag (itemID INTEGER NOT NULL, tagID INTEGER NOT NULL, PRIMARY KEY (itemID, tagID)) WITHOUT ROWID;
CREATE INDEX item_category ON item (categoryID);
CREATE INDEX item_category_copy ON item (categoryID);
CREATE INDEX item_total ON item (price * quantity);
CREATE INDEX item_blocked ON item (createdAt) WHERE status = 'blocked';

INSERT INTO category SELECT i, title(1, i, 1), i FROM numbers WHERE i <= 30;
INSERT INTO tag SELECT i, word(i) FROM numbers WHERE i <= 400;
INSERT INTO item
SELECT i, title(2, i, 3), CASE WHEN chance(3, i) < 0.5 THEN 'active' WHEN chance(3, i) < 0.97 THEN 'done'
  WHEN chance(3, i) < 0.99 THEN 'blocked' ELSE 'failed' END,
  skewed(4, i, 30), chance(5, i) < 0.5, pick(6, i, 100000) / 100.0, skewed(7, i, 50), 1600000000 + i * 2500.5,
  iif(chance(8, i) < 0.4, 1600000000 + pick(9, i, 90000000), NULL), prose(10, i, pick(11, i, 300))
FROM numbers WHERE i <= 36000;
INSERT OR IGNORE INTO itemTag SELECT pick(12, i, 36000), skewed(13, i, 400) FROM numbers WHERE i <= 90000;
ANALYZE;

-- statement: items-19
-- fine
-- because: a report over all rows and most columns

SELECT COUNT(*), AVG(price), SUM(quantity), MIN(createdAt), MAX(dueAt), MAX(length(details)), COUNT(title)
FROM item

-- statement: items-01
-- is: full-scan, sort-without-index
-- because: a range of dates in order: the report's first step
-- run: 1650000000.0, 1651000000.0

SELECT * FROM item WHERE createdAt >= ? AND createdAt <= ? ORDER BY createdAt DESC

-- best
-- index: item (createdAt)

-- statement: items-02
-- is: full-scan, sort-without-index
-- because: equality first, then range and order
-- run: 1600000000.0

SELECT id, title FROM item WHERE status = 'failed' AND createdAt >= ? ORDER BY createdAt DESC LIMIT 100

-- best
-- index: item (status, createdAt)

-- or
-- index: item (createdAt) WHERE status = 'failed'

-- statement: items-03
-- is: full-scan, sort-without-index
-- because: 60 % pass the filter, so the order's index ends after 33 rows; one on the price would still sort
-- run: 400.0

SELECT id, title, price FROM item WHERE price > ? ORDER BY createdAt DESC LIMIT 20

-- best
-- index: item (createdAt)

-- or
-- index: item (createdAt, price)

-- statement: items-04
-- is: full-scan, sort-without-index
-- because: 0.2 % pass: here the filter's index is best, and sorting 70 rows costs nothing
-- run: 998.0

SELECT id, title, price FROM item WHERE price > ? ORDER BY dueAt DESC LIMIT 20

-- best
-- index: item (price)

-- statement: items-05
-- is: case-insensitive-without-index, expression-index, full-scan, function-on-column
-- because: an index on the expression as it is written
-- run: 'thaso nofo cequifo'

SELECT id, status FROM item WHERE lower(title) = lower(?)

-- best
-- index: item (lower(title))

-- statement: items-06
-- is: case-insensitive-without-index, full-scan
-- because: the index must have the comparison's collation
-- sampled
-- run: 'THASO nofo cequifo'

SELECT id, status FROM item WHERE title = ? COLLATE NOCASE

-- best
-- index: item (title COLLATE NOCASE)

-- statement: items-07
-- is: full-scan, sort-without-index
-- because: after IN an index gives no order, and half of the rows match: walk the dates
-- run: 'active', 'blocked'

SELECT "id", "title", "createdAt" FROM "item" WHERE "status" IN (?, ?) ORDER BY "createdAt" DESC LIMIT 50

-- best
-- index: item (createdAt)

-- or
-- index: item (createdAt, status)

-- statement: items-08
-- is: expression-index, full-scan, function-on-column
-- because: a day is a range of the column
-- run: '2021-06-15'

SELECT id FROM item WHERE date(createdAt, 'unixepoch') = ?

-- best
-- index: item (createdAt)

SELECT id FROM item WHERE createdAt >= CAST(strftime('%s', ?1) AS INTEGER)
AND createdAt < CAST(strftime('%s', ?1, '+1 day') AS INTEGER)

-- or
-- index: item (date(createdAt, 'unixepoch'))

-- statement: items-09
-- is: full-scan
-- because: the primary key begins with the item
-- run: 300, 333

SELECT DISTINCT item.id, item.title FROM item JOIN itemTag ON itemTag.itemID = item.id
  WHERE itemTag.tagID IN (?, ?)

-- best
-- index: itemTag (tagID)

-- or
-- index: itemTag (tagID, itemID)

-- statement: items-10
-- is: large-offset, sort-without-index
-- because: without an index every page sorts everything; with one the offset still steps over 30,000

SELECT id, title, createdAt FROM item ORDER BY createdAt DESC, id DESC LIMIT 100 OFFSET 30000

-- best
-- index: item (createdAt)
-- run: 1615005500.5, 6001

SELECT id, title, createdAt FROM item WHERE (createdAt, id) < (?, ?) ORDER BY createdAt DESC, id DESC LIMIT 100

-- statement: items-11
-- fine
-- because: covered by the index, in order

SELECT categoryID, COUNT(*) FROM item GROUP BY categoryID

-- statement: items-12
-- fine
-- because: 30 rows

SELECT * FROM category ORDER BY position

-- statement: items-13
-- fine
-- because: half of the rows, all columns: the scan is best

SELECT * FROM item WHERE isDone = 0

-- statement: items-14
-- is: expression-index, full-scan, function-on-column
-- because: the existing index is on price * quantity: the order of the factors must be the same
-- run: 49000.0

SELECT id, title FROM item WHERE quantity * price > ?

-- best

SELECT id, title FROM item WHERE price * quantity > ?

-- or
-- index: item (quantity * price)

-- statement: items-15
-- is: full-scan, partial-index, pattern-without-index, sort-without-index
-- because: LIKE folds case, so it implies no equality and the partial index on 'blocked' can't be used

SELECT id, title FROM item WHERE status LIKE 'blocked' ORDER BY createdAt

-- best
-- index: item (createdAt) WHERE status LIKE 'blocked'

-- or
-- index: item (status COLLATE NOCASE)

-- or
-- index: item (status COLLATE NOCASE, createdAt)

-- statement: items-16
-- is: expression-index, sort-without-index
-- because: NULLs last is an expression, which an index can hold

SELECT id, title, dueAt FROM item WHERE isDone = 0 ORDER BY dueAt IS NULL, dueAt, id LIMIT 25

-- best
-- index: item (isDone, dueAt IS NULL, dueAt, id)

-- or
-- index: item (dueAt IS NULL, dueAt)

-- statement: items-17
-- fine
-- because: both sides by primary key
-- run: 500, 510

SELECT item.* FROM item WHERE item.id IN (SELECT itemTag.itemID FROM itemTag WHERE itemTag.itemID BETWEEN ? AND ?)

-- statement: items-18
-- is: full-scan, wide-rows-for-count
-- because: 2 % of the rows; a covering index counts them without reading any
-- run: 'blocked'

SELECT COUNT(*) FROM item WHERE status = ?

-- best
-- index: item (status)

-- statement: items-20
-- is: distinct-without-index, full-scan, index-not-covering
-- because: four values, read from an index a twentieth of the table

SELECT DISTINCT status FROM item

-- best
-- index: item (status)
