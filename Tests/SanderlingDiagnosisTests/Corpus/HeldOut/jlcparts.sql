-- schema: jlcparts
-- about: A catalogue of electronic parts: one wide table with prices and attributes as JSON, and a view of it.
-- source: Taken from yaqwsx/jlcparts, jlcparts/partLib.py.
-- origin: jlcparts at 03faab21 (MIT, Copyright Jan Mrázek): all tables with their indexes and the view

CREATE TABLE components (
  lcsc INTEGER PRIMARY KEY NOT NULL, category_id INTEGER NOT NULL, mfr TEXT NOT NULL, package TEXT NOT NULL, joints INTEGER NOT NULL, \
manufacturer_id INTEGER NOT NULL, basic INTEGER NOT NULL, description TEXT NOT NULL,
  datasheet TEXT NOT NULL, stock INTEGER NOT NULL, price TEXT NOT NULL, last_update INTEGER NOT NULL, extra TEXT, flag INTEGER NOT NULL \
DEFAULT 0, last_on_stock INTEGER NOT NULL DEFAULT 0);
CREATE INDEX components_category ON components (category_id);
CREATE INDEX components_manufacturer ON components (manufacturer_id);
CREATE TABLE manufacturers (
  id INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL, UNIQUE (id, name));
CREATE TABLE categories (
  id INTEGER PRIMARY KEY NOT NULL, category TEXT NOT NULL, subcategory TEXT NOT NULL, UNIQUE (id, category, subcategory));
CREATE VIEW v_components AS
  SELECT c.lcsc AS lcsc, c.category_id AS category_id, cat.category AS category, cat.subcategory AS subcategory, c.mfr AS mfr, c.package \
AS package, c.joints AS joints, m.name AS manufacturer, c.basic AS basic,
    c.description AS description, c.datasheet AS datasheet, c.stock AS stock, c.last_on_stock AS last_on_stock, c.price AS price, c.extra AS extra
  FROM components c LEFT JOIN manufacturers m ON c.manufacturer_id = m.id LEFT JOIN categories cat ON c.category_id = cat.id;

INSERT INTO manufacturers SELECT i, title(1, i, 1) || '(' || word(i) || ')' FROM numbers WHERE i <= 2500;
INSERT INTO categories SELECT i, title(2, i / 14, 2), title(3, i, 3) FROM numbers WHERE i <= 700;
INSERT INTO components
SELECT 1000 + 7 * i + pick(4, i, 6), skewed(5, i, 680), upper(substr(word(skewed(6, i, 900)), 1, 4)) || i || iif(chance(7, i) < 0.4, \
'-TR', ''), CASE skewed(8, i, 40) WHEN 1 THEN '0402' WHEN 2 THEN '0603' WHEN 3 THEN '0805' WHEN 4 THEN 'SOIC-8' ELSE upper(word(skewed(8, \
i, 40))) END, 2 * skewed(9, i, 64),
  skewed(10, i, 2400), chance(11, i) < 0.012, title(12, i, 5) || ' ' || (skewed(13, i, 100) * 10) || 'k', 'https://example.org/ds/' || i \
|| '.pdf', iif(chance(14, i) < 0.55, 0, skewed(15, i, 200000)),
  '[{"qFrom":1,"qTo":9,"price":' || (skewed(16, i, 9000) / 1000.0) || '},{"qFrom":10,"qTo":null,"price":' || (skewed(16, i, 9000) / \
1500.0) || '}]', 1700000000 + pick(17, i, 20000000),
  iif(chance(18, i) < 0.07, NULL, '{"number":"C' || i || '","attributes":{"Resistance":"' || skewed(19, i, 900) || 'k","Tolerance":"' || \
pick(20, i, 5) || '%","status":"' || iif(chance(21, i) < 0.02, 'NRND', 'Active') || '"},"rohs":' || iif(chance(22, i) < 0.9, 'true', \
'false') || ',"note":"' || prose(23, i, 20 + pick(24, i, 120)) || '"}'), iif(chance(25, i) < 0.015, 1, 0),
  iif(chance(26, i) < 0.3, 0, 1700000000 + pick(27, i, 20000000))
FROM numbers WHERE i <= 50000;
ANALYZE;

-- statement: jlcparts-01
-- fine
-- because: a part by its number, with what it refers to by their keys
-- run: 54003 | 315001

SELECT * FROM v_components WHERE lcsc = ? LIMIT 1

-- statement: jlcparts-02
-- is: full-scan, sort-without-index
-- because: those whose update is longest ago: all parts are read and sorted
-- run: 1000

SELECT lcsc FROM components ORDER BY last_update ASC LIMIT ?

-- best
-- index: components (last_update)

-- statement: jlcparts-03
-- is: full-scan
-- because: a manufacturer by name: the unique key begins with the id
-- run: 'Vaguce(drice)' | 'Loce(shuhaje)' | 'Zubra'

SELECT id FROM manufacturers WHERE name = ?

-- best
-- index: manufacturers (name)

-- statement: jlcparts-04
-- is: full-scan, index-not-covering
-- because: what a large category had in stock lately
-- run: 3, 1719000000 | 8, 1719500000

SELECT lcsc, mfr, stock FROM v_components WHERE category_id = ? AND last_on_stock > ?

-- best
-- index: components (category_id, last_on_stock)

-- or
-- index: components (category_id, last_on_stock, mfr, stock)

-- statement: jlcparts-05
-- is: full-scan
-- because: marked parts go: few are
-- run: 1

DELETE FROM components WHERE flag = ?

-- best
-- index: components (flag)

-- statement: jlcparts-06
-- is: full-scan, wide-rows-for-count
-- because: how many aren't marked: wide rows are read to count
-- run: 0

SELECT COUNT() FROM components WHERE flag = ?

-- best
-- index: components (flag)

-- statement: jlcparts-07
-- is: group-without-index, index-not-covering, join-order
-- because: manufacturers with many parts in stock: each part is looked up

SELECT m.name, count(*) AS parts, sum(c.stock > 0) AS stocked FROM components AS c JOIN manufacturers AS m ON m.id = c.manufacturer_id \
GROUP BY m.id HAVING sum(c.stock > 0) >= 20 ORDER BY stocked DESC, m.id

-- best
-- index: components (manufacturer_id, stock)

SELECT m.name, c.parts, c.stocked FROM (SELECT manufacturer_id, count(*) AS parts, sum(stock > 0) AS stocked FROM components GROUP BY \
manufacturer_id HAVING sum(stock > 0) >= 20) AS c JOIN manufacturers AS m ON m.id = c.manufacturer_id ORDER BY c.stocked DESC, m.id

-- or
-- index: components (manufacturer_id, stock)

-- statement: jlcparts-08
-- is: expression-index, full-scan, function-on-column, partial-index
-- because: parts that aren't recommended any more: each document is parsed

SELECT lcsc, mfr, package FROM components WHERE json_extract(extra, '$.attributes.status') = 'NRND' AND stock > 0

-- best
-- index: components (json_extract(extra, '$.attributes.status'), stock)

-- or
-- index: components (json_extract(extra, '$.attributes.status'))

-- or
-- index: components (stock) WHERE json_extract(extra, '$.attributes.status') = 'NRND'

-- statement: jlcparts-09
-- is: case-insensitive-without-index, full-scan, pattern-without-index, sort-without-index
-- because: the beginning of a part's name, whatever its case
-- run: 'bagr4%' | 'BAXI2%'

SELECT lcsc, mfr, description FROM components WHERE mfr LIKE ? ORDER BY mfr, lcsc LIMIT 20

-- best
-- index: components (mfr COLLATE NOCASE)

-- statement: jlcparts-10
-- is: full-scan, partial-index, sort-without-index
-- because: basic parts of a package: a hundredth of all are basic

SELECT lcsc, mfr, stock FROM components WHERE basic = 1 AND package = '0603' ORDER BY stock DESC, lcsc DESC LIMIT 30

-- best
-- index: components (package, stock) WHERE basic = 1

-- or
-- index: components (basic, package, stock)

-- statement: jlcparts-11
-- fine
-- because: parts by the numbers of a list, by key
-- run: '[54003, 153003, 198006, 123456, 351003]'

SELECT lcsc, package, datasheet FROM components WHERE lcsc IN (SELECT value FROM json_each(?))

-- statement: jlcparts-12
-- fine
-- tolerated: subquery-per-row
-- because: empty categories, one look into an index for each

SELECT cat.id, cat.category, cat.subcategory FROM categories AS cat WHERE NOT EXISTS (SELECT 1 FROM components AS c WHERE c.category_id = cat.id)

-- statement: jlcparts-13
-- is: full-scan, group-without-index, index-not-covering, sort-without-index
-- because: the part of each category of which there are most: all are numbered

SELECT category, subcategory, mfr, stock FROM (SELECT cat.category, cat.subcategory, c.mfr, c.stock, row_number() OVER (PARTITION BY \
c.category_id ORDER BY c.stock DESC, c.lcsc DESC) AS place FROM components AS c JOIN categories AS cat ON cat.id = c.category_id) WHERE \
place = 1 ORDER BY category, subcategory, mfr

-- best
-- index: components (category_id, stock)

SELECT cat.category, cat.subcategory, c.mfr, c.stock FROM categories AS cat JOIN components AS c ON c.lcsc = (SELECT d.lcsc FROM \
components AS d WHERE d.category_id = cat.id ORDER BY d.stock DESC, d.lcsc DESC LIMIT 1) ORDER BY cat.category, cat.subcategory, c.mfr

-- statement: jlcparts-14
-- fine
-- because: a part's stock, by key
-- run: 500, 1720000001, 54003 | 0, 1720000001, 315001

UPDATE components SET stock = ?, last_update = ? WHERE lcsc = ?

-- statement: jlcparts-15
-- fine
-- tolerated: index-not-covering, sort-without-index
-- because: the cheapest of a small category: its few documents are parsed
-- run: 400 | 600

SELECT c.lcsc, p.value ->> 'price' AS price FROM components AS c, json_each(c.price) AS p WHERE c.category_id = ? AND p.value ->> 'qFrom' \
= 1 ORDER BY price, c.lcsc LIMIT 10

-- statement: jlcparts-16
-- is: expression-index, full-scan, function-on-column, type-mismatch
-- because: a number compared as text: the key isn't used
-- run: '54003' | '315001'

SELECT lcsc FROM components WHERE '' || lcsc = ?

-- best

SELECT lcsc FROM components WHERE lcsc = CAST(? AS INTEGER)

-- statement: jlcparts-17
-- fine
-- tolerated: sort-without-index
-- because: the largest manufacturers, counted in their index

SELECT manufacturer_id, count(*) AS n FROM components GROUP BY manufacturer_id ORDER BY n DESC, manufacturer_id LIMIT 10
